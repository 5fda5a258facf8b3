"""Exports, as their pages show them."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.core.paginator import Page
from django.db.models import QuerySet
from django.utils import timezone

from annotator.core.jobs import ShownJob, show_job
from annotator.core.pages import page_of
from annotator.core.sort_order import Sorting
from annotator.exchange.export.options import ExportOptions
from annotator.models import Annotator, Export, Format
from profiles.jobs.states import State, state_of

PER_PAGE = 25
COUNTED = {
    "profiles": "Profiles", "gold": "Gold records", "negatives": "Of these: nothing to infer",
    "disputed": "Disputed: no answer yet", "waiting": "Waiting for more judgements: no answer yet",
    "unjudged": "Not judged: no answer yet", "left_out": "Left out by the filters",
    "outdated": "Profiles left out because they were judged again since gold was built",
    "reviews": "Reviews", "judgements": "Judgements", "comments": "Comments", "evidence": "Evidence spans",
    "detections": "Detections",
}  # fmt: skip


LABELS = {State.RUNNING: "In progress", State.FINISHED: "Ready"}
EXPIRED, WITHDRAWN = "Expired", "Removed"


@dataclass(frozen=True, slots=True)
class ExportRow:
    pk: int
    corpus: str
    format: str
    who: str
    requested_at: datetime
    job: ShownJob
    is_ready: bool
    size: int
    sha256: str
    expires_at: datetime | None
    withdrawn_at: datetime | None
    with_names: bool
    with_text: bool


def readable_exports(annotator: Annotator) -> QuerySet[Export]:
    """Exports that the person may see, with the related rows that `export_row` needs."""
    return Export.objects.readable_by(annotator).select_related("corpus", "asked_by")


EXPORT_COLUMNS = {
    "requested": "-requested_at",
    "corpus": "corpus__name",
    "format": "format",
    "size": "-size",
    "expires": "-expires_at",
}


def exports_page(annotator: Annotator, sorting: Sorting, page: str = "1") -> "Page[ExportRow]":
    """2 queries."""
    return page_of(readable_exports(annotator).order_by(*sorting.order), page, export_row, size=PER_PAGE)


def export_row(export: Export) -> ExportRow:
    return ExportRow(
        pk=export.pk, corpus=export.corpus.name, format=Format(export.format).label,
        who=export.asked_by.display_name if export.asked_by else "command line", requested_at=export.requested_at,
        job=_shown(export), is_ready=is_ready(export), size=export.size, sha256=export.sha256,
        expires_at=export.expires_at, withdrawn_at=export.withdrawn_at, with_names=export.with_names,
        with_text=bool(export.options.get("with_text")),
    )  # fmt: skip


def is_ready(export: Export) -> bool:
    """Whether its file can be downloaded."""
    is_kept = export.file_name and export.expires_at and export.expires_at > timezone.now()
    return bool(is_kept) and state_of(export) == State.FINISHED


def _shown(export: Export) -> ShownJob:
    job = show_job(export, "profiles", labels=LABELS, step="Writing")
    is_gone = job.state == State.FINISHED and not is_ready(export)
    label = WITHDRAWN if export.withdrawn_at else EXPIRED
    return replace(job, label=label, badge="") if is_gone else job


def filters_of(export: Export) -> list[tuple[str, str]]:
    """The options of the export in words. No query."""
    return ExportOptions.from_json(export.options).description


def snapshot_of(export: Export) -> datetime | None:
    """The time of the snapshot that the file was made from. No query."""
    at = export.manifest.get("snapshot_at")
    return datetime.fromisoformat(at) if at else None


def counts_of(export: Export) -> list[tuple[str, int]]:
    """What the file contains. No query."""
    counts = export.manifest.get("counts", {})
    return [(label, counts[name]) for name, label in COUNTED.items() if counts.get(name)]
