"""How claims are drawn, and what a confirmed one says."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from annotator.core.evidence import EvidenceSpan
from evaluation.inference.second_look.sampling import SEED, SIZE

MIN_CONFIDENCE = 0.7
BASELINE = "random"


@dataclass(frozen=True, slots=True)
class DrawOptions:
    size: int = SIZE
    min_confidence: float = MIN_CONFIDENCE
    baseline: str = BASELINE
    seed: int = SEED


@dataclass(frozen=True, slots=True)
class ConfirmedAnswer:
    """What the reviewer found in the comments."""

    value: str
    hardness: int
    certainty: int
    required_subreddit: bool = False
    evidence: Sequence[EvidenceSpan] = field(default_factory=tuple)
