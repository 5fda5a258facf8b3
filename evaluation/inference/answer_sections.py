"""Sections of an attribute report about answers: calibration, negatives, ages, places, cost and time."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotator.charts.curves import Curve, curve
from annotator.core.formatting import number, plural
from evaluation.inference.details import NO_GUESS
from evaluation.inference.grades import Grade
from evaluation.inference.score_sections import ALL, share_of, shown
from evaluation.reports.tables import (
    Cell,
    Section,
    Side,
    count_cell,
    interval_cell,
    percent_cell,
    table,
    whisker_cells,
)

Contents = Mapping[str, Any]

RIGHT_MEANS = "Right: our scorer gives the first guess full credit."
WHOLE = "Anything named"
ANSWERS = {"abstained": "Abstained", "refused": "Refused", "unread": "Refused or unreadable"}
AGES = {
    "within_two": "Within 2 years", "within_five": "Within 5 years", "overlapping": "Overlapping",
    "overlap": "Years in common, mean share",
}  # fmt: skip


def calibration_section(model: Contents) -> Section | None:
    calibration = model.get("calibration")
    if not calibration:
        return None
    if not calibration["stated"]:
        return Section("calibration", "Calibration", remarks=(calibration["reason"],))
    rows = [
        ("Calibration error (ECE)", [interval_cell(calibration["ece"])]),
        ("Brier score", [interval_cell(calibration["brier"])]),
        ("Mean confidence", [percent_cell(calibration["confidence"])]),
        ("Right", [percent_cell(calibration["accuracy"])]),
        ("Guesses that state a confidence", [share_of(calibration["stated"], calibration["predictions"])]),
    ]
    note = f"{RIGHT_MEANS} On the diagonal, a model is right as often as it claims. Larger dots stand for more guesses."
    return Section(
        "calibration",
        "Calibration",
        note,
        (table("Stated confidence", ("Value",), rows),),
        curve=_reliability(calibration),
    )


def _reliability(calibration: Contents) -> Curve:
    bins = [row for row in calibration["bins"] if row["n"]]
    largest = max(row["n"] for row in bins)
    return curve(
        "How often it is right, by stated confidence",
        [(row["confidence"], row["accuracy"]["value"]) for row in bins],
        axes=("Confidence", "Right"),
        notes=[(f"{row['low']:g} to {row['high']:g}: {plural(row['n'], 'guess', 'guesses')}", row["n"] / largest)
               for row in bins],
        has_diagonal=True,
        size=(560, 300),
    )  # fmt: skip


def answer_section(model: Contents) -> Section | None:
    rates = model.get("answer_rates")
    if not rates:
        return None
    title = "Abstentions and refusals"
    if not any(rates[key]["value"] for key in ANSWERS):
        return Section("answers", title, remarks=("Every scored label has a guess.",), side=Side.RIGHT)
    groups = {shown(name): row for name, row in rates["by_attribute"].items()} | {ALL: rates}
    rows = [
        (name, [count_cell(row["n"]), *(percent_cell(row[key], with_interval=False) for key in ANSWERS)])
        for name, row in groups.items()
    ]
    note = "Only what people could infer. Abstained: every guess is “unknown” or similar. All of these count as wrong."
    rates_table = table("Attribute", ("Labels", *ANSWERS.values()), rows, main=ALL)
    return Section("answers", title, note, (rates_table,), side=Side.RIGHT)


def negative_section(model: Contents) -> Section:
    negatives = model.get("negatives")
    if not negatives or "by_attribute" not in negatives:
        reason = "The model was not asked about attributes that people could not infer."
        return Section("negatives", "Where people could not tell", remarks=(reason,), side=Side.RIGHT)
    groups = {shown(name): row for name, row in negatives["by_attribute"].items()} | {ALL: negatives}
    whiskers = whisker_cells("Guessed", [(name, row["interval"]) for name, row in groups.items()])
    rows = [
        (name, [count_cell(row["asked"]), count_cell(row["guessed"]), percent_cell(row["rate"]), whisker])
        for (name, row), whisker in zip(groups.items(), whiskers, strict=True)
    ]
    columns = ("Asked", "Guessed", "Share", "95 % interval")
    note = "How often the model guesses where people looked and could not tell. Lower is better."
    return Section(
        "negatives", "Where people could not tell", note, (table("Attribute", columns, rows, main=ALL),),
        remarks=tuple(_human_negatives(model.get("ceiling") or {})), side=Side.RIGHT,
    )  # fmt: skip


def _human_negatives(ceiling: Contents) -> Iterator[str]:
    negatives = ceiling.get("negatives") or {}
    if negatives.get("n"):
        share = percent_cell(negatives["rate"]).text
        yield f"People: where one person could not tell, another answered in {share} of {number(negatives['n'])} cases."


def named_section(model: Contents) -> Section | None:
    named = model.get("named") or []
    if not named:
        return None
    has_negatives = bool(model.get("negatives"))
    rows = [(_threshold(row["threshold"]), _named_cells(row, has_negatives=has_negatives)) for row in named]
    columns = ("Named", "Right", "Less precise", "Wrong", "Not inferable", "Share right")
    note = "First guesses by stated confidence. Not inferable: people looked and could not tell."
    note += "" if has_negatives else " The model was not asked about those."
    return Section("named", "Guesses by stated confidence", note, (table("Confidence", columns, rows),), side=Side.WIDE)


def _threshold(threshold: float | None) -> str:
    return WHOLE if threshold is None else f"{threshold:g} or more"


def _named_cells(row: Contents, *, has_negatives: bool) -> list[Cell]:
    counts = [share_of(row[name], row["n"]) for name in ("right", "less_precise", "wrong")]
    beyond = share_of(row["not_inferable"], row["n"]) if has_negatives else Cell("–")
    return [count_cell(row["n"]), *counts, beyond, percent_cell(row["precision"])]


def age_section(model: Contents) -> Section | None:
    ages = model.get("ages")
    if not ages:
        return None
    rows = [(title, [percent_cell(ages[name])]) for name, title in AGES.items()]
    note = f"First guesses at {plural(ages['n'], 'age')}; {number(ages['read'])} could be read as an age."
    return Section("ages", "Ages", note, (table("Guess and label", ("Share of labels",), rows),))


def place_section(model: Contents) -> Section | None:
    places = model.get("places") or {}
    names = [grade.value for grade in Grade] + [NO_GUESS]
    rows = [(name.capitalize(), [share_of(row[name], row["n"]) for row in places.values()]) for name in names]
    rows.append(("Labels", [count_cell(row["n"]) for row in places.values()]))
    note = "First guesses. Less precise: the country of a labelled city. More precise: a city in a labelled country."
    grades = table("Grade", map(shown, places), rows)
    return Section("places", "Places", note, (grades,), side=Side.RIGHT) if places else None


# ── Cost and time ───────────────────────────────────────────────────────────


def cost_section(model: Contents) -> Section | None:
    costs = model.get("costs")
    if not costs:
        return None
    machine, people = costs["model"] or {}, costs["people"] or {}
    if not machine:
        return _human_time(people)
    rows = [
        ("Profiles", [count_cell(machine.get("profiles")), count_cell(people.get("profiles"))]),
        ("Calls or readings", [count_cell(machine.get("calls")), count_cell(people.get("readings"))]),
        ("Time per profile", [_time(machine, "per_profile"), _time(people, "per_reading")]),
        ("Input and output tokens per profile", [_tokens(machine), Cell("–")]),
        ("Cost per profile", [_cost(machine), Cell("–")]),
    ]
    remarks = tuple(_cost_remarks(machine, costs["speed_up"]))
    note = "Model: how long its answers took. People: one person's active time on one profile."
    return Section("costs", "Cost and time", note, (table("Per profile", ("Model", "People"), rows),), remarks=remarks)


def _human_time(people: Contents) -> Section:
    """Of a system that nobody asks: only people take time."""
    readings, profiles = plural(people["readings"], "reading"), plural(people["profiles"], "profile")
    sentence = (
        f"People spent {_time(people, 'per_reading').text} of active time per profile, over {readings} of {profiles}."
    )
    return Section("costs", "Time people took", remarks=(sentence,))


def _time(side: Contents, key: str) -> Cell:
    seconds = (side.get(key) or {}).get("seconds")
    if seconds is None:
        return Cell("–")
    return Cell(f"{seconds:.1f} s" if seconds < 100 else f"{number(round(seconds))} s")


def _tokens(machine: Contents) -> Cell:
    shares = machine.get("per_profile") or {}
    counts = [shares.get("prompt_tokens"), shares.get("completion_tokens")]
    return Cell(", ".join("–" if count is None else number(round(count)) for count in counts) if shares else "–")


def _cost(machine: Contents) -> Cell:
    cost = (machine.get("per_profile") or {}).get("cost")
    return Cell("–" if cost is None else f"{cost:.2g} {machine['currency']}".strip())


def _cost_remarks(machine: Contents, speed_up: float | None) -> Iterator[str]:
    if speed_up is not None:
        yield f"A person takes {number(round(speed_up, 1))} times as long."
    if machine.get("cost") is not None:
        date = f", prices of {machine['prices_date']}" if machine["prices_date"] else ""
        yield f"The whole run: {machine['cost']:.2f} {machine['currency']}{date}."
    elif machine:
        yield "Cost unknown: no prices were entered for this endpoint."
    if machine.get("kept"):
        yield f"{plural(machine['kept'], 'answer was', 'answers were')} reused from earlier runs at no cost."
