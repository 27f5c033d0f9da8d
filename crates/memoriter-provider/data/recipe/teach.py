"""What the sentence model says of each sentence: teach.py MODEL SENTENCES.json TEACHER.npy

Writes unit vectors, `[sentences, 384]`, in half precision.
"""

import json
import sys
from pathlib import Path

import numpy as np
from sentence_transformers import SentenceTransformer


def main() -> None:
    folder, sentences, out = sys.argv[1:]
    corpus = json.loads(Path(sentences).read_text("utf-8"))
    model = SentenceTransformer(folder, device="cpu")
    model.max_seq_length = 256
    vectors = model.encode(corpus, batch_size=64, normalize_embeddings=True, show_progress_bar=True)
    np.save(out, vectors.astype(np.float16))


if __name__ == "__main__":
    main()
