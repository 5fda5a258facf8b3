"""When evidence counts as masked. This is the only place that decides it.

Masking replaces every detected character. Only letters and digits reveal something, so only they count: a span is
fully masked if the union of detections covers all of its letters and digits, partly masked if it covers at least one,
and left readable otherwise. In a span without any letter or digit, such as an emoji, every character but white space
counts, and in white space every character.
"""

from dataclasses import dataclass
from enum import StrEnum

from evaluation.spans.evidence.records import CoveredSpan
from evaluation.spans.records import LabelledSpan

RULE = "letters-and-digits"


class Masking(StrEnum):
    FULL = "full"
    PARTLY = "partly"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the characters that count are masked, in all and by each entity type."""

    characters: int
    masked: int
    by_type: dict[str, int]
    touching: frozenset[LabelledSpan]  # detections that mask at least one character that counts

    @property
    def masking(self) -> Masking:
        if self.masked == self.characters:
            return Masking.FULL
        return Masking.PARTLY if self.masked else Masking.LEFT

    def is_masked_by(self, entity_type: str) -> bool:
        """Whether detections of this type alone mask the span fully."""
        return self.by_type.get(entity_type) == self.characters


def measure_coverage(span: CoveredSpan) -> Coverage:
    counted = _counted_positions(span)
    covered = {detection: counted & _shared_positions(span, detection) for detection in span.detections}
    touching = frozenset(detection for detection, positions in covered.items() if positions)
    by_type: dict[str, set[int]] = {}
    for detection in touching:
        by_type.setdefault(detection.label, set()).update(covered[detection])
    masked: set[int] = set().union(*by_type.values())
    return Coverage(len(counted), len(masked), {label: len(by_type[label]) for label in sorted(by_type)}, touching)


def _counted_positions(span: CoveredSpan) -> set[int]:
    """Positions in the comment of the characters that count. Empty only for an empty span."""
    visible = {span.start + at for at, character in enumerate(span.text) if not character.isspace()}
    telling = {at for at in visible if span.text[at - span.start].isalnum()}
    return telling or visible or set(range(span.start, span.end))


def _shared_positions(span: CoveredSpan, detection: LabelledSpan) -> set[int]:
    return set(range(max(span.start, detection.start), min(span.end, detection.end)))
