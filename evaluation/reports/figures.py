"""Numbers of a report as people read them: a score with its interval, or why there is none."""

from dataclasses import dataclass
from typing import Any

from annotator.charts.intervals import Estimate
from annotator.core.formatting import THIN, decimal

NONE = "–"


@dataclass(frozen=True, slots=True)
class Figure:
    """A score. The value is None if there was nothing to count; `reason` then says why."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""

    @classmethod
    def of(cls, value: Any) -> "Figure":
        """Read a number, None, or the interval JSON of reports."""
        if not isinstance(value, dict):
            return cls(value if isinstance(value, int | float) else None)
        return cls(value.get("value"), value.get("low"), value.get("high"), str(value.get("reason") or ""))

    @property
    def shown(self) -> str:
        return NONE if self.value is None else decimal(self.value)

    @property
    def percent(self) -> str:
        return NONE if self.value is None else _percent(self.value)

    @property
    def interval(self) -> str:
        return f"{decimal(self.low)} to {decimal(self.high)}" if self._has_interval else ""  # type: ignore[arg-type]

    @property
    def percent_interval(self) -> str:
        return f"{_percent(self.low)} to {_percent(self.high)}" if self._has_interval else ""  # type: ignore[arg-type]

    @property
    def _has_interval(self) -> bool:
        return self.low is not None and self.high is not None

    def estimate(self, label: str) -> Estimate:
        """For a chart from 0 to 1. A percentile interval may miss a value at the edge; a whisker may not."""
        if self.value is None:
            return Estimate(label, None)
        low, high = (self.value if end is None else end for end in (self.low, self.high))
        return Estimate(label, self.value, min(low, self.value), max(high, self.value))


def _percent(share: float) -> str:
    return f"{decimal(100 * share, 1)}{THIN}%"
