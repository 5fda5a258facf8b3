"""Clues are marked where they are written: `[[age:I'm 19]]`, or `[[sex,age:...]]` for two attributes."""

import re
from dataclasses import dataclass

ATTRIBUTES = (
    "location",
    "sex",
    "age",
    "occupation",
    "place_of_birth",
    "marital_status",
    "income",
    "education",
)
MARK = re.compile(r"\[\[([a-z_]+(?:,[a-z_]+)*):(.+?)\]\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Clue:
    """Where a comment's text speaks about an attribute, as a half-open span."""

    attribute: str
    start: int
    end: int


def take_marks(text: str) -> tuple[str, tuple[Clue, ...]]:
    """The text as a reader sees it, and the clues that were marked in it."""
    body, clues, read = "", [], 0
    for mark in MARK.finditer(text):
        body += text[read : mark.start()]
        start, read = len(body), mark.end()
        body += mark[2]
        clues += [Clue(attribute, start, len(body)) for attribute in mark[1].split(",")]
    return body + text[read:], tuple(clues)
