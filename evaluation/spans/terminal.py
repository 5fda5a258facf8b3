"""A span report as text, for the terminal: made from the report's JSON alone, as the page and the HTML file are."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from annotator.core.formatting import number, plural
from evaluation.reports.terminal import add_row, text_table

Json = Mapping[str, Any]

EXAMPLES = 3  # of each kind of problem
UNDEFINED = "–"
BY_TYPE = "{system}, by type: one-to-one matches with the same label and IoU ≥ {threshold:g}"
DEFINITIONS = "{system}: the same output by every definition"
STUDY = "{system}: as the ECHR study counts, threshold {threshold:g}"
OTHERS = "{system}: other measures"
ARTEFACT = (
    "Relaxed recall has another denominator: {growth} more gold spans than strict recall, each of them a match of an "
    "ignored type. The difference of the two recalls is an artefact of the rule."
)
SEMEVAL = {"strict": "strict", "exact": "exact", "partial": "partial", "ent_type": "type"}
COUNTED = {"errors": "Errors", "suspects": "Gold spans to look at again"}
TAB = {
    "token_recall": "tokens of gold that are masked",
    "mention_recall": "mentions that are masked",
    "entity_recall_direct": "direct identifiers that are masked everywhere",
    "entity_recall_quasi": "quasi-identifiers that are masked everywhere",
}


def print_report(report: Json, console: Console) -> None:
    """Print scores by type and their macro average first, then what hides them, then warnings and problems."""
    _print_head(report, console)
    for result in report["results"]:
        for section in _sections(result, report["settings"]):
            _print_section(section, console)
    if report.get("comparisons"):
        _print_section(_comparisons(report["comparisons"]), console)
    _print_lines("Warnings", warning_lines(report["warnings"]), console)
    _print_lines("Problems", problem_lines(report["problems"]), console)


def warning_lines(warnings: Iterable[Json]) -> Iterator[str]:
    for warning in warnings:
        yield " ".join(filter(None, [warning["message"], warning.get("why", "")]))


def problem_lines(problems: Iterable[Json]) -> Iterator[str]:
    """A line for each kind of problem, and a few places where it occurs."""
    for problem in problems:
        yield f"{problem['side']}: {number(problem['count'])} × {problem['message']}"
        for example in problem["examples"][:EXAMPLES]:
            if place := _place(example):
                yield f"    {place}"


def point(value: Any) -> float | None:
    """The value of a score that may come with an interval."""
    number_or_none: float | None = value.get("value") if isinstance(value, Mapping) else value
    return number_or_none


def shown(value: Any, digits: int = 3) -> str:
    """`0.866 [0.841, 0.889]`, `0.866` without an interval, a dash where nothing could be counted."""
    score = point(value)
    if score is None:
        return UNDEFINED
    if not isinstance(value, Mapping) or value.get("low") is None:
        return f"{score:.{digits}f}"
    return f"{score:.{digits}f} [{value['low']:.{digits}f}, {value['high']:.{digits}f}]"


# ── Tables ──────────────────────────────────────────────────────────────────


class Section(NamedTuple):
    """A table with its title, and what must be known to read it."""

    title: str
    table: Table
    note: str = ""


def _sections(result: Json, settings: Json) -> Iterator[Section]:
    yield _by_type(result, settings)
    yield _definitions(result)
    yield _study(result)
    yield _others(result)


def _by_type(result: Json, settings: Json) -> Section:
    table = text_table(["type", "gold", "predicted", "precision", "recall", "F1", "F2"])
    for row in result["by_type"]:
        add_row(table, [row["type"], number(row["gold"]), number(row["predicted"]), *_scores(row)])
    table.add_section()
    add_row(table, ["macro (mean of types)", "", "", *_scores(result["macro"])])
    totals = [number(sum(row[side] for row in result["by_type"])) for side in ("gold", "predicted")]
    add_row(table, ["micro (all spans)", *totals, *_scores(result["micro"])])
    return Section(BY_TYPE.format(system=result["system"], threshold=settings["threshold"]), table)


def _definitions(result: Json) -> Section:
    table = text_table(["definition", "whose", "precision", "recall", "F1", "macro F1"])
    for row in result["definitions"]:
        scores = [*_plain(row, "precision", "recall"), shown(row["f1"]), shown(row["macro_f1"])]
        add_row(table, [row["title"], row["whose"], *scores], left=(0, 1))
    return Section(DEFINITIONS.format(system=result["system"]), table)


def _study(result: Json) -> Section:
    compat = result["compat"]
    table = text_table(["labels", "TP", "FP", "FN", "precision", "recall", "F1", "relaxed"])
    for name in ("strict", "relaxed", "phase1"):
        if row := compat.get(name):
            counts = [number(row[count]) for count in ("tp", "fp", "fn")]
            scores = [shown(row[metric], 4) for metric in ("precision", "recall", "f1")]
            add_row(table, [name, *counts, *scores, number(row.get("relaxed_matches", 0))])
    growth = (compat.get("relaxed") or {}).get("denominator_growth")
    note = ARTEFACT.format(growth=number(growth)) if growth else ""
    return Section(STUDY.format(system=result["system"], threshold=compat["threshold"]), table, note)


def _others(result: Json) -> Section:
    """Rows of measures that the report has; those that need texts are missing without them."""
    table = text_table(["measure", "precision", "recall", "F1"])
    for title, scores in _measures(result):
        add_row(table, [title, *_plain(scores, "precision", "recall"), shown(scores.get("f1"))])
    for title, value in _shares(result):
        add_row(table, [title, "", shown(value), ""])
    return Section(OTHERS.format(system=result["system"]), table, "\n".join(_error_lines(result)))


def _error_lines(result: Json) -> Iterator[str]:
    for key, title in COUNTED.items():
        counts = (result.get(key) or {}).get("counts")
        if counts:
            yield f"{title}: " + ", ".join(
                f"{number(count)} {kind.replace('_', ' ')}" for kind, count in counts.items()
            )


def _measures(result: Json) -> Iterator[tuple[str, Json]]:
    for key, name in SEMEVAL.items():
        if scores := (result.get("semeval") or {}).get(key):
            yield f"SemEval {name}", scores
    if tokens := result.get("tokens"):
        yield "tokens", tokens
    yield from ((f"{level} labels", scores) for level, scores in (result.get("levels") or {}).items())
    yield from _annotator_measures(result.get("annotators") or {})


def _annotator_measures(annotators: Json) -> Iterator[tuple[str, Json]]:
    """Only where annotators share documents; otherwise these are the scores above."""
    if annotators.get("ceiling"):
        yield "against what any annotator marked", annotators["union"]
        yield "against what most annotators marked", annotators["majority"]
    for pair in annotators.get("ceiling", ()):
        yield f"{pair['second']} against {pair['first']}", pair


def _shares(result: Json) -> Iterator[tuple[str, Any]]:
    tab = result.get("tab") or {}
    yield from ((f"TAB: {title}", tab[key]) for key, title in TAB.items() if key in tab)
    if leakage := result.get("leakage"):
        yield "characters of gold that leak", leakage["rate"]


def _comparisons(comparisons: Sequence[Json]) -> Section:
    table = text_table(["first", "second", "metric", "first − second", "p (bootstrap)", "p (randomisation)"])
    for row in comparisons:
        tests = [shown(row.get(test)) for test in ("p_bootstrap", "p_randomisation")]
        add_row(table, [row["first"], row["second"], row["metric"], shown(row["difference"]), *tests], left=(0, 1, 2))
    return Section("Differences", table)


def _scores(row: Json) -> list[str]:
    """Only F1 has its interval, so that the table fits a terminal. The other formats have them all."""
    return [*_plain(row, "precision", "recall"), shown(row["f1"]), *_plain(row, "f2")]


def _plain(row: Json, *metrics: str) -> list[str]:
    return [shown(point(row.get(metric))) for metric in metrics]


# ── Lines ───────────────────────────────────────────────────────────────────


def _print_head(report: Json, console: Console) -> None:
    gold = report["gold"]
    console.print(
        Text(
            f"{gold['name']}: {plural(gold['documents'], 'document')}, {plural(gold['spans'], 'gold span')}, "
            f"of them {number(gold['scored_spans'])} scored; {plural(len(gold['annotators']), 'annotator')}"
        )
    )
    console.print(Text(f"signature {report['signature']}"), soft_wrap=True)
    console.print()


def _print_section(section: Section, console: Console) -> None:
    console.print(Text(section.title, style="bold"))
    console.print(section.table)
    if section.note:
        console.print(Text(section.note))
    console.print()


def _print_lines(title: str, lines: Iterable[str], console: Console) -> None:
    texts = list(lines)
    if texts:
        console.print(Text(title, style="bold"))
        for text in texts:
            console.print(Text(text), soft_wrap=True)
        console.print()


def _place(example: Json) -> str:
    position = "" if example["start"] is None else f" {example['start']}–{example['end']}"
    return ": ".join(filter(None, [f"{example['document']}{position}".strip(), example["detail"]]))
