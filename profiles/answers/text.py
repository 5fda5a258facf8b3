"""Text as it is kept: composed, without control characters, trimmed and in small letters."""

import unicodedata

LONGEST = 200
_NOT_TEXT = {"Cc", "Cf", "Cs", "Cn", "Co"}  # controls, direction marks, halves of pairs, what no standard names
_JOINERS = "\u200c\u200d"  # words in Persian and Hindi, and families of emoji, need them


def kept(typed: str) -> str:
    """A value that Postgres' lower(trim()) leaves as it is, and so does this function."""
    small = "".join(filter(_is_text, typed)).lower()
    return " ".join(unicodedata.normalize("NFC", small).split())


def _is_text(character: str) -> bool:
    return character.isspace() or character in _JOINERS or unicodedata.category(character) not in _NOT_TEXT
