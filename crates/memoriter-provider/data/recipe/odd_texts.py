"""Odd texts and their tokens by the reference tokeniser: odd_texts.py TABLE.bin COUNT > odd_texts.jsonl

One JSON list a line: the text, then the numbers of its tokens without the unknown one. The texts mix the
vocabulary's own tokens with characters of every general category, decompositions, runs of marks, ideographs,
syllables that come apart, control characters, control tokens and words at the length limit.
"""

import json
import random
import struct
import sys
import unicodedata
from pathlib import Path

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

LAST_CHARACTER = 0x10FFFF
SURROGATES = range(0xD800, 0xE000)
SPECIAL_CASES = "ıİßẞſŉǰΐΰﬁﬂ½²ΣςσΩÅK€£—–…“”‘’🙂👩‍🚀"
CONTROLS = "\x00\x01\x0b\x0c\x1b\x7f\x85\xa0\u200b\u200d\u2028\ufeff\ufffd\t\r\n"


def read_vocabulary(table: Path) -> list[str]:
    data = table.read_bytes()
    length = struct.unpack("<I", data[16:20])[0]
    return data[20 : 20 + length].decode().split("\n")


def reference(vocabulary: list[str]) -> Tokenizer:
    numbers = {token: number for number, token in enumerate(vocabulary)}
    tokenizer = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


class Pieces:
    """Draws pieces of odd text."""

    def __init__(self, vocabulary: list[str], seed: int) -> None:
        self.draw = random.Random(seed)
        self.words = [token.removeprefix("##") for token in vocabulary]
        characters = [chr(code) for code in range(LAST_CHARACTER + 1) if code not in SURROGATES]
        self.by_category: dict[str, list[str]] = {}
        for character in characters:
            self.by_category.setdefault(unicodedata.category(character), []).append(character)
        self.decomposing = [c for c in characters if unicodedata.normalize("NFD", c) != c]
        self.combining = [c for c in characters if unicodedata.combining(c)]

    def piece(self) -> str:
        choose = self.draw.choice
        makers = [
            lambda: choose([str, str.upper, str.title])(choose(self.words)),
            lambda: choose(self.words) + choose(self.words),
            lambda: choose(self.by_category[choose(sorted(self.by_category))]),
            lambda: choose(self.decomposing),
            lambda: "".join(choose(self.combining) for _ in range(self.draw.randrange(1, 4))),
            lambda: choose(CONTROLS),
            lambda: choose(SPECIAL_CASES),
            lambda: choose(["[UNK]", "[SEP]", "[CLS]", "##", "##ing", "#"]),
            lambda: choose("xé") * choose([99, 100, 101]),
        ]
        return self.draw.choices(makers, weights=[30, 10, 15, 10, 8, 5, 10, 4, 1])[0]()

    def text(self) -> str:
        return "".join(self.piece() + self.draw.choice(["", "", " "]) for _ in range(self.draw.randrange(1, 12)))


def main() -> None:
    table, count = Path(sys.argv[1]), int(sys.argv[2])
    vocabulary = read_vocabulary(table)
    tokenizer = reference(vocabulary)
    unknown = vocabulary.index("[UNK]")
    pieces = Pieces(vocabulary, seed=1)
    for _ in range(count):
        text = pieces.text()
        numbers = tokenizer.encode(text, add_special_tokens=False).ids
        print(json.dumps([text, *(number for number in numbers if number != unknown)]))


if __name__ == "__main__":
    main()
