"""Compare the evidence of a judgement with that of the known answer, and cut a comment where either was marked."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

from profiles.spans import Span

CONTEXT = 60  # characters around marked passages


class MarkedBy(Enum):
    """Who marked a part of a comment. The value is the CSS class."""

    NOBODY = ""
    BOTH = "marked-both"
    OWN = "marked-own"
    KNOWN = "marked-known"


@dataclass(frozen=True, slots=True)
class Passage(Span):
    comment: int


@dataclass(frozen=True, slots=True)
class MarkedPassages:
    """The evidence of both sides for one attribute."""

    own: list[Passage] = field(default_factory=list)
    known: list[Passage] = field(default_factory=list)

    def by_comment(self) -> "dict[int, MarkedPassages]":
        comments: dict[int, MarkedPassages] = defaultdict(MarkedPassages)
        for passage in self.known:
            comments[passage.comment].known.append(passage)
        for passage in self.own:
            comments[passage.comment].own.append(passage)
        return dict(comments)


@dataclass(frozen=True, slots=True)
class EvidenceMatch:
    """How many of the known passages the annotator found: a passage is found if their own evidence overlaps it."""

    found: int
    known: int
    extra: int  # own passages that overlap no known one


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a comment, and who marked it."""

    text: str
    by: MarkedBy = MarkedBy.NOBODY


def match_evidence(own: Sequence[Passage], known: Sequence[Passage]) -> EvidenceMatch | None:
    """None if no evidence is known: then there is nothing to compare with."""
    if not known:
        return None
    matches = sum(any(_meet(passage, mine) for mine in own) for passage in known)
    extra = sum(not any(_meet(passage, mine) for passage in known) for mine in own)
    return EvidenceMatch(matches, len(known), extra)


def cut_passages(body: str, marked: MarkedPassages) -> Iterator[tuple[Part, ...]]:
    """The passages of one comment with some context. Passages whose contexts meet are shown as one."""
    for window in _windows([*marked.own, *marked.known], len(body)):
        edges = {window.start, window.end}
        edges |= {edge for span in (*marked.own, *marked.known) for edge in (span.start, span.end)}
        inside = sorted(edge for edge in edges if window.start <= edge <= window.end)
        parts = [Part(body[start:end], _marked_by(Span(start, end), marked)) for start, end in pairwise(inside)]
        yield _with_dots(parts, window, len(body))


def _windows(spans: Iterable[Span], length: int) -> list[Span]:
    windows: list[Span] = []
    for span in sorted(Span(max(s.start - CONTEXT, 0), min(s.end + CONTEXT, length)) for s in spans):
        if windows and span.start <= windows[-1].end:
            windows[-1] = Span(windows[-1].start, max(windows[-1].end, span.end))
        else:
            windows.append(span)
    return windows


def _with_dots(parts: list[Part], window: Span, length: int) -> tuple[Part, ...]:
    before = [Part("…")] if window.start else []
    after = [Part("…")] if window.end < length else []
    return (*before, *parts, *after)


def _marked_by(span: Span, marked: MarkedPassages) -> MarkedBy:
    own, known = (any(side.covers(span) for side in sides) for sides in (marked.own, marked.known))
    if own and known:
        return MarkedBy.BOTH
    return MarkedBy.OWN if own else MarkedBy.KNOWN if known else MarkedBy.NOBODY


def _meet(passage: Passage, other: Passage) -> bool:
    return passage.comment == other.comment and passage.overlaps(other)
