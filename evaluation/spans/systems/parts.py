"""Cut long documents into parts that a model can read.

A document of up to `MAX_PART` characters is read whole, so that its results are those of stock Presidio. A longer one
is cut at the last blank line that leaves the part at most that long; if there is none, at the last line break; then at
the last space; then after `MAX_PART` characters. Nothing is detected across a cut.
"""

from collections.abc import Iterator
from typing import NamedTuple

MAX_PART = 100_000  # characters: three seconds and 600 MB with a small model
RULE = f"blank line, line break or space, at most {MAX_PART} characters"
SEPARATORS = ("\n\n", "\n", " ")


class Part(NamedTuple):
    """A part of a document, and where in the document it begins."""

    offset: int
    text: str


def split_document(text: str, most: int = MAX_PART) -> Iterator[Part]:
    """The parts, which together are the text."""
    start = 0
    while len(text) - start > most:
        end = _cut(text, start, start + most)
        yield Part(start, text[start:end])
        start = end
    yield Part(start, text[start:])


def _cut(text: str, start: int, latest: int) -> int:
    """The last place after a separator, at least one character after the start."""
    for separator in SEPARATORS:
        at = text.rfind(separator, start, latest)
        if at >= 0:
            return at + len(separator)
    return latest
