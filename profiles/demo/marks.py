"""Clues are marked in the text: `[[age:I'm 19]]`, or `[[sex,age:...]]` for two attributes."""

import re
from dataclasses import dataclass

from profiles.spans import Span

ATTRIBUTES = (  # a copy of `profiles.attributes`, which needs Django; a test keeps them equal
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
class Clue(Span):
    """The span of a comment's text that gives away an attribute."""

    attribute: str


def extract_clues(text: str) -> tuple[str, tuple[Clue, ...]]:
    """Return the text without its marks, and the clues that were marked."""
    body, clues, position = "", [], 0
    for mark in MARK.finditer(text):
        body += text[position : mark.start()]
        start, position = len(body), mark.end()
        body += mark[2]
        clues += [Clue(start, len(body), attribute) for attribute in mark[1].split(",")]
    return body + text[position:], tuple(clues)
