"""Spans of a text: `[start, end)` in code points. One type for detections, evidence, highlights and exports."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open, like a Python slice. Not checked against a text; that is up to whoever has the text."""

    start: int
    end: int

    @property
    def length(self) -> int:
        return self.end - self.start

    def overlaps(self, other: "Span") -> bool:
        """Whether they share a character. Adjacent spans do not, and an empty span overlaps nothing."""
        return max(self.start, other.start) < min(self.end, other.end)

    def covers(self, other: "Span") -> bool:
        """Whether the other span lies entirely within this one."""
        return self.start <= other.start and other.end <= self.end

    def text_of(self, body: str) -> str:
        return body[self.start : self.end]


@dataclass(frozen=True, slots=True)
class EntitySpan(Span):
    """A span that Presidio detected in a comment, or that a page marks in it."""

    entity_type: str
    score: float
