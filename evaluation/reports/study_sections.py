"""Sections with the measures of other studies: the ECHR study, SemEval, the Text Anonymization Benchmark."""

from collections.abc import Mapping
from typing import Any

from annotator.core.formatting import plural
from evaluation.reports.tables import SCORES, Cell, Section, Side, count_cell, interval_cell, score_cells, table

Contents = Mapping[str, Any]

SEMEVAL = {
    "strict": "Strict: span and type", "exact": "Exact: span", "partial": "Partial: overlap",
    "ent_type": "Type: overlap and type",
}  # fmt: skip
TAB = {
    "token_recall": "Token recall", "mention_recall": "Mention recall", "entity_recall": "Entity recall",
    "entity_recall_direct": "Entity recall, direct identifiers",
    "entity_recall_quasi": "Entity recall, quasi-identifiers",
    "token_precision": "Token precision", "mention_precision": "Mention precision",
    "weighted_token_precision": "Token precision, weighted by information",
    "weighted_mention_precision": "Mention precision, weighted by information",
}  # fmt: skip


def study_section(result: Contents) -> Section | None:
    compat = result.get("compat") or {}
    names = {"strict": "Strict", "relaxed": "Relaxed: ORG = LOC", "phase1": "First script, exact spans"}
    rows = [
        (name, [count_cell(compat[key][count]) for count in ("tp", "fp", "fn")] + _four_digits(compat[key]))
        for key, name in names.items()
        if compat.get(key)
    ]
    growth = (compat.get("relaxed") or {}).get("denominator_growth")
    note = f"Relaxed recall counts {plural(growth, 'span')} more than strict recall." if growth else ""
    columns = ("TP", "FP", "FN", *SCORES)
    return Section("study", "As the ECHR study counts", note, (table("Rule", columns, rows),)) if rows else None


def semeval_section(result: Contents) -> Section | None:
    semeval = result.get("semeval") or {}
    counts = ("correct", "incorrect", "partial", "missed", "spurious")
    rows = [
        (name, [count_cell(semeval[key][count]) for count in counts] + score_cells(semeval[key]))
        for key, name in SEMEVAL.items()
        if semeval.get(key)
    ]
    columns = (*map(str.capitalize, counts), *SCORES)
    return Section("semeval", "SemEval", "", (table("Scheme", columns, rows),), side=Side.WIDE) if rows else None


def tab_section(result: Contents) -> Section | None:
    tab = result.get("tab")
    if not tab:
        reason = result.get("tab_reason") or ""
        return Section("tab", "Text Anonymization Benchmark", remarks=(reason,)) if reason else None
    rows = [(name, [interval_cell(tab[key])]) for key, name in TAB.items() if tab.get(key) is not None]
    names = ("token_recall", "mention_recall", "entity_recall")
    by_type = [(label, score_cells(scores, names)) for label, scores in (tab.get("by_type") or {}).items()]
    tables = [table("Measure", ("Value",), rows)]
    if by_type:
        tables.append(table("Type", ("Token recall", "Mention recall", "Entity recall"), by_type))
    note = "Masking only: labels don’t count. All types of the gold file."
    return Section("tab", "Text Anonymization Benchmark", note, tuple(tables))


def _four_digits(counts: Contents) -> list[Cell]:
    """As many digits as the study's own table has, so that the two can be compared."""
    values = [counts.get(name) for name in ("precision", "recall", "f1")]
    return [Cell("–" if value is None else f"{value:.4f}") for value in values]
