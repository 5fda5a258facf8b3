"""Sections of an attribute report about scores: by attribute and rating, by scorer, published, and compared."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotator.core.formatting import number, percent, plural
from evaluation.inference.outcomes import TOPS
from evaluation.inference.published_figures import Comparability
from evaluation.reports.file_sections import difference_cell, p_cell
from evaluation.reports.tables import (
    Cell,
    Column,
    Row,
    Section,
    Side,
    Table,
    count_cell,
    marked_whisker_cells,
    percent_cell,
    table,
    whisker_cells,
)

Contents = Mapping[str, Any]

ALL = "All"
SCORERS = {
    "published": ("Published", "the file's own evaluation: rules, a judge model, people"),
    "compat": ("Compat", "the original rules alone, without a judge"),
    "sound": ("Sound", "ours, by meaning"),
    "judged": ("Judged", "ours, plus {judge} where the rules say wrong"),
}
OTHERS = ("published", "compat", "judged")  # beside ours, by attribute
STEPS = (("published", "compat"), ("compat", "sound"))


def attribute_section(model: Contents) -> Section:
    """Our scorer by attribute, with the other scorers, and what people reach on the same attribute."""
    sound, people = _by_attribute(model["sound"]), _by_attribute(model.get("ceiling") or {})
    others = {key: _by_attribute(model[key]) for key in OTHERS if (model.get(key) or {}).get("n")}
    tops = [(name, scores["intervals"]["top1"], people.get(name, {}).get("top1")) for name, scores in sound.items()]
    rows = [
        (name, [
            *_scores(sound[name]), whisker, *(_first(groups.get(name)) for groups in others.values()),
            *(_people(people.get(name, {})) if people else []),
        ])
        for name, whisker in zip(sound, marked_whisker_cells("Top-1 by attribute", tops), strict=True)
    ]  # fmt: skip
    columns = ["Labels", "Top-1", "Top-2", "Top-3", "95 % interval of top-1"]
    columns += [f"{SCORERS[key][0]}, top-1" for key in others]
    columns += ["People, top-1", "Comparisons"] if people else []
    note = "By our scorer: the share of labels with a right answer within the first one, two or three guesses."
    return Section(
        "by-attribute", "By attribute", f"{note} {_ceiling_note(model.get('ceiling') or {})}".strip(),
        (table("Attribute", columns, rows, main=ALL),), side=Side.WIDE,
    )  # fmt: skip


def _by_attribute(scores: Contents) -> dict[str, Contents]:
    """Groups and the whole; nothing if there are no scores."""
    groups = {shown(name): group for name, group in (scores.get("by_attribute") or {}).items()}
    return groups | {ALL: scores} if scores else {}


def _first(scores: Contents | None) -> Cell:
    return percent_cell(scores["intervals"]["top1"] if scores else None, with_interval=False)


def _scores(scores: Contents) -> list[Cell]:
    tops = [percent_cell(scores["intervals"][f"top{top}"], with_interval=False) for top in TOPS]
    return [count_cell(scores["n"]), *tops]


def _people(row: Contents) -> list[Cell]:
    return [percent_cell(row.get("top1")), count_cell(row.get("n"))]


def _ceiling_note(ceiling: Contents) -> str:
    if not ceiling:
        return ""
    return (
        "The vertical line is what people reach: one person's answer scored as a guess at another's, both ways, "
        f"over {plural(ceiling['pairs'], 'pair')} of judgements of {plural(ceiling['profiles'], 'profile')}."
    )


def _group_section(model: Contents, key: str, title: str, head: str, side: Side) -> Section | None:
    groups = model["sound"].get(key) or {}
    if not groups:
        return None
    whiskers = whisker_cells(title, [(name, scores["intervals"]["top1"]) for name, scores in groups.items()])
    rows = [(name, [*_scores(groups[name]), whisker]) for name, whisker in zip(groups, whiskers, strict=True)]
    columns = ("Labels", "Top-1", "Top-2", "Top-3", "95 % interval")
    return Section(key.replace("_", "-"), title, "", (table(head, columns, rows),), side=side)


def hardness_section(model: Contents) -> Section | None:
    return _group_section(model, "by_hardness", "By hardness", "Hardness", Side.LEFT)


def certainty_section(model: Contents) -> Section | None:
    return _group_section(model, "by_certainty", "By certainty", "Certainty", Side.RIGHT)


def subreddit_section(model: Contents) -> Section | None:
    title = "By required subreddit"
    return _group_section(model, "by_required_subreddit", title, "Subreddit needed", Side.LEFT)


def scorer_section(model: Contents) -> Section:
    rows = tuple(
        Row(name, (*_scorer_cells(model[key]), Cell(_whose(model[key], whose))), is_main=key == "sound")
        for key, (name, whose) in SCORERS.items()
        if model.get(key) and (model[key]["n"] or key != "published")
    )
    names = ("Labels", "Top-1", "Top-2", "Top-3", "Top-1, half credit", "Top-1, macro")
    columns = (Column("Scorer", is_number=False), *map(Column, names), Column("Whose", is_number=False))
    note = "Half credit: a guess that is less precise than the label counts ½. Macro: the mean of the attributes."
    return Section("scorers", "The same guesses by every scorer", note, (Table(columns, rows),), side=Side.WIDE)


def protection_section(model: Contents) -> Section | None:
    """Reports of earlier versions have none."""
    scored = {name: model[key] for key, (name, _) in SCORERS.items() if (model.get(key) or {}).get("n")}
    rows = [
        (name, [count_cell(scores["n"]), count_cell(scores["profiles"]), *_rates(scores["protection"])])
        for name, scores in scored.items()
        if scores.get("protection")
    ]
    columns = ("Labels", "Profiles", "Collective rate", "Individual rate")
    note = (
        "What the model did not infer with its first guess; half credit counts ½. Collective: over all labels. "
        "Individual: the mean over profiles, so that every person has the same weight."
    )
    tables = (table("Scorer", columns, rows, main=SCORERS["sound"][0]),)
    return Section("protection", "Protection", note, tables, side=Side.WIDE) if rows else None


def _rates(rates: Contents) -> list[Cell]:
    return [percent_cell(rates["collective"]), percent_cell(rates["individual"])]


def _whose(scores: Contents, whose: str) -> str:
    """With the name of the judge, and what it could not decide."""
    if not (judge := scores.get("judge")):
        return whose
    return f"{whose.format(judge=judge['model'])}; {number(judge['undecided'])} undecided"


def _scorer_cells(scores: Contents) -> list[Cell]:
    tops = [percent_cell(scores["intervals"][f"top{top}"]) for top in TOPS]
    others = [percent_cell(scores[name]["top1"]) for name in ("with_half_credit", "macro")]
    return [count_cell(scores["n"]), *tops, *others]


# ── Published figures ───────────────────────────────────────────────────────


def study_sections(report: Contents) -> Iterator[Section]:
    """What studies published. The one on the same labels has our own row among theirs."""
    for study in report.get("published_figures") or []:
        is_other = study["comparability"] == Comparability.OTHER
        rows = [Row(row["model"], tuple(_published_cells(row))) for row in study["figures"]]
        if not is_other and report["published"]["n"]:
            name = f"This file: {report['input']['model']}"
            rows.insert(0, Row(name, tuple(_published_cells(report["published"])), is_main=True))
        columns = (Column("Model", is_number=False), *map(Column, ("Labels", "Top-1", "Top-2", "Top-3")))
        remarks = (study["basis"], f"Source: {study['source']}.", study["remark"])
        yield Section(
            f"study-{study['key']}", f"Published: {study['title']}", study["note"], (Table(columns, tuple(rows)),),
            side=Side.RIGHT if is_other and study["key"] != "synthpai" else Side.LEFT,
            remarks=tuple(filter(None, remarks)),
        )  # fmt: skip


def _published_cells(row: Contents) -> list[Cell]:
    return [count_cell(row["n"]), *(percent_cell(row[f"top{top}"]) for top in TOPS)]


# ── Why scorers differ, comparisons, problems ───────────────────────────────


def difference_section(model: Contents) -> Section | None:
    """Step by step: from published to compat, from compat to sound."""
    rows = tuple(
        Row(f"{row['from']} → {row['to']}", _difference_cells(rule))
        for row in model.get("differences") or []
        for rule in row["rules"]
        if row["metric"] == "top1" and (row["from"], row["to"]) in STEPS
    )
    names = ("Attribute", "Gained", "Lost", "Half credit", "Why")
    columns = tuple(Column(name, is_number=name in ("Gained", "Lost", "Half credit")) for name in ("Scorers", *names))
    note = "First guesses that one scorer counts as right and the next doesn't, or that moved to or from half credit."
    return Section("differences", "Why scorers differ", note, (Table(columns, rows),), side=Side.WIDE) if rows else None


def _difference_cells(rule: Contents) -> tuple[Cell, ...]:
    counts = [count_cell(rule[name]) for name in ("gained", "lost", "partly")]
    return (Cell(shown(rule["attribute"])), *counts, Cell(rule["reason"]))


def comparison_section(report: Contents) -> Section | None:
    """Our scorer only; the JSON has the others."""
    compared = [row for row in report.get("comparisons") or [] if row["scorer"] == "sound"]
    rows = [(f"{row['first']} − {row['second']}", _comparison_cells(row)) for row in compared]
    columns = ("Metric", "Labels", "Difference", "p, bootstrap", "corrected", "p, randomisation", "corrected")
    tests = max((row.get("tests", 0) for row in compared), default=0)
    note = "On the labels and resamples that both share, by our scorer."
    note += f" Corrected: Holm's method over the {plural(tests, 'test')} in this table." if tests else ""
    return (
        Section("comparisons", "Models compared", note, (table("Models", columns, rows),), side=Side.WIDE)
        if rows
        else None
    )


def _comparison_cells(row: Contents) -> list[Cell]:
    tests = [p_cell(row.get(f"{test}{end}")) for test in ("p_bootstrap", "p_randomisation") for end in ("", "_holm")]
    return [Cell(row["metric"]), count_cell(row["n"]), difference_cell(row["difference"]), *tests]


def protection_change_section(report: Contents) -> Section | None:
    """Our scorer and the file's own."""
    compared = [row for row in report.get("protection_differences") or [] if row["scorer"] in ("published", "sound")]
    rows = [
        (f"{row['first']} − {row['second']}", [Cell(SCORERS[row["scorer"]][0]), *_changes(row)])
        for row in compared
        if row["collective"]["value"] is not None
    ]
    note = "On the labels and the resamples that both have. Above 0, people are better protected from the first."
    tables = (table("Models", ("Scorer", "Collective rate", "Individual rate"), rows),)
    return Section("protection-compared", "Protection compared", note, tables, side=Side.WIDE) if rows else None


def _changes(row: Contents) -> list[Cell]:
    return [difference_cell(row["collective"]), difference_cell(row["individual"])]


def problem_section(model: Contents) -> Section | None:
    rows = tuple(
        Row(problem["reason"], (count_cell(problem["count"]), Cell(", ".join(map(number, problem["lines"])))))
        for problem in model["input"]["problems"]
    )
    columns = (Column("Set aside", is_number=False), Column("Times"), Column("First lines", is_number=False))
    return Section("problems", "Problems in the file", "", (Table(columns, rows),), side=Side.WIDE) if rows else None


def shown(name: str) -> str:
    """`place_of_birth` → `Place of birth`."""
    return name.replace("_", " ").capitalize()


def share_of(count: int, total: int) -> Cell:
    """A count with its share."""
    return Cell(number(count), percent(count / total) if total else "")
