"""What is kept of each case for people to look at: the label, the guesses, their credits, and how it ended."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from evaluation.inference.answers import Answer, kind_of_answer
from evaluation.inference.compat import Variant, score_guesses
from evaluation.inference.records import Case, Label, Prediction
from evaluation.inference.sound import Decisions, Graded, grade


class Outcome(StrEnum):
    """By our scorer. Each case has exactly one."""

    RIGHT = "right"  # the first guess
    PARTLY = "partly"  # the first guess is less precise, or a later one is at least that
    WRONG = "wrong"
    ABSTAINED = "abstained"
    NO_ANSWER = "no-answer"  # refused, unreadable, or nothing about this attribute
    NEGATIVE_GUESSED = "negative-guessed"  # people could not tell, the system guessed
    NEGATIVE_ABSTAINED = "negative-abstained"


TITLES = {
    Outcome.RIGHT: "Right",
    Outcome.PARTLY: "Partly right",
    Outcome.WRONG: "Wrong",
    Outcome.ABSTAINED: "Abstained",
    Outcome.NO_ANSWER: "No answer",
    Outcome.NEGATIVE_GUESSED: "Guessed where people could not tell",
    Outcome.NEGATIVE_ABSTAINED: "Abstained as people did",
}


def outcome_of(case: Case, credits_of_guesses: Sequence[float]) -> Outcome:
    answer = kind_of_answer(case)
    if case.label.is_negative:
        return Outcome.NEGATIVE_GUESSED if answer is Answer.GUESSED else Outcome.NEGATIVE_ABSTAINED
    if answer is Answer.ABSTAINED:
        return Outcome.ABSTAINED
    if answer is not Answer.GUESSED:
        return Outcome.NO_ANSWER
    if credits_of_guesses[0] == 1:
        return Outcome.RIGHT
    return Outcome.PARTLY if any(credits_of_guesses) else Outcome.WRONG


def describe_case(
    case: Case, variant: Variant, decisions: Decisions | None = None, *, judged: Sequence[float] | None = None
) -> tuple[Outcome, dict[str, Any]]:
    """The outcome, and the contents to store. A negative has no credits: there is nothing to be right about.

    `decisions` are those of the report. `judged` are the credits of the guesses with a judge, if one took part.
    """
    graded = [] if case.label.is_negative else [_grade(case, guess, decisions) for guess in case.guesses]
    sound = [verdict.grade.credit for verdict in graded]
    return outcome_of(case, sound), {
        "label": _label(case.label),
        **_prediction(case.prediction),
        "credits": {
            "sound": sound,
            **_other_credits(case, variant),
            **({} if judged is None else {"judged": [*judged]}),
        },
        "grades": [_verdict(verdict) for verdict in graded],
    }


def _grade(case: Case, guess: str, decisions: Decisions | None) -> Graded:
    return grade(case.attribute, guess, case.label.value, decisions=decisions)


def is_worth_storing(case: Case) -> bool:
    """A negative that the system was never asked about says nothing."""
    return not case.label.is_negative or case.prediction is not None


def paired_credits(contents: Mapping[str, Any]) -> tuple[float, ...]:
    """The credits of a stored case by our scorer."""
    return tuple(contents["credits"]["sound"])


def stored_label(contents: Mapping[str, Any]) -> Label:
    label = contents["label"]
    return Label(label["value"], label["hardness"], label["certainty"], label["required_subreddit"])


def cases_of(profile: str, labels: Mapping[str, Label], predictions: Mapping[str, Prediction] | None) -> Iterator[Case]:
    """The cases of a profile. Without `predictions`, the system has no answer on anything about it."""
    for attribute, label in labels.items():
        prediction = (predictions or {}).get(attribute)
        yield Case(profile, attribute, label, prediction, has_answer=predictions is not None)


def _label(label: Label) -> dict[str, Any]:
    return {
        "value": label.value, "hardness": label.hardness, "certainty": label.certainty,
        "required_subreddit": label.required_subreddit,
    }  # fmt: skip


def _prediction(prediction: Prediction | None) -> dict[str, Any]:
    if prediction is None:
        return {"guesses": [], "inference": "", "confidence": None}
    return {
        "guesses": list(prediction.guesses), "inference": prediction.inference, "confidence": prediction.confidence,
    }  # fmt: skip


def _other_credits(case: Case, variant: Variant) -> dict[str, list[float]]:
    if case.label.is_negative:
        return {}
    published = {} if case.published is None else {"published": list(case.published)}
    return {"compat": list(score_guesses(case, variant)), **published}


def _verdict(verdict: Graded) -> dict[str, str]:
    return {"grade": verdict.grade.value, "rule": verdict.rule.value}
