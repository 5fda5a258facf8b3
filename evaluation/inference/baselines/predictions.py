"""The baselines by name."""

from collections.abc import Sequence

from evaluation.inference.baselines.gold import AGES, predict_majority, predict_random
from evaluation.inference.baselines.records import BaselineProfile
from evaluation.inference.baselines.subreddits import predict_hints
from evaluation.inference.records import Prediction

VERSION = 1  # of all baselines; belongs in the signature, change it when a guess changes

BASELINES: dict[str, str] = {
    "majority": "The three most frequent gold values of all other profiles; the same answer for everybody.",
    "random": (
        "Values drawn with a seed: from all codes, from the other profiles' gold, or an age from "
        f"{AGES[0]} to {AGES[-1]}."
    ),
    "hints": "What the subreddits suggest, most comments first. No comment is read.",
    "rules": "Hand-written rules for what people state outright, such as “I am 19”. The latest statement comes first.",
}


class UnknownBaseline(ValueError):
    """There is no baseline of this name."""


def predict(name: str, profiles: Sequence[BaselineProfile], *, seed: int) -> dict[int, dict[str, Prediction]]:
    """Predictions on all attributes by profile. Only `random` needs the seed, a number from 0. No order matters."""
    match name:
        case "majority":
            return dict(predict_majority(profiles))
        case "random":
            return dict(predict_random(profiles, seed))
        case "hints":
            return dict(predict_hints(profiles))
        case "rules":
            # Patterns that take half a second to compile, which only this baseline pays.
            from evaluation.inference.baselines.rules import predict_rules  # noqa: PLC0415

            return dict(predict_rules(profiles))
    raise UnknownBaseline(f"“{name}” is not a baseline. Use one of: {', '.join(BASELINES)}.")
