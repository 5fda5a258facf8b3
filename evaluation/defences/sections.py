"""Sections of a report on defences, built from its JSON. A defence that is incomplete has no scores."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from annotator.charts.scatter import scatter
from annotator.core.formatting import number, plural
from evaluation.inference.answer_sections import cost_section
from evaluation.inference.records import ATTRIBUTES
from evaluation.inference.score_sections import share_of, shown
from evaluation.reports.figures import Figure
from evaluation.reports.file_sections import p_cell
from evaluation.reports.tables import (
    Cell,
    Column,
    Row,
    Section,
    Side,
    Table,
    count_cell,
    percent_cell,
    points_cell,
    table,
)

Json = Mapping[str, Any]

PICTURE_AXES = ("Text kept (ROUGE-L)", "Protection (collective rate)")
PICTURE_SIZE = (1120, 400)  # as wide as the page, so that letters keep their size
PICTURE_NOTE = (
    "Up: the attacker infers less. Right: more of the text is left. A defence is worth its price only if it stands "
    "above the random control, which masks as many characters anywhere."
)
OVERVIEW_NOTE = (
    "The same attack on the same profiles, by the same scorer. Change: defended minus undefended, in points of "
    "percent, paired over profiles. Protection: what the first guess did not infer."
)
GROUP_NOTE = "Right on the first guess. Beside each share: its change against no defence, in percentage points."
LINKAGE_NOTE = (
    "Can a defended profile be matched to its original by its words alone? The nearest of {candidates} by TF-IDF, and "
    "whether the original is among the ten nearest."
)
POPULATION_NOTE = (
    "A model, not a fact. How many people of the population table share what the attacker inferred correctly; the "
    "risk is 1 ÷ that number. The table may not describe the people who wrote these comments."
)
UTILITY_NOTE = (
    "How much of the original is left, and whether a classifier that was trained on originals still recognises the "
    "subreddit of a comment. It is never tested on a profile that it has seen."
)
REWRITING_NOTE = (
    "Where the model left a comment out, refused, answered with something unrelated or changed nothing, the original "
    "stays: that is what somebody who relies on this defence would publish."
)
STILL_NOTE = "Labels that were inferred before the defence, and how many of them still are after it."


def defence_sections(report: Json) -> list[Section]:
    return [section for build in BUILDERS if (section := build(report))]


def complete_defences(report: Json) -> list[Json]:
    return [row for row in report["defences"] if row["state"] == "complete"]


def _picture(report: Json) -> Section:
    points = [
        (Figure.of(_part(row, "utility", "rouge_l")).estimate(row["title"]),
         Figure.of(_part(row, "protection", "collective")).estimate(row["title"]))
        for row in report["defences"]
    ]  # fmt: skip
    chart = scatter("Protection against text kept, with 95 % intervals", points, axes=PICTURE_AXES, size=PICTURE_SIZE)
    return Section("picture", "Privacy against utility", PICTURE_NOTE, scatter=chart, side=Side.WIDE)


def _part(row: Json, *names: str) -> Any:
    """None for a defence without scores."""
    value: Any = row
    for name in names:
        value = (value or {}).get(name)
    return value


def _overview(report: Json) -> Section:
    rows = [(_head(row), _overview_cells(row)) for row in report["defences"]]
    columns = (
        "Right on first guess", "Change", "p, randomisation", "Collective rate", "Individual rate",
        "Text kept (ROUGE-L)",
    )  # fmt: skip
    tables = (table("Defence", columns, rows, main=_head(report["defences"][0])),)
    return Section("defences", "All defences", OVERVIEW_NOTE, tables, side=Side.WIDE)


def _head(row: Json) -> str:
    is_complete = row["state"] == "complete"
    return row["title"] if is_complete else f"{row['title']} (incomplete: no scores)"


def _overview_cells(row: Json) -> list[Cell]:
    return [
        percent_cell(_part(row, "scores", "intervals", "top1")),
        points_cell(_part(row, "difference", "top1")),
        p_cell(_part(row, "difference", "p_randomisation")),
        percent_cell(_part(row, "protection", "collective")),
        percent_cell(_part(row, "protection", "individual"), with_interval=False),
        percent_cell(_part(row, "utility", "rouge_l"), with_interval=False),
    ]


def _by_attribute(report: Json) -> Section | None:
    return _group_section(report, "by_attribute", "By attribute, before and after", shown)


def _by_hardness(report: Json) -> Section | None:
    return _group_section(report, "by_hardness", "By hardness, before and after", "Hardness {}".format)


def _group_section(report: Json, key: str, title: str, name_of: Callable[[str], str]) -> Section | None:
    """A column for each group, because there are up to sixteen defences."""
    defences = complete_defences(report)
    groups = sorted((_part(defences[0], "scores", key) or {}).items(), key=_group_order)
    rows = [("Labels", [count_cell(group["n"]) for _, group in groups])]
    rows += [(row["title"], [_group_cell(row, key, name) for name, _ in groups]) for row in defences]
    tables = (table("Defence", [name_of(name) for name, _ in groups], rows),)
    return Section(key.replace("_", "-"), title, GROUP_NOTE, tables, side=Side.WIDE) if groups else None


def _group_order(group: tuple[str, Json]) -> tuple[int, str]:
    """Attributes as everywhere else; Postgres doesn't keep their order."""
    name = group[0]
    return (ATTRIBUTES.index(name) if name in ATTRIBUTES else len(ATTRIBUTES)), name


