"""Exports as their pages list them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.utils import timezone

from annotator.core.formatting import number, percent
from annotator.exchange.export.options import ExportOptions
from annotator.models import Annotator, Export, Format, Role

PER_PAGE = 25
SILENT = timedelta(seconds=60)
COUNTED = {
    "profiles": "Profiles", "gold": "Gold records", "negatives": "of them: nothing to infer",
    "reviews": "Reviews", "judgements": "Judgements", "comments": "Comments", "evidence": "Stretches of evidence",
    "detections": "Detections",
}  # fmt: skip


class State(StrEnum):
    WAITING = "Waiting for a worker"
    RUNNING = "Being made"
    SILENT = "No sign of life"
    STOPPED = "Stopped"
    READY = "Ready"
    EXPIRED = "Expired"

    @property
    def is_live(self) -> bool:
        """Whether looking again makes sense."""
        return self in (State.WAITING, State.RUNNING)


BADGES = {
    State.RUNNING: "accent", State.READY: "good", State.STOPPED: "bad", State.SILENT: "warn",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExportRow:
    pk: int
    corpus: str
    format: str
    who: str
    asked_at: datetime
    state: State
    badge: str
    done: int
    total: int
    size: int
    sha256: str
    expires_at: datetime | None
    problem: str
    with_names: bool
    with_text: bool

    @property
    def is_live(self) -> bool:
        return self.state.is_live

    @property
    def is_ready(self) -> bool:
        return self.state == State.READY

    @property
    def amount(self) -> str:
        if self.state != State.RUNNING or not self.total:
            return ""
        return f"{percent(self.done / self.total)}, {number(self.done)} of {number(self.total)} profiles"


def visible_exports(annotator: Annotator) -> QuerySet[Export]:
    """Admins see all; researchers those that name nobody."""
    exports = Export.objects.select_related("corpus", "asked_by")
    return exports if annotator.has_role(Role.ADMIN) else exports.filter(with_names=False)


def exports_page(annotator: Annotator, page: str = "1") -> "Page[ExportRow]":
    """The newest first. 2 queries."""
    found: Page[Any] = Paginator(visible_exports(annotator).order_by("-pk"), PER_PAGE).get_page(page)
    found.object_list = [export_row(export) for export in found.object_list]
    return found


def export_row(export: Export) -> ExportRow:
    state = state_of(export)
    return ExportRow(
        pk=export.pk, corpus=export.corpus.name, format=Format(export.format).label,
        who=export.asked_by.display_name if export.asked_by else "command line", asked_at=export.asked_at,
        state=state, badge=BADGES.get(state, ""), done=export.done, total=export.total, size=export.size,
        sha256=export.sha256, expires_at=export.expires_at, problem=export.problem, with_names=export.with_names,
        with_text=bool(export.options.get("with_text")),
    )  # fmt: skip


def state_of(export: Export) -> State:
    now = timezone.now()
    if export.problem:
        return State.STOPPED
    if export.finished_at:
        is_there = export.file_name and export.expires_at and export.expires_at > now
        return State.READY if is_there else State.EXPIRED
    if export.began_at is None:
        return State.WAITING
    return State.RUNNING if export.beat_at and export.beat_at > now - SILENT else State.SILENT


def filters_of(export: Export) -> list[tuple[str, str]]:
    """What was asked for, in words. No query."""
    return ExportOptions.from_json(export.options).description


def snapshot_of(export: Export) -> datetime | None:
    """The moment that the file tells of. No query."""
    at = export.manifest.get("snapshot_at")
    return datetime.fromisoformat(at) if at else None


def counts_of(export: Export) -> list[tuple[str, int]]:
    """What the file holds. No query."""
    counts = export.manifest.get("counts", {})
    return [(label, counts[name]) for name, label in COUNTED.items() if counts.get(name)]
