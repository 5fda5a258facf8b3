"""What two stored runs add to the page that compares them: by hardness, and paired tests."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from evaluation.inference.comparison import COMPARED, compare
from evaluation.inference.outcomes import Outcomes, build_outcomes
from evaluation.inference.records import Case
from evaluation.inference.settings import RESAMPLES, SEED
from evaluation.inference.stored_cases import paired_credits, stored_label
from evaluation.models import EvaluationRun, InferredCase
from evaluation.reports.comparison import ComparedRow, ComparedTable, table_of
from evaluation.reports.figures import Figure
from evaluation.reports.tables import signed_points
from evaluation.stats.bootstrap import draw_weights
from evaluation.stats.differences import Difference

METRICS = {f"top{top}": f"Top-{top}" for top in (1, 2, 3)} | {
    f"top{top}-half": f"Top-{top} with half credit" for top in (1, 2, 3)
}
PAIRED = "Paired tests on {n} cases that both have"

Contents = Mapping[str, Any]
Stored = Mapping[tuple[str, str], Mapping[str, Any]]  # the contents of cases by profile and attribute


def compare_runs(first: EvaluationRun, second: EvaluationRun) -> Sequence[ComparedTable]:
    """2 queries if both runs are on the same gold."""
    table = table_of("Top-1 by hardness", _by_hardness(first.report), _by_hardness(second.report))
    return [*([table] if table.rows else []), *_paired_tables(first, second)]


def _by_hardness(report: Contents) -> dict[str, tuple[Figure, bool]]:
    groups = report.get("sound", {}).get("by_hardness") or {}
    return {f"Hardness {name}": (Figure.of(group["intervals"]["top1"]), True) for name, group in groups.items()}


# ── Paired tests ────────────────────────────────────────────────────────────


def _paired_tables(first: EvaluationRun, second: EvaluationRun) -> Iterator[ComparedTable]:
    """None if the runs are on different gold: then the same name may stand for another label."""
    if gold_of(first) is None or gold_of(first) != gold_of(second):
        return
    stored = _stored(first), _stored(second)
    keys = sorted(stored[0].keys() & stored[1].keys())
    if keys:
        yield ComparedTable(PAIRED.format(n=len(keys)), tuple(_paired_rows(stored[0], stored[1], keys)))


def gold_of(run: EvaluationRun) -> str | None:
    """The digest of the gold or the file that the run was scored on."""
    for name in ("gold", "predictions"):
        if source := run.inputs.get(name):
            return str(source["sha256"])
    return None


def _stored(run: EvaluationRun) -> Stored:
    rows = InferredCase.objects.filter(run=run).exclude(outcome__startswith="negative")
    return {
        (name, attribute): contents for name, attribute, contents in rows.values_list("name", "attribute", "contents")
    }


def _paired_rows(first: Stored, second: Stored, keys: Sequence[tuple[str, str]]) -> Iterator[ComparedRow]:
    cases = [Case(name, attribute, stored_label(first[name, attribute])) for name, attribute in keys]
    before, after = (build_outcomes(cases, [paired_credits(side[key]) for key in keys]) for side in (first, second))
    weights = draw_weights(before.unit_count, RESAMPLES, np.random.default_rng(SEED))
    for row in compare(after, before, weights, np.random.default_rng(SEED)):
        scores = Figure(_score(before, row.metric)).percent, Figure(_score(after, row.metric)).percent
        change = _points(Figure.of(row.difference.estimate.as_json()))
        yield ComparedRow(METRICS[row.metric], scores[0], scores[1], change, note=_p_values(row.difference))


def _score(outcomes: Outcomes, metric: str) -> float:
    return float(COMPARED[metric](outcomes.table().sum(axis=0)[None, :])[0])


def _p_values(difference: Difference) -> str:
    return f"p {_p(difference.p_bootstrap)} by bootstrap, {_p(difference.p_randomisation)} by randomisation"


def _points(estimate: Figure) -> str:
    if estimate.value is None:
        return estimate.shown
    interval = ""
    if estimate.low is not None and estimate.high is not None:
        interval = f" ({signed_points(estimate.low)} to {signed_points(estimate.high)})"
    return f"{signed_points(estimate.value)} points{interval}"


def _p(value: float | None) -> str:
    if value is None:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
