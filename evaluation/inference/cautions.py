"""What a reader must know before quoting a number of an attribute report."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotator.core.formatting import percent, plural
from evaluation.stats.estimates import MIN_UNITS

FEW_CASES = 100  # labels, below which a percent is worth a whole point or more
MANY = 0.1  # of the labels
SIGNIFICANT = 0.05

Json = Mapping[str, Any]
Caution = tuple[str, str, str]


def find_cautions(model: Json) -> list[dict[str, str]]:
    """One entry for each caution that applies to the scores of one model, the gravest first."""
    cautions = [
        *_from_cases(model["sound"]),
        *_from_answers(model["answers"]),
        *_from_confidence(model["calibration"]),
        *_from_negatives(model["negatives"]),
        *_from_problems(model["input"]["problems"]),
        *_from_published(model["published"]),
        *_from_rules(),
    ]
    return [_as_json(caution) for caution in cautions]


def comparison_cautions(comparisons: list[dict[str, Any]], bootstrap: int) -> list[dict[str, str]]:
    """With many tests, no p-value of so few rounds can stay small after the correction."""
    tests = max((row["tests"] for row in comparisons), default=0)
    if not tests or not bootstrap or tests / (bootstrap + 1) <= SIGNIFICANT:
        return []
    message = f"With {plural(tests, 'test')} and {plural(bootstrap, 'round')}, no corrected p-value can be below 0.05."
    return [_as_json(("few-rounds", message, "Use more rounds (--bootstrap), or compare fewer models at once."))]


def _as_json(caution: Caution) -> dict[str, str]:
    return dict(zip(("key", "message", "why"), caution, strict=True))


def _from_cases(sound: Json) -> Iterator[Caution]:
    if sound["profiles"] < MIN_UNITS:
        few = f"There {_is(sound['profiles'])} only {plural(sound['profiles'], 'profile')}, too few for intervals."
        yield "few-profiles", few, "Intervals come from resampling profiles; with only a handful they say little."
    elif sound["n"] < FEW_CASES:
        few = f"Only {plural(sound['n'], 'label')} {_is(sound['n'])} scored, so a single answer moves the score."
        yield "few-labels", few, "Look at the intervals, and compare attributes only where there are many labels."


def _from_answers(answers: Json) -> Iterator[Caution]:
    labels = sum(answers.values())
    unread = answers["missing"] + answers["unanswered"]
    if answers["refused"] > MANY * labels:
        yield (
            "refusals",
            f"The model refused {percent(answers['refused'] / labels)} of the labels. They count as wrong.",
            "With many refusals, a score reflects how willing the model is to answer as much as what it can infer.",
        )
    if unread > MANY * labels:
        yield (
            "unread-answers",
            f"{percent(unread / labels)} of the labels have no answer that could be read. They count as wrong.",
            "Profiles without an answer, or answers that leave the attribute out. Another prompt or parser may help.",
        )


def _from_confidence(calibration: Json) -> Iterator[Caution]:
    stated, predictions = calibration["stated"], calibration["predictions"]
    if 0 < stated < predictions:
        yield (
            "partial-confidence",
            f"Only {percent(stated / predictions)} of the guesses state a confidence. Calibration covers only these.",
            "Models may state one only where they are sure.",
        )


def _from_negatives(negatives: Json | None) -> Iterator[Caution]:
    if negatives is None:
        yield (
            "no-negatives",
            "The model was not asked where people could not tell, so it is unknown how often it would guess there.",
            "A model that guesses everything and one that knows when to stop can have the same score.",
        )


def _from_problems(problems: list[Json]) -> Iterator[Caution]:
    if count := sum(problem["count"] for problem in problems):
        message = f"{plural(count, 'part')} of the file could not be used and {_is(count)} not scored."
        yield "set-aside", message, "The list of problems says where they are."


def _from_published(published: Json) -> Iterator[Caution]:
    if published["n"] and published["unscored"]:
        message = f"The file's own evaluation leaves out {plural(published['unscored'], 'label')} that we score."
        yield "unscored", message, "“published” covers fewer labels than the other two scorers."


def _from_rules() -> Iterator[Caution]:
    yield (
        "words-tuned-on-synthpai",
        "Our scorer's vocabulary was collected while looking at SynthPAI's guesses.",
        "On other data it understands fewer answers, above all occupations, and counts the rest as wrong.",
    )


def _is(number: int) -> str:
    return "is" if number == 1 else "are"
