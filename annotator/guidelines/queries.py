"""Guideline versions for their page."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch

from annotator.models import Batch, GuidelineVersion


@dataclass(frozen=True, slots=True)
class VersionRow:
    number: int
    created_at: datetime
    author: str  # empty: created on the command line, or hidden from this person
    batches: list[str]


def newest_version() -> GuidelineVersion | None:
    """1 query."""
    return GuidelineVersion.objects.order_by("-number").first()


def version_before(version: GuidelineVersion) -> GuidelineVersion | None:
    """1 query."""
    return GuidelineVersion.objects.filter(number__lt=version.number).order_by("-number").first()


def versions(*, in_full: bool) -> list[VersionRow]:
    """All versions without their text, newest first. 1 query; `in_full` adds authors and batches and takes 2."""
    rows = GuidelineVersion.objects.order_by("-number").only("number", "created_at")
    if not in_full:
        return [VersionRow(row.number, row.created_at, "", []) for row in rows]
    named = Prefetch("batches", queryset=Batch.objects.only("name", "guideline_id").order_by("name", "pk"))
    rows = rows.only("number", "created_at", "created_by__display_name").select_related("created_by")
    return [_full_row(row) for row in rows.prefetch_related(named)]


def _full_row(version: GuidelineVersion) -> VersionRow:
    author = version.created_by.display_name if version.created_by else ""
    return VersionRow(version.number, version.created_at, author, [batch.name for batch in version.batches.all()])
