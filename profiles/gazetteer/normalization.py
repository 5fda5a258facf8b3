"""Fold names for comparison: no case, accents, dots or hyphens."""

import re
import unicodedata
from collections.abc import Iterable

MAX_LENGTH = 200
_SEPARATORS = re.compile(r"[/,]")
_DROPPED = re.compile("[\u0300-\u036f.'’‘ʻʼ`\0]+")
_SPACES = re.compile("[-–—_ ]+")
_LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}


def fold(name: str) -> str:
    """`São Paulo` → `sao paulo`, `St. John's` → `st johns`."""
    return fold_all([" ".join(name.split())])[0]


def fold_all(names: Iterable[str]) -> list[str]:
    """Fold many names at once, which is far quicker. No name may contain a line break."""
    text = unicodedata.normalize("NFKD", "\n".join(names))
    text = _DROPPED.sub("", unicodedata.normalize("NFKD", text.casefold()))
    for letter, plain in _LETTERS.items():
        text = text.replace(letter, plain)
    return [name.strip(" ") for name in _SPACES.sub(" ", text).split("\n")]


def split_parts(text: str) -> list[str]:
    """Split at slashes and commas and fold. Drop empty parts and everything after 200 characters."""
    return [part for part in map(fold, _SEPARATORS.split(text[:MAX_LENGTH])) if part]
