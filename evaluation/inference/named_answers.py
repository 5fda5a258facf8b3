"""Of everything that a model names: how much is right, wrong, or nothing that people could infer?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.inference.grades import Grade
from evaluation.inference.resamples import ProfileResamples
from evaluation.inference.settings import Settings
from evaluation.stats.panel import Bools

THRESHOLDS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
NOTHING_NAMED = "Nothing named: no first guess is that confident."


@dataclass(frozen=True, slots=True)
class NamedAnswer:
    """A first guess that names something. The grade is None if people could not tell."""

    profile: str
    grade: Grade | None
    confidence: float | None

    @property
    def outcome(self) -> str:
        return "not_inferable" if self.grade is None else OUTCOMES[self.grade]


OUTCOMES = {
    Grade.EXACT: "right", Grade.MORE_PRECISE: "right", Grade.LESS_PRECISE: "less_precise", Grade.WRONG: "wrong",
}  # fmt: skip
OUTCOME_NAMES = ("right", "less_precise", "wrong", "not_inferable")


def describe_named(answers: Sequence[NamedAnswer], settings: Settings) -> list[dict[str, Any]]:
    """All of them, then those with at least each stated confidence, if any has one."""
    resamples = ProfileResamples.of([answer.profile for answer in answers], settings)
    everything = _row(answers, np.ones(len(answers), bool), None, resamples)
    if all(answer.confidence is None for answer in answers):
        return [everything]
    confidences = np.array([-1.0 if answer.confidence is None else answer.confidence for answer in answers])
    return [everything, *(_row(answers, confidences >= least, least, resamples) for least in THRESHOLDS)]


def _row(
    answers: Sequence[NamedAnswer], is_chosen: Bools, threshold: float | None, resamples: ProfileResamples
) -> dict[str, Any]:
    outcomes = [answer.outcome for answer in answers]
    chosen = [outcome for outcome, is_in in zip(outcomes, is_chosen, strict=True) if is_in]
    is_right = [outcome == "right" for outcome in outcomes]
    return {
        "threshold": threshold,
        "n": len(chosen),
        **{name: chosen.count(name) for name in OUTCOME_NAMES},
        "precision": resamples.mean(is_right, NOTHING_NAMED, is_chosen).as_json(),
    }
