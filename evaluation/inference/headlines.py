"""The few numbers of an attribute report that matter first."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotator.core.formatting import number, percent, plural
from evaluation.inference.answers import NEVER_ASKED
from evaluation.reports.figures import Figure
from evaluation.reports.headlines import Headline

THOUSAND = 1000
JUDGED = "First guess, with a judge"

Json = Mapping[str, Any]


def build_headlines(model: Json) -> list[dict[str, Any]]:
    """Of one model, as they are stored with a run."""
    return [headline.as_json() for headline in _headlines(model)]


def _headlines(model: Json) -> Iterator[Headline]:
    intervals, negatives = model["sound"]["intervals"], model["negatives"]
    yield Headline("Right on the first guess", Figure.of(intervals["top1"]), _ceiling(model), is_share=True)
    yield Headline("Right within three guesses", Figure.of(intervals["top3"]), is_share=True)
    yield from _judged(model.get("judged"))
    guessed = Figure.of(negatives["interval"]) if negatives else Figure(None, reason=_short(NEVER_ASKED))
    yield Headline("Guessed where people could not tell", guessed, _asked(negatives), is_share=True)
    yield Headline("Refused or unreadable", Figure.of(model["answer_rates"]["unread"]), is_share=True)
    yield Headline("Calibration error (ECE)", _short_reason(model["calibration"]["ece"]), _stated(model["calibration"]))
    yield from _cost(model["costs"])


def _judged(judged: Json | None) -> Iterator[Headline]:
    if judged:
        yield Headline(JUDGED, Figure.of(judged["intervals"]["top1"]), judged["judge"]["model"], is_share=True)


def _ceiling(model: Json) -> str:
    ceiling = model["ceiling"]
    value = ceiling["top1"]["value"] if ceiling else None
    return "" if value is None else f"people: {percent(value)}, n = {number(ceiling['n'])}"


def _asked(negatives: Json | None) -> str:
    return plural(negatives["asked"], "attribute") if negatives else ""


def _stated(calibration: Json) -> str:
    stated = calibration["stated"]
    return f"{number(stated)} of {plural(calibration['predictions'], 'guess', 'guesses')}" if stated else ""


def _cost(costs: Json | None) -> Iterator[Headline]:
    """Per 1,000 profiles, because one profile costs too little to be read."""
    model = (costs or {}).get("model")
    if model and model["cost"] is not None:
        cost = Figure(THOUSAND * model["per_profile"]["cost"])
        yield Headline(f"Cost per 1,000 profiles, {model['currency']}", cost, f"{model['cost']:.2f} for this run")


def _short_reason(estimate: Json) -> Figure:
    figure = Figure.of(estimate)
    return Figure(figure.value, figure.low, figure.high, _short(figure.reason))


def _short(reason: str) -> str:
    return reason.partition(":")[0]
