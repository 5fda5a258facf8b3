"""What two stored reports on defences add to the page that compares them: every defence that either has."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evaluation.defences.sections import complete_defences
from evaluation.models import EvaluationRun
from evaluation.reports.comparison import ComparedTable, table_of
from evaluation.reports.figures import Figure

Json = Mapping[str, Any]

MEASURES: Mapping[str, Callable[[Json], Any]] = {
    "Right on the first guess": lambda row: row["scores"]["intervals"]["top1"],
    "Collective protection rate": lambda row: row["protection"]["collective"],
    "Individual protection rate": lambda row: row["protection"]["individual"],
    "Linked to the original": lambda row: row["linkage"]["top1"],
    "Text kept (ROUGE-L)": lambda row: row["utility"]["rouge_l"],
}


def compare_runs(first: EvaluationRun, second: EvaluationRun) -> Sequence[ComparedTable]:
    """0 queries."""
    tables = [table_of(title, _figures(first, read), _figures(second, read)) for title, read in MEASURES.items()]
    return [table for table in tables if table.rows]


def _figures(run: EvaluationRun, read: Callable[[Json], Any]) -> dict[str, tuple[Figure, bool]]:
    return {row["title"]: (Figure.of(read(row)), True) for row in complete_defences(run.report)}
