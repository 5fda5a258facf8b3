"""Errors, documents and gold files of span runs, as their pages show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page
from django.db.models import Count, QuerySet

from annotator.core.formatting import number
from annotator.core.pages import page_of
from evaluation.models import ErrorItem, EvaluatedDocument, EvaluationInput, EvaluationKind, EvaluationRun
from evaluation.reports.sections import ERROR_KINDS

MAX_GOLD_CHOICES = 50
ERRORS_PER_PAGE = 25


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """`who` has looked at it; empty if nobody has."""

    number: int
    document: int | None
    item: Mapping[str, Any]
    who: str


@dataclass(frozen=True, slots=True)
class ErrorTab:
    key: str
    label: str
    count: int

    @property
    def title(self) -> str:
        return f"{self.label} {number(self.count)}"

    @property
    def query(self) -> str:
        return f"?errors={self.key}"


@dataclass(frozen=True, slots=True)
class ErrorList:
    tabs: Sequence[ErrorTab]
    kind: str
    page: "Page[ErrorRow]"


def gold_choices() -> list[tuple[int, str]]:
    """Gold files of earlier runs, each once, newest first, with a title. 1 query."""
    gold = EvaluationInput.objects.filter(role=EvaluationInput.Role.GOLD, run__kind=EvaluationKind.SPANS)
    rows = gold.select_related("run").order_by("-pk")
    newest: dict[str, EvaluationInput] = {}
    for row in rows.defer("run__report")[: 4 * MAX_GOLD_CHOICES]:
        newest.setdefault(row.sha256, row)
    return [
        (row.pk, f"{row.name} ({row.sha256[:8]}, {row.run.requested_at:%d %b %Y})")
        for row in list(newest.values())[:MAX_GOLD_CHOICES]
    ]


def errors_of(run: EvaluationRun, kind: str, number: str = "1") -> ErrorList | None:
    """One page of the errors of a kind; an unknown kind gives the first one. None without errors. 3 queries."""
    counts = dict(run.errors.values_list("kind").annotate(count=Count("pk")).order_by("kind"))
    if not counts:
        return None
    tabs = [ErrorTab(key, label, counts[key]) for key, label in ERROR_KINDS.items() if counts.get(key)]
    chosen = kind if kind in counts else tabs[0].key
    rows = run.errors.filter(kind=chosen).select_related("document", "mark__marked_by").order_by("number")
    return ErrorList(tabs, chosen, page_of(rows.defer("document__contents"), number, error_row, size=ERRORS_PER_PAGE))


def error_row(item: ErrorItem) -> ErrorRow:
    mark = getattr(item, "mark", None)
    document = item.document.number if item.document else None
    return ErrorRow(item.number, document, item.contents, mark.marked_by.display_name if mark else "")


def all_errors(run: EvaluationRun) -> "QuerySet[ErrorItem, Mapping[str, Any]]":
    """The contents of all errors in order. 1 query, streamed."""
    return run.errors.order_by("number").values_list("contents", flat=True)


def neighbours(document: EvaluatedDocument) -> tuple[int | None, int | None]:
    """The numbers of the documents before and after. 1 query."""
    around = [document.number - 1, document.number + 1]
    known = set(document.run.documents.filter(number__in=around).values_list("number", flat=True))
    before, after = (number if number in known else None for number in around)
    return before, after
