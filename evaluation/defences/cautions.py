"""What a reader must know before quoting a number of a report on defences."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotator.core.formatting import number, percent, plural
from evaluation.defences.recipes import Method
from evaluation.stats.estimates import MIN_UNITS

FEW_LABELS = 100
FEW_RIGHT = 10  # labels, without a defence
MANY = 0.1  # of the comments

Json = Mapping[str, Any]
Caution = tuple[str, str, str]


def find_cautions(report: Json) -> list[dict[str, str]]:
    """One entry (`key`, `message`, `why`) for each caution that applies, the gravest first."""
    complete = [row for row in report["defences"] if row["state"] == "complete"]
    cautions = [
        *_from_gold(report["gold"]),
        *_from_attack(complete[0], report["gold"]["labels"]),
        *_from_detector(report.get("detector")),
    ]
    cautions += [caution for row in complete for caution in _from_defence(row)]
    cautions += [*_from_choice(complete[1:]), *_from_models(complete)]
    return [dict(zip(("key", "message", "why"), caution, strict=True)) for caution in cautions]


def _from_gold(gold: Json) -> Iterator[Caution]:
    if not gold["labels"]:
        yield "no-labels", "No label passes the filters, so accuracy and protection are unknown.", "Build gold first."
    elif gold["profiles"] < MIN_UNITS:
        few = f"Only {plural(gold['profiles'], 'profile')}: too few for intervals."
        yield "few-profiles", few, "Intervals come from resampling profiles; with only a handful they say little."
    elif gold["labels"] < FEW_LABELS:
        few = f"Only {plural(gold['labels'], 'label')}, so a single answer moves the scores."
        yield "few-labels", few, "Look at the intervals of the differences."


def _from_attack(undefended: Json, labels: int) -> Iterator[Caution]:
    share = undefended["scores"]["intervals"]["top1"]["value"]
    right = round((share or 0) * labels)
    if share == 0:
        yield (
            "attack-finds-nothing",
            "The attack gets no label right, even without a defence.",
            "There was nothing to protect, so this run says nothing about protection. Use a better attacker.",
        )
    elif right and right < FEW_RIGHT:
        yield (
            "attack-finds-little",
            f"The attack gets only {plural(right, 'label')} right, even without a defence.",
            "Only these can be protected, so a single one decides what a defence seems worth. Use a better attacker.",
        )


def _from_detector(detector: Json | None) -> Iterator[Caution]:
    if detector is None:
        return
    if missing := detector["missing_comments"]:
        share = f"{number(missing)} of {plural(detector['of_comments'], 'comment')}"
        message = f"The detector’s file “{detector['name']}” doesn’t mention {share}."
        yield "detector-incomplete", message, "They stay as they were written, as if the detector had found nothing."
    for at, problem in enumerate(detector["problems"], start=1):
        yield f"detector-problem-{at}", f"The detector’s file “{detector['name']}”: {problem}", "The rest was used."


def _from_defence(row: Json) -> Iterator[Caution]:
    if row["key"] == "none":
        return
    if not row["changed"]["comments"]:
        yield (
            f"changes-nothing-{row['key']}",
            f"“{row['title']}” changes no comment.",
            "Its texts are the originals. Other answers to the same texts show how far the model varies by chance.",
        )
    elif row["utility"]["words"]["value"] == 0:
        yield (
            f"changes-everything-{row['key']}",
            f"“{row['title']}” leaves no word of the original.",
            "A text without words protects perfectly and is of no use.",
        )
    elif row["recipe"]["method"] == Method.EVIDENCE and row["changed"]["profiles"] < row["profiles"]:
        spared = plural(row["profiles"] - row["changed"]["profiles"], "profile")
        yield (
            f"no-evidence-{row['key']}",
            f"“{row['title']}” masks nothing in {spared} of {number(row['profiles'])}.",
            "Nobody marked evidence there, so these texts are the originals.",
        )
    yield from _from_rewriting(row)


def _from_rewriting(row: Json) -> Iterator[Caution]:
    counts = row["rewriting"]
    if counts is None:
        return
    kept = counts["kept_original"]
    if kept and kept > MANY * row["changed"]["of_comments"]:
        yield (
            f"kept-originals-{row['key']}",
            f"“{row['title']}” left {percent(kept / row['changed']['of_comments'])} of the comments as they were.",
            "The model left them out, refused, answered with something unrelated, or changed nothing. The original "
            "stays: that is what somebody who relies on this defence would publish.",
        )


def _from_choice(rows: list[Json]) -> Iterator[Caution]:
    """The headlines name the best of several defences."""
    if sum(row["recipe"]["method"] != Method.RANDOM for row in rows) > 1:
        yield (
            "best-is-chosen",
            "The best defence was chosen by the same numbers that are shown for it.",
            "The best of several looks better than it is, partly by luck. To quote it, measure it on other profiles.",
        )


def _from_models(rows: list[Json]) -> Iterator[Caution]:
    if any(row["groups"] for row in rows):
        yield (
            "groups-are-a-model",
            "Group sizes are a model, not a fact.",
            "They assume that the population table describes the right people, that the attacker knows which of its "
            "guesses are right, and that it knows nothing else.",
        )
    candidates = rows[0]["linkage"]["candidates"]
    if candidates < MIN_UNITS:
        few = f"Linkage has only {plural(candidates, 'candidate')}."
        yield "few-candidates", few, "Among so few profiles, a guess is often right by chance."
