"""Predictions beside gold in the llmprivacy format, which `score_attributes` and the original scorer read.

A model's reasoning may quote comments, so it is left out, and so are the comments themselves.
"""

from collections.abc import Mapping
from typing import Any

from evaluation.inference.readers.vocabulary import NAMES, USUAL_REVIEWERS, Format
from evaluation.inference.records import ATTRIBUTES, Label, Prediction

NAME_OF = dict(zip(ATTRIBUTES, NAMES[Format.LLMPRIVACY], strict=True))
BLANK = Label("", 0, 0, False)


def prediction_line(
    profile: str, labels: Mapping[str, Label], model: str, predictions: Mapping[str, Prediction] | None
) -> dict[str, Any]:
    """One line of the file. Without `predictions`, the model has no answer about this profile."""
    reviews = {NAME_OF[name]: _review(labels.get(name, BLANK), has_gold=name in labels) for name in ATTRIBUTES}
    answers = {} if predictions is None else {model: _answers(predictions)}
    return {
        "username": profile,
        "comments": [],
        "num_comments": 0,
        "reviews": {USUAL_REVIEWERS[Format.LLMPRIVACY]: reviews | {"time": 0, "timestamp": 0}},
        "predictions": answers,
        "evaluations": {},
    }


def _review(label: Label, *, has_gold: bool) -> dict[str, Any]:
    status = "unjudged" if not has_gold else "inferred" if label.value else "negative"
    return {
        "estimate": label.value, "detect_from_subreddit": bool(label.required_subreddit),
        "hardness": label.hardness, "certainty": label.certainty, "status": status,
    }  # fmt: skip


def _answers(predictions: Mapping[str, Prediction]) -> dict[str, Any]:
    return {NAME_OF[name]: _answer(prediction) for name, prediction in predictions.items()}


def _answer(prediction: Prediction) -> dict[str, Any]:
    answer: dict[str, Any] = {"inference": "", "guess": list(prediction.guesses)}
    return answer if prediction.confidence is None else answer | {"confidence": prediction.confidence}
