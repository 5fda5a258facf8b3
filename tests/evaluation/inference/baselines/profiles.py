"""Profiles for baselines, with boring defaults."""

from collections.abc import Mapping
from datetime import UTC, datetime

from evaluation.inference.baselines import BaselineProfile, Hint
from evaluation.inference.records import Label
from evaluation.inference.selection import Text


def make_baseline_profile(
    pk: int = 1, labels: Mapping[str, str] | None = None, texts: tuple[str, ...] = (), hints: tuple[Hint, ...] = ()
) -> BaselineProfile:
    """Comments are a year apart, the first from 2012. An empty label is a negative."""
    rated = {name: Label(value, 2 if value else 0, 4 if value else 0) for name, value in (labels or {}).items()}
    written = [Text(at, "AskReddit", datetime(2012 + at, 5, 1, tzinfo=UTC), body) for at, body in enumerate(texts)]
    return BaselineProfile(pk, rated, written, hints)
