"""Sentences of plain text: corpus.py SENTENCES.json TEXT...

Reads text files, one document a line. Writes a JSON list of distinct sentences in an order that is shuffled but
the same on every run.
"""

import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

SENTENCE_CHARS_MIN = 20
SENTENCE_CHARS_MAX = 300
LETTER_SHARE_MIN = 0.6
"""Below this a line is a table, a path or code."""

SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def sentences(document: str) -> Iterator[str]:
    for part in SENTENCE_END.split(document):
        sentence = re.sub(r"\s+", " ", part).strip(" -*#>|`")
        letters = sum(character.isalpha() for character in sentence)
        is_long_enough = SENTENCE_CHARS_MIN <= len(sentence) <= SENTENCE_CHARS_MAX
        if is_long_enough and letters > LETTER_SHARE_MIN * len(sentence):
            yield sentence


def main() -> None:
    out, *files = map(Path, sys.argv[1:])
    found = {}
    for file in files:
        for line in file.read_text("utf-8", errors="ignore").splitlines():
            found.update(dict.fromkeys(sentences(line)))
    corpus = list(found)
    random.Random(7).shuffle(corpus)
    out.write_text(json.dumps(corpus), "utf-8")
    print(f"{len(corpus)} sentences")


if __name__ == "__main__":
    main()
