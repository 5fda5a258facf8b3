"""Entity types and detections as pages show them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotator.core.entities import entity_hue, entity_name

AROUND = 80  # characters of context on each side; one more is asked for, to see whether it goes on
LONGEST = 200  # characters of a detection


@dataclass(frozen=True, slots=True)
class Kind:
    """An entity type; `hue` is its colour, and those that recipes add share one."""

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
    is_new: bool = False  # in a trial: no run has marked it


@dataclass(frozen=True, slots=True)
class Strings:
    """What was marked most often as one kind."""

    kind: Kind
    counts: list[tuple[str, int]]


def kind_of(entity_type: str) -> Kind:
    return Kind(entity_type, entity_name(entity_type), entity_hue(entity_type))


def excerpt_of(row: Sequence[Any]) -> Excerpt:
    """From the columns of a query, in the order of the fields; it cuts the words around out of the comment itself."""
    comment, profile, pseudonym, subreddit, entity_type, score, before, text, after = row
    around = (shortened_before(before), text, shortened_after(after))
    return Excerpt(comment, profile, pseudonym, subreddit, kind_of(entity_type), score, *around)


def shortened_before(text: str) -> str:
    """At most so many characters, beginning with a whole word where there is one."""
    if len(text) <= AROUND:
        return text
    kept = text[-AROUND:]
    return f"…{kept[kept.find(' ') + 1 :]}"


def shortened_after(text: str) -> str:
    if len(text) <= AROUND:
        return text
    kept = text[:AROUND]
    return f"{kept[: kept.rfind(' ')] if ' ' in kept else kept}…"


def strings_of(rows: Sequence[Sequence[Any]]) -> list[Strings]:
    """From rows of entity type, string, count."""
    kinds = dict.fromkeys(entity_type for entity_type, _, _ in rows)
    return [
        Strings(kind_of(kind), [(string, count) for entity_type, string, count in rows if entity_type == kind])
        for kind in kinds
    ]
