"""Entity types and detections as pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotator.core.entities import entity_hue, entity_name

CONTEXT_LENGTH = 80  # characters on each side; queries fetch one more, to see whether the text goes on
MAX_TEXT_LENGTH = 200  # characters of a detection


@dataclass(frozen=True, slots=True)
class Kind:
    """An entity type with its label and colour; all custom types share one colour."""

    name: str
    label: str
    hue: str


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A detection and the words around it."""

    comment: int
    profile: int
    pseudonym: str
    subreddit: str
    kind: Kind
    score: float
    before: str
    text: str
    after: str
    is_new: bool = False  # in a trial: the newest finished run did not mark it


@dataclass(frozen=True, slots=True)
class FrequentStrings:
    """The strings most often marked as one entity type."""

    kind: Kind
    counts: list[tuple[str, int]]


def kind_of(entity_type: str) -> Kind:
    return Kind(entity_type, entity_name(entity_type), entity_hue(entity_type))


def excerpt_of(row: Sequence[Any]) -> Excerpt:
    """Build an excerpt from the columns of a query, in the order of its fields."""
    comment, profile, pseudonym, subreddit, entity_type, score, before, text, after = row
    around = (shorten_before(before), text, shorten_after(after))
    return Excerpt(comment, profile, pseudonym, subreddit, kind_of(entity_type), score, *around)


def shorten_before(text: str) -> str:
    """Shorten to CONTEXT_LENGTH characters, beginning with a whole word if possible."""
    if len(text) <= CONTEXT_LENGTH:
        return text
    kept = text[-CONTEXT_LENGTH:]
    return f"…{kept[kept.find(' ') + 1 :]}"


def shorten_after(text: str) -> str:
    if len(text) <= CONTEXT_LENGTH:
        return text
    kept = text[:CONTEXT_LENGTH]
    return f"{kept[: kept.rfind(' ')] if ' ' in kept else kept}…"


def frequent_strings(rows: Sequence[Sequence[Any]]) -> list[FrequentStrings]:
    """Group rows of entity type, string and count by type."""
    kinds = dict.fromkeys(entity_type for entity_type, _, _ in rows)
    return [
        FrequentStrings(kind_of(kind), [(string, count) for entity_type, string, count in rows if entity_type == kind])
        for kind in kinds
    ]
