"""The order of names in a report. Postgres keeps JSON objects by the length of their keys."""

from collections.abc import Mapping
from typing import Any

from evaluation.probes.dreaddit import PROBE

SHARES = ("name", "accuracy", "tpr", "tnr", PROBE.rate, "kappa")
NAMES = (*PROBE.card, *(variant.name for variant in PROBE.variants), *SHARES, *PROBE.metrics)
RANKS = {name: rank for rank, name in enumerate(NAMES)}


def restore_order(report: Mapping[str, Any]) -> dict[str, Any]:
    """The stored report with card, variants and metrics in the order of the study."""
    return {name: _ordered(report[name]) for name in sorted(report, key=_rank)}


def _ordered(value: Any) -> Any:
    if isinstance(value, Mapping):
        return restore_order(value)
    return [_ordered(item) for item in value] if isinstance(value, list) else value


def _rank(name: str) -> int:
    return RANKS.get(name, len(RANKS))
