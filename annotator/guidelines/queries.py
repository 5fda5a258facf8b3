"""The versions of the guidelines as their page shows them."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Prefetch

from annotator.models import Batch, GuidelineVersion


@dataclass(frozen=True, slots=True)
class VersionRow:
    number: int
    created_at: datetime
    made_by: str  # empty: on the command line, or not for the reader
    batches: list[str]


def newest_version() -> GuidelineVersion | None:
    """1 query."""
    return GuidelineVersion.objects.order_by("-number").first()


def version_before(version: GuidelineVersion) -> GuidelineVersion | None:
    """1 query."""
    return GuidelineVersion.objects.filter(number__lt=version.number).order_by("-number").first()


def versions(*, in_full: bool) -> list[VersionRow]:
    """Every version without its text, the newest first; in full also who made it and which batches use it.

    1 query, in full 2.
    """
    rows = GuidelineVersion.objects.order_by("-number").only("number", "created_at")
    if not in_full:
        return [VersionRow(row.number, row.created_at, "", []) for row in rows]
    named = Prefetch("batches", queryset=Batch.objects.only("name", "guideline_id").order_by("name", "pk"))
    rows = rows.only("number", "created_at", "created_by__display_name").select_related("created_by")
    return [_full(row) for row in rows.prefetch_related(named)]


def _full(version: GuidelineVersion) -> VersionRow:
    made_by = version.created_by.display_name if version.created_by else ""
    return VersionRow(version.number, version.created_at, made_by, [batch.name for batch in version.batches.all()])
