"""The table as the program reads it: export.py TABLE/ FILE

Four bits a component, one scale a token; the layout is in the README of the folder above.
"""

import json
import struct
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

BITS = 4
LARGEST = 2 ** (BITS - 1) - 1


def vocabulary(folder: Path) -> list[str]:
    numbers = json.loads((folder / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
    return sorted(numbers, key=numbers.get)


def main() -> None:
    folder, out = map(Path, sys.argv[1:])
    rows = next(array for array in load_file(folder / "model.safetensors").values() if array.ndim == 2)
    rows = rows.astype(np.float32)
    tokens = vocabulary(folder)
    assert len(tokens) == len(rows), "the vocabulary and the rows differ in number"

    scales = np.maximum(np.abs(rows).max(axis=1) / LARGEST, 1e-8)
    steps = np.clip(np.round(rows / scales[:, None]), -LARGEST, LARGEST).astype(np.int8)
    packed = (steps[:, 0::2] & 15) | ((steps[:, 1::2] & 15) << 4)
    text = "\n".join(tokens).encode()
    header = b"STE1" + struct.pack("<IIII", *rows.shape, BITS, len(text))
    out.write_bytes(header + text + scales.astype("<f2").tobytes() + packed.astype(np.uint8).tobytes())


if __name__ == "__main__":
    main()
