"""A first table from the model alone: distill.py MODEL START/

Each token's vector is what the model says of the token on its own, brought to 256 dimensions by principal
components (model2vec). The 994 placeholders and three control tokens of the vocabulary are left out, which is
how 30,522 tokens become 29,525.
"""

import sys

from model2vec.distill import distill

DIMENSIONS = 256


def main() -> None:
    folder, out = sys.argv[1:]
    table = distill(model_name=folder, pca_dims=DIMENSIONS)
    table.save_pretrained(out)
    print("table", table.embedding.shape)


if __name__ == "__main__":
    main()
