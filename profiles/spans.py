"""Spans of a text: `[start, end)` in code points. One type for detections, evidence, highlights and exports."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open, as Python slices are. Not checked against any text: whoever knows the text does that."""

    start: int
    end: int

    @property
    def length(self) -> int:
        return self.end - self.start

    def overlaps(self, other: "Span") -> bool:
        """Whether they share a character. Neighbours do not, and an empty span has none to share."""
        return max(self.start, other.start) < min(self.end, other.end)

    def covers(self, other: "Span") -> bool:
        """Whether all of the other lies within."""
        return self.start <= other.start and other.end <= self.end

    def text_of(self, body: str) -> str:
        return body[self.start : self.end]


@dataclass(frozen=True, slots=True)
class EntitySpan(Span):
    """What Presidio detected in a comment, or what a page marks of it."""

    entity_type: str
    score: float