def _group_cell(row: Json, key: str, name: str) -> Cell:
    score = percent_cell(_part(row, "scores", key, name, "top1"), with_interval=False)
    change = points_cell(_part(row, "difference", key, name))
    return Cell(score.text, change.text if row["difference"] else "", change.detail or score.title)


def _linkage(report: Json) -> Section:
    defences = complete_defences(report)
    rows = [
        (row["title"], [percent_cell(row["linkage"]["top1"]), percent_cell(row["linkage"]["top10"])])
        for row in defences
    ]
    note = LINKAGE_NOTE.format(candidates=plural(defences[0]["linkage"]["candidates"], "profile"))
    return Section("linkage", "Linkage to the original", note, (table("Defence", ("Nearest", "Top 10"), rows),))


def _groups(report: Json) -> Section | None:
    rows = [(row["title"], _risk_cells(row["groups"])) for row in complete_defences(report) if row["groups"]]
    columns = ("Median group", "Alone", "5 or fewer", "Mean risk", "No group")
    tables = (table("Defence", columns, rows),)
    title = "Group size: a model, not a fact"
    return Section("groups", title, POPULATION_NOTE, tables, side=Side.WIDE) if rows else None


def _risk_cells(groups: Json) -> list[Cell]:
    shares = [percent_cell(groups[name]) for name in ("at_most_1", "at_most_5", "mean_risk")]
    return [count_cell(groups["median"]), *shares, count_cell(groups["unmatched"])]


def _utility(report: Json) -> Section:
    defences = complete_defences(report)
    classifier = defences[0]["utility"]["classifier"]
    names = ("characters", "words", "rouge_l")
    rows = [
        (row["title"], [*(percent_cell(row["utility"][name]) for name in names),
                        percent_cell(_part(row, "utility", "classifier", "after"))])
        for row in defences
    ]  # fmt: skip
    remark = (
        f"Classifier: {plural(classifier['classes'], 'subreddit')}, {plural(classifier['comments'], 'comment')}."
        if classifier
        else "No classifier: too few subreddits have enough profiles."
    )
    columns = ("Characters kept", "Words kept", "ROUGE-L", "Subreddit recognised")
    return Section(
        "utility", "What is left of the text", UTILITY_NOTE, (table("Defence", columns, rows),), side=Side.WIDE,
        remarks=(remark,),
    )  # fmt: skip


def _changed(report: Json) -> Section:
    rows = [(row["title"], _changed_cells(row["changed"])) for row in complete_defences(report)]
    columns = ("Profiles", "Comments", "Spans", "Characters")
    return Section("changed", "What was changed", "", (table("Defence", columns, rows),), side=Side.LEFT)


def _changed_cells(changed: Json) -> list[Cell]:
    comments = share_of(changed["comments"], changed["of_comments"])
    others = [count_cell(changed[name]) for name in ("spans", "characters")]
    return [count_cell(changed["profiles"]), comments, *others]


def _still(report: Json) -> Section:
    rows = [
        (row["title"], [count_cell(row["still_inferable"]["of"]),
                        share_of(row["still_inferable"]["n"], row["still_inferable"]["of"])])
        for row in complete_defences(report)[1:]
    ]  # fmt: skip
    columns = ("Inferred before", "Still inferred")
    tables = (table("Defence", columns, rows),) if rows else ()
    return Section("still-inferable", "What is still inferable", STILL_NOTE, tables, side=Side.RIGHT)


def _rewriting(report: Json) -> Section | None:
    names = ("rewritten", "missing", "refused", "unrelated", "unchanged", "kept_original")
    rows = [
        (row["title"], [count_cell(row["rewriting"].get(name)) for name in names])
        for row in complete_defences(report)
        if row["rewriting"]
    ]
    columns = ("Rewritten", "Missing", "Refused", "Unrelated", "Unchanged", "Original kept")
    tables = (table("Defence", columns, rows),)
    return Section("rewriting", "Rewritten comments", REWRITING_NOTE, tables, side=Side.WIDE) if rows else None


def _threat(report: Json) -> Section:
    rows = tuple(Row(name, (Cell(text),)) for name, text in _threat_rows(report["threat"]) if text)
    columns = (Column("Attacker", is_number=False), Column("In this run", is_number=False))
    note = (
        "These numbers hold for this attacker only. "
        "A stronger model, a search engine or knowledge of the defence may do better."
    )
    return Section("threat", "Threat model", note, (Table(columns, rows),), side=Side.WIDE)


def _threat_rows(threat: Json) -> Iterator[tuple[str, str]]:
    yield "Model", threat["attacker"]
    yield "Kind", "A baseline, without a language model" if threat["kind"] == "baseline" else "A language model"
    yield "Sees", ", ".join(threat["sees"])
    yield "Tools", threat["tools"]
    yield "Prompt", threat["prompt"]
    yield "Rewritten by", threat.get("rewriter", "")
    yield "Knows the defence", "yes" if threat["knows_defence"] else "no"


BUILDERS: Sequence[Callable[[Json], Section | None]] = (
    _picture, _overview, _by_attribute, _by_hardness, _linkage, _still, _changed, _groups, _utility, _rewriting,
    cost_section, _threat,
)  # fmt: skip


def facts_of(report: Json) -> list[str]:
    """What was measured, in a line."""
    gold, complete = report["gold"], complete_defences(report)
    return [
        report["threat"]["attacker"],
        f"gold: {plural(gold['profiles'], 'profile')}, {plural(gold['labels'], 'label')}",
        f"{number(len(complete))} of {plural(len(report['defences']), 'version')} of the texts attacked",
    ]
