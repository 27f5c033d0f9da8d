"""What a tiny BERT says of three texts, computed without the crate under test.

Makes the same weights as `tiny_bert.rs` from a formula, runs the encoder in double precision as the papers
have it (Devlin et al. 2019, Reimers and Gurevych 2019), and prints each text's token ids and the first eight
components of its unit vector. With a folder as argument it runs the model in there instead; numpy is all it
needs.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np

TEXTS = ["abc de", "Hello, world 7!", "a far longer text than this model's window of sixteen tokens"]
CONFIG = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "max_position_embeddings": 16,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
}


def tiny_vocabulary() -> list[str]:
    characters = "abcdefghijklmnopqrstuvwxyz0123456789"
    return ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *characters, *(f"##{c}" for c in characters), *".,;:!?()/'-"]


def tiny_shapes(vocabulary_size: int) -> dict[str, tuple[int, ...]]:
    size, wide = CONFIG["hidden_size"], CONFIG["intermediate_size"]
    shapes = {
        "embeddings.word_embeddings.weight": (vocabulary_size, size),
        "embeddings.position_embeddings.weight": (CONFIG["max_position_embeddings"], size),
        "embeddings.token_type_embeddings.weight": (CONFIG["type_vocab_size"], size),
        "embeddings.LayerNorm.weight": (size,),
        "embeddings.LayerNorm.bias": (size,),
    }
    for layer in range(CONFIG["num_hidden_layers"]):
        name = f"encoder.layer.{layer}"
        for part, (rows, columns) in {
            "attention.self.query": (size, size),
            "attention.self.key": (size, size),
            "attention.self.value": (size, size),
            "attention.output.dense": (size, size),
            "intermediate.dense": (wide, size),
            "output.dense": (size, wide),
        }.items():
            shapes[f"{name}.{part}.weight"] = (rows, columns)
            shapes[f"{name}.{part}.bias"] = (rows,)
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes[f"{name}.{part}.weight"] = (size,)
            shapes[f"{name}.{part}.bias"] = (size,)
    return shapes


def tiny_tensors(vocabulary_size: int) -> dict[str, np.ndarray]:
    tensors = {}
    for number, (name, shape) in enumerate(sorted(tiny_shapes(vocabulary_size).items())):
        index = np.arange(math.prod(shape), dtype=np.uint64)
        mixed = ((index + np.uint64(1000 * number + 1)) * np.uint64(2654435761)) % np.uint64(2**32)
        noise = ((mixed >> np.uint64(8)).astype(np.float64) / 2**24 - 0.5).astype(np.float32)
        tensors[name] = (noise + np.float32(1) if name.endswith("LayerNorm.weight") else noise).reshape(shape)
    return tensors


def tokenise(text: str, ids: dict[str, int], window: int) -> list[int]:
    """Greedy longest match; enough for plain ASCII."""
    spaced = "".join(c if c.isalnum() or c == " " else f" {c} " for c in text.lower())
    pieces = []
    for word in spaced.split():
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            end = next(end for end in range(len(word), start, -1) if mark + word[start:end] in ids)
            pieces.append(ids[mark + word[start:end]])
            start = end
    return [ids["[CLS]"], *pieces[: window - 2], ids["[SEP]"]]


def mean_state(tokens: list[int], config: dict, tensors: dict[str, np.ndarray]) -> np.ndarray:
    def linear(x, name):
        return x @ tensors[f"{name}.weight"].astype(np.float64).T + tensors[f"{name}.bias"]

    def normalise(x, name):
        x = x - x.mean(axis=1, keepdims=True)
        x = x / np.sqrt((x**2).mean(axis=1, keepdims=True) + config["layer_norm_eps"])
        return x * tensors[f"{name}.weight"] + tensors[f"{name}.bias"]

    def softmax(x):
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)

    embeddings = [tensors[f"embeddings.{n}_embeddings.weight"].astype(np.float64) for n in ("word", "position", "token_type")]
    words, positions, types = embeddings
    x = normalise(words[tokens] + positions[: len(tokens)] + types[0], "embeddings.LayerNorm")
    heads = config["num_attention_heads"]
    width = config["hidden_size"] // heads
    gelu = np.vectorize(lambda v: 0.5 * v * (1 + math.erf(v / math.sqrt(2))))
    for layer in range(config["num_hidden_layers"]):
        name = f"encoder.layer.{layer}"
        query, key, value = (linear(x, f"{name}.attention.self.{part}") for part in ("query", "key", "value"))
        gathered = []
        for head in range(heads):
            part = slice(head * width, (head + 1) * width)
            gathered.append(softmax(query[:, part] @ key[:, part].T / math.sqrt(width)) @ value[:, part])
        attended = linear(np.concatenate(gathered, axis=1), f"{name}.attention.output.dense")
        x = normalise(x + attended, f"{name}.attention.output.LayerNorm")
        wide = gelu(linear(x, f"{name}.intermediate.dense"))
        x = normalise(x + linear(wide, f"{name}.output.dense"), f"{name}.output.LayerNorm")
    mean = x.mean(axis=0)
    return mean / np.linalg.norm(mean)


def read_folder(folder: Path) -> tuple[dict, dict[str, np.ndarray], list[str]]:
    data = (folder / "model.safetensors").read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    tensors = {}
    for name, tensor in json.loads(data[8:start]).items():
        if tensor.get("dtype") == "F32":
            first, last = tensor["data_offsets"]
            tensors[name] = np.frombuffer(data[start + first : start + last], "<f4").reshape(tensor["shape"])
    vocabulary = (folder / "vocab.txt").read_text("utf-8").removesuffix("\n").split("\n")
    return json.loads((folder / "config.json").read_text("utf-8")), tensors, vocabulary


def main() -> None:
    if len(sys.argv) > 1:
        config, tensors, vocabulary = read_folder(Path(sys.argv[1]))
    else:
        vocabulary = tiny_vocabulary()
        config, tensors = CONFIG, tiny_tensors(len(vocabulary))
    ids = {token: number for number, token in enumerate(vocabulary)}
    window = min(256, config["max_position_embeddings"])
    for text in TEXTS:
        tokens = tokenise(text, ids, window)
        vector = mean_state(tokens, config, tensors)
        print(repr(text), tokens, np.array2string(vector[:8], separator=", ", precision=6, max_line_width=200))


if __name__ == "__main__":
    main()
