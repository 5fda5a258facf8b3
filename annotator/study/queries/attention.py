"""What needs attention in the study, with links to the pages for acting on it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from annotator.batches.queries.progress import BatchProgress
from annotator.core.formatting import number, plural
from annotator.core.heartbeat import workers_to_show
from annotator.corpora.queries.corpora import CorpusRow
from annotator.models import (
    Annotator,
    Assignment,
    CorpusDeletion,
    Dispute,
    Export,
    Flag,
    ImportUndo,
    LabelImport,
    Role,
)
from profiles.models import DetectionRun, DumpFile
from profiles.models.jobs import is_silent, is_unfinished

MAX_PER_KIND = 5  # the newest or the largest
RECENT = timedelta(days=7)  # older failures no longer matter

QUEUE_AWAY = (
    "The queue (Valkey or Redis) cannot be reached. Pages and answers work as usual. "
    "Imports, detection, gold and exports continue when it is back; e-mails requested in the meantime are not sent."
)


@dataclass(frozen=True, slots=True)
class Todo:
    """One item: what happened, to what, how urgent it is, and its page. No URL for people who can't act on it."""

    text: str
    subject: str
    badge: str
    url: str = ""


def list_todos(corpora: Sequence[CorpusRow], batches: Sequence[BatchProgress], annotator: Annotator) -> list[Todo]:
    """All items, most urgent kind first. Researchers only get links to pages they may open. 10 queries."""
    is_admin = annotator.has_role(Role.ADMIN)
    return [
        *_queue(),
        *_stopped_imports(corpora),
        *_incomplete_files(),
        *_stopped_runs(),
        *_failed_files(annotator),
        *_overdue(batches),
        *_stranded_assignments(is_admin),
        *_disagreements(is_admin),
        *_unhandled(Assignment.objects.unhandled(), "batch", "skipped", is_admin),
        *_unhandled(Flag.objects.filter(handled_at=None), "assignment__batch", "flags", is_admin),
    ]


def _queue() -> list[Todo]:
    """No query."""
    return [Todo("Jobs are waiting", QUEUE_AWAY, "bad")] if workers_to_show() is None else []


def _stopped_imports(corpora: Iterable[CorpusRow]) -> list[Todo]:
    """No query."""
    stopped = [row for row in corpora if row.badge == "warn"]
    return [Todo("An import stopped", row.name, "bad", _page("provenance", row.pk)) for row in stopped]


def _incomplete_files() -> list[Todo]:
    """Dumps that could not be read, or not to the end, until a whole file of the same name is in the corpus."""
    whole = DumpFile.objects.filter(problem="", state=DumpFile.State.LOADED)
    replaced = Exists(whole.filter(corpus=OuterRef("corpus"), name=OuterRef("name"), pk__gt=OuterRef("pk")))
    files = DumpFile.objects.exclude(problem="").filter(~replaced, corpus__archived_at=None, corpus__deleting_at=None)
    counts = files.order_by().values_list("corpus", "corpus__name").annotate(n=Count("pk"))
    return [Todo(f"{plural(count, 'file')} not read completely", name, "warn", _page("provenance", corpus))
            for corpus, name, count in counts.order_by("-corpus")[:MAX_PER_KIND]]  # fmt: skip


def _stopped_runs() -> list[Todo]:
    runs = DetectionRun.objects.filter(is_unfinished()).exclude(problem="", paused_at=None)
    return [_stopped_run(run) for run in runs.select_related("corpus").order_by("-pk")[:MAX_PER_KIND]]


def _stopped_run(run: DetectionRun) -> Todo:
    text, badge = ("Detection is paused", "warn") if run.paused_at else ("Detection stopped", "bad")
    return Todo(text, run.corpus.name, badge, _page("detection_run", run.corpus_id, run.pk))


def _failed_files(annotator: Annotator) -> list[Todo]:
    """Exports, label imports, undos of these, and deletions that failed or stopped responding. 4 queries."""
    failed = (~Q(problem="") | is_unfinished() & is_silent()) & Q(requested_at__gte=timezone.now() - RECENT)
    exports = Export.objects.readable_by(annotator).filter(failed).select_related("corpus")
    imports = LabelImport.objects.filter(failed, undo=None).order_by("-pk")[:MAX_PER_KIND]
    undos = ImportUndo.objects.filter(failed).select_related("label_import").order_by("-pk")[:MAX_PER_KIND]
    deletions = CorpusDeletion.objects.filter(failed).order_by("-pk")[:MAX_PER_KIND]
    page = _page("import_labels") if annotator.has_role(Role.ADMIN) else ""
    return [
        *(
            Todo("An export failed", e.corpus.name, "bad", _page("export", e.pk))
            for e in exports.order_by("-pk")[:MAX_PER_KIND]
        ),
        *(Todo("A corpus could not be deleted", deletion.name, "bad", _page("corpora")) for deletion in deletions),
        *(Todo("An import of judgements failed", label_import.name, "bad", page) for label_import in imports),
        *(Todo("An import was not undone completely", undo.label_import.name, "bad", page) for undo in undos),
    ]


def _overdue(batches: Iterable[BatchProgress]) -> list[Todo]:
    """No query."""
    now = timezone.now()
    late = [row for row in batches if row.batch.due_at and row.batch.due_at < now and not row.is_through]
    return [
        Todo(f"Past due with {number(row.total - row.done)} left", row.batch.name, "bad",
             _page("batch_progress", row.batch.pk))
        for row in late
    ]  # fmt: skip


def _stranded_assignments(is_admin: bool) -> list[Todo]:
    """Unfinished assignments of deactivated people, which nobody else can take."""
    assignments = Assignment.objects.unfinished().filter(batch__closed_at=None)
    stranded = assignments.filter(annotator__is_active=False, annotator__is_imported=False).order_by()
    people = stranded.values_list("annotator__display_name" if is_admin else "annotator__code", "batch", "batch__name")
    rows = people.annotate(slots=Count("pk")).order_by("-slots", "batch")[:MAX_PER_KIND]
    page = "batch_setup" if is_admin else "batch_progress"
    return [
        Todo(f"{name} (deactivated) has {plural(count, 'open profile')}", batch_name, "warn", _page(page, batch))
        for name, batch, batch_name, count in rows
    ]


def _disagreements(is_admin: bool) -> list[Todo]:
    rows = Dispute.objects.order_by().values_list("profile__corpus", "profile__corpus__name").annotate(n=Count("pk"))
    return [
        Todo(f"{plural(count, 'disagreement')} to decide", name, "accent",
             f"{_page('adjudication')}?corpus={corpus}" if is_admin else _page("gold", corpus))
        for corpus, name, count in rows.order_by("profile__corpus")
    ]  # fmt: skip


def _unhandled(rows: QuerySet[Any], batch: str, what: str, is_admin: bool) -> list[Todo]:
    """Counts by batch, largest first."""
    counts = (
        rows.order_by()
        .values_list(batch, f"{batch}__name")
        .annotate(n=Count("pk"))
        .order_by("-n", batch)[:MAX_PER_KIND]
    )
    words = "skipped, not handled" if what == "skipped" else "flagged, not handled"
    return [
        Todo(f"{number(count)} {words}", name, "accent",
             f"{_page('batch_quality', pk)}#{what}" if is_admin else _page("batch_progress", pk))
        for pk, name, count in counts
    ]  # fmt: skip


def _page(name: str, *keys: int) -> str:
    return reverse(f"annotator:{name}", args=keys)
