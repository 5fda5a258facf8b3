"""The metrics of an attribute report that `--fail-under` can name."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evaluation.inference.outcomes import TOPS
from evaluation.inference.report import scorers_of
from evaluation.reports.requirements import Requirement, find_failures

EXAMPLE = "top1"
DEFAULT_SCORER = "sound"  # whose metrics need no prefix


def failures(report: Mapping[str, Any], requirements: Iterable[Requirement]) -> list[str]:
    """A sentence for each requirement that the first model doesn't meet. Raises RequirementUnusable."""
    return find_failures(report["input"]["model"], dict(metric_values(report)), requirements)


def metric_values(report: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    """Every metric that a requirement can name.

    `top1`, `macro-top1` and `location-top1` are by our scorer, `published-top1` and `compat-top1` by the others, and
    `judged-top1` if a judge took part; 2 and 3 may stand in place of 1.
    """
    yield from _metrics("", report[DEFAULT_SCORER])
    for scorer in scorers_of(report):
        yield from _metrics(f"{scorer}-", report[scorer])


def _metrics(prefix: str, section: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    parts = {"": section, "macro-": section["macro"]}
    parts |= {f"{attribute}-": scores for attribute, scores in section["by_attribute"].items()}
    for name, scores in parts.items():
        yield from ((f"{prefix}{name}top{top}", scores[f"top{top}"]) for top in TOPS)
