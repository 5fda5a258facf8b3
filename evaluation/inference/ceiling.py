"""How well people do on the same task: one person's answer as a guess at another's, by the same scorer.

Each pair counts in both directions, once for each of the two labels that passes the filters. A person who could not
tell where the other could is wrong.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.inference.grades import Grade
from evaluation.inference.records import ATTRIBUTES, Case, Label, Prediction
from evaluation.inference.resamples import ProfileResamples
from evaluation.inference.settings import Settings
from evaluation.inference.sound import Decisions, grade

# The words before the colon are the short form, for table cells.
NO_PAIRS = "No pairs: no two people judged the same attribute of a profile."


@dataclass(frozen=True, slots=True)
class HumanPair:
    """What two people concluded about one attribute of one profile."""

    profile: str
    attribute: str
    first: Label
    second: Label


def measure_ceiling(
    pairs: Sequence[HumanPair], settings: Settings, decisions: Decisions | None = None
) -> dict[str, Any] | None:
    """None without pairs."""
    if not pairs:
        return None
    trials = [trial for pair in pairs for trial in _trials(pair)]
    scored = [trial for trial in trials if settings.includes(trial)]
    negatives = [trial for trial in trials if trial.label.is_negative]
    guessed = [bool(trial.guesses) for trial in negatives]
    return {
        "pairs": len(pairs),
        "profiles": len({pair.profile for pair in pairs}),
        **_scores(scored, settings, decisions),
        "negatives": {
            "n": len(negatives),
            "guessed": sum(guessed),
            "rate": ProfileResamples.of(_profiles(negatives), settings).mean(guessed, NO_PAIRS).as_json(),
        },
    }


def _trials(pair: HumanPair) -> Iterable[Case]:
    for label, other in ((pair.first, pair.second), (pair.second, pair.first)):
        guesses = (other.value,) if other.value else ()
        yield Case(pair.profile, pair.attribute, label, Prediction(guesses))


def _scores(trials: Sequence[Case], settings: Settings, decisions: Decisions | None) -> dict[str, Any]:
    credits_ = [_grade(trial, decisions).credit for trial in trials]
    attributes = np.array([trial.attribute for trial in trials], dtype=object)
    resamples = ProfileResamples.of(_profiles(trials), settings)
    is_right = [credit == 1 for credit in credits_]

    def group(name: str) -> dict[str, Any]:
        is_chosen = attributes == name
        return {"n": int(is_chosen.sum()), "top1": resamples.mean(is_right, NO_PAIRS, is_chosen).as_json()}

    present = [name for name in ATTRIBUTES if name in attributes]
    return {
        "n": len(trials),
        "top1": resamples.mean(is_right, NO_PAIRS).as_json(),
        "with_half_credit": resamples.mean(credits_, NO_PAIRS).as_json(),
        "by_attribute": {name: group(name) for name in present},
    }


def _grade(trial: Case, decisions: Decisions | None) -> Grade:
    if not trial.guesses:
        return Grade.WRONG
    return grade(trial.attribute, trial.guesses[0], trial.label.value, decisions=decisions).grade


def _profiles(trials: Iterable[Case]) -> list[str]:
    return [trial.profile for trial in trials]
