"""The metrics of a span report that `--fail-under` can name."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evaluation.reports.requirements import Requirement, find_failures
from evaluation.spans.terminal import point

METRICS = ("precision", "recall", "f1", "f2")
EXAMPLE = "f1"


def failures(report: Mapping[str, Any], requirements: Iterable[Requirement]) -> list[str]:
    """A sentence for each requirement that the first system doesn't meet. Raises RequirementUnusable."""
    result = report["results"][0]
    return find_failures(result["system"], dict(metric_values(result)), requirements)


def metric_values(result: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    """Every metric that a requirement can name.

    `f1` is the micro average, `macro-f1` the mean of the types, `PERSON-f1` a single type, `compat-strict-f1` the ECHR
    study's, `tokens-f1` that of tokens; any of precision, recall, f1 and f2 may stand in place of `f1`.
    """
    yield from _scores("", result["micro"])
    yield from _scores("macro-", result["macro"])
    for row in result["by_type"]:
        yield from _scores(f"{row['type']}-", row)
    for name in ("strict", "relaxed"):
        yield from _scores(f"compat-{name}-", result["compat"].get(name) or {})
    yield from _scores("tokens-", result.get("tokens") or {})


def _scores(prefix: str, scores: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    return ((f"{prefix}{metric}", point(scores[metric])) for metric in METRICS if metric in scores)
