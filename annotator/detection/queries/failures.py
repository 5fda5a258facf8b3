"""Which comments a run could not analyse, and why. Never what they say."""

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Count

from profiles.models import DetectionRun, Unanalysed

A_PAGE = 50


@dataclass(frozen=True, slots=True)
class ReasonCount:
    reason: str
    label: str
    count: int


def reasons_of(run: DetectionRun) -> list[ReasonCount]:
    """The most frequent first. 1 query."""
    rows = run.unanalysed.order_by().values_list("reason").annotate(count=Count("pk")).order_by("-count", "reason")
    return [ReasonCount(reason, Unanalysed.Reason(reason).label, count) for reason, count in rows]


def can_be_tried_again(reasons: list[ReasonCount]) -> int:
    """How many: a language without a model stays one until a recipe has a model for it."""
    return sum(one.count for one in reasons if one.reason != Unanalysed.Reason.LANGUAGE)


def failures_page(run: DetectionRun, reason: str = "", page: str = "1") -> "Page[Unanalysed]":
    """Of one reason, or of all. 2 queries."""
    failures = run.unanalysed.select_related("comment__profile").defer("comment__body").order_by("reason", "pk")
    return Paginator(failures.filter(reason=reason) if reason else failures, A_PAGE).get_page(page)
