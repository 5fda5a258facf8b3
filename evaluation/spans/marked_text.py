"""A document cut into pieces at its gold and predicted spans, so that a page shows both. Pure."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Any

Marked = tuple[int, int, str, str]  # start, end, label, side
MAX_CHARACTERS = 500_000  # that a page shows


@dataclass(frozen=True, slots=True)
class Piece:
    """`kind` is `gold`, `predicted`, `both` (of the same label), `differs` (of other labels), or empty.

    Labels are those of the spans that end with this piece.
    """

    start: int
    text: str
    kind: str = ""
    labels: tuple[str, ...] = ()
    title: str = ""


def cut(text: str, gold: Iterable[Sequence[Any]], predicted: Iterable[Sequence[Any]]) -> list[Piece]:
    """Cut at every start and end of `[start, end, label]`. Joining the pieces restores the text."""
    sides = {"gold": _inside(text, gold), "predicted": _inside(text, predicted)}
    spans = sorted((start, end, label, side) for side, members in sides.items() for start, end, label in members)
    edges = sorted({0, len(text), *(edge for start, end, _, _ in spans for edge in (start, end))})
    return list(_pieces(text, edges, deque(spans)))


def _pieces(text: str, edges: Sequence[int], ahead: "deque[Marked]") -> Iterator[Piece]:
    """One pass: only the spans that cover a piece are looked at for it."""
    covering: list[Marked] = []
    for start, end in pairwise(edges):
        covering = [span for span in covering if span[1] > start]
        while ahead and ahead[0][0] == start:
            covering.append(ahead.popleft())
        yield _piece(text, start, end, covering)


def document_pieces(contents: Mapping[str, Any], annotator: str, system: str) -> list[Piece]:
    text: str = contents["text"] or ""
    return cut(text[:MAX_CHARACTERS], contents["gold"].get(annotator, ()), contents["predicted"].get(system, ()))


def _inside(text: str, spans: Iterable[Sequence[Any]]) -> list[tuple[int, int, str]]:
    return [(start, min(end, len(text)), label) for start, end, label in spans if 0 <= start < min(end, len(text))]


def _piece(text: str, start: int, end: int, covering: Sequence[Marked]) -> Piece:
    kind = _kind([{label for _, _, label, owner in covering if owner == side} for side in ("gold", "predicted")])
    closing = tuple(dict.fromkeys(label for _, stop, label, _ in covering if stop == end))
    title = ", ".join(dict.fromkeys(f"{side}: {label}" for _, _, label, side in sorted(covering, key=itemgetter(3))))
    return Piece(start, text[start:end], kind, closing, title)


def _kind(labels: Sequence[set[str]]) -> str:
    gold, predicted = labels
    if gold and predicted:
        return "both" if gold & predicted else "differs"
    return "gold" if gold else "predicted" if predicted else ""
