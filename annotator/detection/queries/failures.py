"""Comments that a run could not analyse, and why; never their text."""

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Count

from profiles.models import DetectionRun, Unanalysed

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class ReasonCount:
    reason: str
    label: str
    count: int


def reason_counts(run: DetectionRun) -> list[ReasonCount]:
    """Most frequent first. 1 query."""
    rows = run.unanalysed.order_by().values_list("reason").annotate(count=Count("pk")).order_by("-count", "reason")
    return [ReasonCount(reason, Unanalysed.Reason(reason).label, count) for reason, count in rows]


def retryable_count(reasons: list[ReasonCount]) -> int:
    """Comments worth retrying: all but those whose language has no model in the recipe."""
    return sum(row.count for row in reasons if row.reason != Unanalysed.Reason.LANGUAGE)


def failures_page(run: DetectionRun, reason: str = "", number: str = "1") -> "Page[Unanalysed]":
    """Failures for one reason, or for all of them. 2 queries."""
    failures = run.unanalysed.select_related("comment__profile").defer("comment__body").order_by("reason", "pk")
    return Paginator(failures.filter(reason=reason) if reason else failures, PAGE_SIZE).get_page(number)
