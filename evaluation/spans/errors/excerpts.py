"""A span with the text around it."""

from dataclasses import dataclass

CONTEXT = 60  # characters on each side


@dataclass(frozen=True, slots=True)
class Excerpt:
    before: str = ""
    text: str = ""
    after: str = ""


def excerpt(text: str | None, start: int, end: int) -> Excerpt:
    """Up to CONTEXT characters on each side, without the words that would be cut. Empty without a text."""
    if text is None:
        return Excerpt()
    before, after = text[max(start - CONTEXT, 0) : start], text[end : end + CONTEXT]
    if start > CONTEXT and not text[start - CONTEXT - 1].isspace():
        before = before[_first_space(before) :]
    if end + CONTEXT < len(text) and not text[end + CONTEXT].isspace():
        after = after[: len(after) - _first_space(after[::-1])]
    return Excerpt(before, text[start:end], after)


def _first_space(passage: str) -> int:
    """Where the first whitespace is. 0 if there is none: a word that is longer than the excerpt is cut after all."""
    return next((index for index, character in enumerate(passage) if character.isspace()), 0)
