"""Everything a person can choose that changes a score of a span evaluation."""

from dataclasses import dataclass, field
from typing import Any

from evaluation.spans.alignment import MissingPolicy
from evaluation.spans.labels import IgnorePolicy, LabelScheme
from evaluation.spans.records import SpanFile
from evaluation.stats.signature import Signature

VERSION = 1  # of the definitions; increase it whenever one changes
FORMAT = "telltale.spans/1"
THRESHOLD = 0.3
RESAMPLES = 1000
SEED = 12345
DIGEST_LENGTH = 8  # characters of a SHA-256 that a signature shows


@dataclass(frozen=True, slots=True)
class Settings:
    scheme: LabelScheme = field(default_factory=lambda: LabelScheme("identity"))
    threshold: float = THRESHOLD
    ignore: IgnorePolicy = IgnorePolicy.SYMMETRIC
    missing: MissingPolicy = MissingPolicy.COUNT
    bootstrap: int = RESAMPLES
    seed: int = SEED

    def __post_init__(self) -> None:
        if not 0 < self.threshold <= 1:
            raise ValueError("The threshold must be above 0 and at most 1.")
        if self.bootstrap < 0:
            raise ValueError("The number of resamples can't be negative.")

    def as_json(self) -> dict[str, Any]:
        return {
            "threshold": self.threshold, "ignore": str(self.ignore), "missing": str(self.missing),
            "scheme": self.scheme.name, "scheme_digest": self.scheme.digest,
            "bootstrap": self.bootstrap, "seed": self.seed,
        }  # fmt: skip

    def signature(self, gold: SpanFile, system: SpanFile) -> Signature:
        """All that determines the scores of one system."""
        return Signature.of(
            metric="spans",
            gold=_marked(gold.name, gold.sha256),
            pred=_marked(system.name, system.sha256),
            match="r1",
            iou=self.threshold,
            labels=_marked(self.scheme.name, self.scheme.digest),
            ignore=str(self.ignore),
            missing=str(self.missing),
            weights="unigram",
            bootstrap=self.bootstrap,
            seed=self.seed,
            version=VERSION,
        )


def _marked(name: str, digest: str) -> str:
    """`tab-113@9f2c01ab`; separators of the signature can't stand in a name."""
    plain = name.replace("|", "-").replace(":", "-") or "unnamed"
    return f"{plain}@{digest[:DIGEST_LENGTH]}" if digest else plain
