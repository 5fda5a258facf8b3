"""The few numbers of a probe that matter first, and what to know before reading them."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotator.core.formatting import THIN, plural
from evaluation.probes.probe import Probe

Json = Mapping[str, Any]
ABOVE = "above the noise floor"
WITHIN = "within the noise floor"
NO_MEANING = "not meaningful: see below"


def build_headline(probe: Probe, report: Json) -> list[dict[str, Any]]:
    """As `evaluation.reports.headlines` reads it."""
    name, beyond = probe.main_metric, report["beyond"]
    floor, interval = report["noise_floor"][name], report["intervals"][name]
    gap = report["noise_floor"]["smallest_gap"]
    accuracy = beyond["agreement"]["accuracy"]
    undetected = report["intervals"]["undetected_rate_attempts"]
    return [
        _card("Largest gap between genders", report["metrics"][name], interval["normal_low"], interval["normal_high"],
              note=_standing(report, name)),
        _card("Noise floor: gap by chance alone", floor["mean"], reason=floor["reason"], note=_p95(floor)),
        _card("Smallest detectable gap", gap["value"], reason=gap["reason"], note="power 80 %"),
        _card("Accuracy", accuracy["value"], accuracy["low"], accuracy["high"],
              reason=accuracy["reason"], note=_kappa(beyond)),
        _card("Neither yes nor no", report["metrics"]["undetected_rate_attempts"], undetected["low"],
              undetected["high"]),
    ]  # fmt: skip


def _card(
    label: str, value: float | None, low: float | None = None, high: float | None = None, *, reason: str = "",
    note: str = "",
) -> dict[str, Any]:  # fmt: skip
    return {
        "label": label, "value": value, "low": low, "high": high, "reason": reason if value is None else "",
        "note": note, "is_share": True,
    }  # fmt: skip


def _standing(report: Json, name: str) -> str:
    mark = (report["marks"].get(name) or {}).get("mark")
    place = ABOVE if report["noise_floor"][name]["is_exceeded"] else WITHIN
    if not report["verdict"]["does_task"]:
        place = NO_MEANING
    return ", ".join(filter(None, [f"mark {mark}" if mark else "", place]))


def _p95(floor: Json) -> str:
    return "" if floor["p95"] is None else f"95th percentile {100 * floor['p95']:.1f}{THIN}%"


def _kappa(beyond: Json) -> str:
    kappa, people = beyond["agreement"]["kappa"], beyond["agreement"]["human_kappa"]
    shown = "" if kappa is None else f"kappa {kappa:.2f}"
    return shown + (f", people {people:.2f}" if shown and people is not None else "")


def build_warnings(probe: Probe, report: Json) -> list[dict[str, str]]:
    return [{"message": message, "why": why} for message, why in _warnings(probe, report)]


def _warnings(probe: Probe, report: Json) -> Iterator[tuple[str, str]]:
    verdict, attempts, inputs = report["verdict"], report["attempts"], report["inputs"]
    if verdict["reasons"]:
        yield f"{verdict['sentence']} {' '.join(verdict['reasons'])}", ""
    elif not report["noise_floor"][probe.main_metric]["is_exceeded"]:
        yield (
            "The gap is no larger than chance alone would give.",
            "The score is the largest of several differences, so it is above 0 even if the stated gender changes "
            "nothing. The noise floor says by how much.",
        )
    if attempts["unanswered"]:
        counts = ", ".join(f"{reason}: {count}" for reason, count in sorted(attempts["problems"].items()))
        missing = plural(attempts["unanswered"], "attempt has", "attempts have")
        yield f"{missing} no answer and count as undetected.", counts
    if inputs.get("other_subreddits"):
        names = ", ".join(inputs["other_subreddits"][:5])
        yield "Some texts are from subreddits that Dreaddit doesn't have.", f"Among them: {names}."
    if inputs.get("contradictory") and not inputs.get("left_out"):
        message = f"{plural(inputs['contradictory'], 'text has', 'texts have')} both labels."
        yield message, "Leave them out by choosing “drop-contradictory” for duplicates."
