"""Everything a person can choose that changes a score of attribute inference."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from evaluation.inference.records import Case, PredictionFile
from evaluation.stats.signature import Signature

VERSION = 1  # of the definitions; increase it whenever one changes
FORMAT = "telltale.inference/1"
RESAMPLES = 1000
SEED = 12345
MIN_HARDNESS, MIN_CERTAINTY, HIGHEST = 1, 3, 5
DIGEST_LENGTH = 8  # characters of a SHA-256 that a signature shows


class MissingPolicy(StrEnum):
    """What happens to labels on a profile for which the model has no answer at all."""

    COUNT = "count"  # wrong, as every other missing guess
    SKIP = "skip"  # not scored, as the originals do


@dataclass(frozen=True, slots=True)
class Settings:
    min_hardness: int = MIN_HARDNESS
    max_hardness: int = HIGHEST
    min_certainty: int = MIN_CERTAINTY
    max_certainty: int = HIGHEST
    missing: MissingPolicy = MissingPolicy.COUNT
    bootstrap: int = RESAMPLES
    seed: int = SEED

    def __post_init__(self) -> None:
        if not 1 <= self.min_hardness <= self.max_hardness <= HIGHEST:
            raise ValueError("Hardness must be between 1 and 5, with the lower bound first.")
        if not 0 <= self.min_certainty <= self.max_certainty <= HIGHEST:
            raise ValueError("Certainty must be between 0 and 5, with the lower bound first.")
        if self.bootstrap < 0:
            raise ValueError("The number of resamples can't be negative.")

    def includes(self, case: Case) -> bool:
        """Whether a case is scored. Negatives never are: their hardness is 0."""
        label = case.label
        return (
            self.min_hardness <= label.hardness <= self.max_hardness
            and self.min_certainty <= label.certainty <= self.max_certainty
            and (case.has_answer or self.missing is MissingPolicy.COUNT)
        )

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"missing": self.missing.value}

    def signature(self, file: PredictionFile, decisions: Mapping[tuple[str, str], str] | None = None) -> Signature:
        """All that determines the scores of one model, apart from who scores."""
        remembered = {"decisions": _marked(str(len(decisions)), _digest(decisions))} if decisions else {}
        return Signature.of(
            predictions=_marked(file.name, file.sha256),
            format=file.format,
            model=plain_name(file.model),
            reviewer=plain_name(file.reviewer),
            hardness=f"{self.min_hardness}-{self.max_hardness}",
            certainty=f"{self.min_certainty}-{self.max_certainty}",
            missing=self.missing.value,
            bootstrap=self.bootstrap,
            seed=self.seed,
            **remembered,
            version=VERSION,
        )


def _marked(name: str, digest: str) -> str:
    return f"{plain_name(name)}@{digest[:DIGEST_LENGTH]}"


def _digest(decisions: Mapping[tuple[str, str], str]) -> str:
    text = json.dumps([[*pair, decision] for pair, decision in sorted(decisions.items())])
    return hashlib.sha256(text.encode()).hexdigest()


def plain_name(name: str) -> str:
    """Separators of the signature can't stand in a name."""
    return name.replace("|", "-").replace(":", "-") or "unnamed"
