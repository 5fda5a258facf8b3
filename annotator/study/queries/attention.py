"""What somebody who runs the study should look at, each with the page on which one acts."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import Count, Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from annotator.batches.queries.progress import BatchProgress
from annotator.core.formatting import number
from annotator.corpora.queries.corpora import CorpusRow
from annotator.models import Assignment, Dispute, Export, Flag, LabelImport, SkipReason
from profiles.models import DetectionRun
from profiles.models.ingests import SILENT

SKIPPED = Q(skipped_at__isnull=False, handled_at=None) & ~Q(skip_reason=SkipReason.WITHDRAWN)
MOST = 5  # of a kind, the newest or the largest
LATELY = timedelta(days=7)  # a file that failed longer ago is nobody's business any more


@dataclass(frozen=True, slots=True)
class Todo:
    """One line: what it is, where, how urgent, and the address of the page that shows it. None for who may not act."""

    words: str
    where: str
    badge: str
    address: str = ""


def what_needs_attention(
    corpora: Sequence[CorpusRow], batches: Sequence[BatchProgress], *, is_admin: bool
) -> list[Todo]:
    """The most urgent kind first. Researchers are led to pages that exist for them. 7 queries."""
    return [
        *_stopped_imports(corpora),
        *_stopped_runs(),
        *_failed_files(is_admin),
        *_overdue(batches),
        *_left_behind(is_admin),
        *_disagreements(is_admin),
        *_reported(Assignment.objects.filter(SKIPPED), "batch", "skipped", is_admin),
        *_reported(Flag.objects.filter(handled_at=None), "assignment__batch", "flags", is_admin),
    ]


def _stopped_imports(corpora: Iterable[CorpusRow]) -> list[Todo]:
    """No query: the rows say it."""
    stopped = [row for row in corpora if row.badge == "warn"]
    return [Todo("An import stopped", row.name, "bad", _page("making", row.pk)) for row in stopped]


def _stopped_runs() -> list[Todo]:
    runs = DetectionRun.objects.filter(finished_at=None, cancelled_at=None).exclude(problem="", paused_at=None)
    return [_stopped_run(run) for run in runs.select_related("corpus").order_by("-pk")[:MOST]]


def _stopped_run(run: DetectionRun) -> Todo:
    words, badge = ("Detection is paused", "warn") if run.paused_at else ("Detection cannot go on", "bad")
    return Todo(words, run.corpus.name, badge, _page("detection_run", run.corpus_id, run.pk))


def _failed_files(is_admin: bool) -> list[Todo]:
    """Exports and imports of judgements that failed, or have fallen silent. 2 queries."""
    now = timezone.now()
    failed = (~Q(problem="") | Q(finished_at=None, beat_at__lt=now - SILENT)) & Q(asked_at__gte=now - LATELY)
    exports = Export.objects.filter(failed, *(() if is_admin else [Q(with_names=False)])).select_related("corpus")
    imports = LabelImport.objects.filter(failed).order_by("-pk")[:MOST]
    page = _page("import_labels") if is_admin else ""
    return [
        *(
            Todo("An export failed", e.corpus.name, "bad", _page("export", e.pk))
            for e in exports.order_by("-pk")[:MOST]
        ),
        *(Todo("An import of judgements failed", one.name, "bad", page) for one in imports),
    ]


def _overdue(batches: Iterable[BatchProgress]) -> list[Todo]:
    """No query."""
    now = timezone.now()
    late = [one for one in batches if one.batch.due_at and one.batch.due_at < now and not one.is_through]
    return [
        Todo(f"Past due with {number(one.total - one.done)} left", one.batch.name, "bad",
             _page("batch_progress", one.batch.pk))
        for one in late
    ]  # fmt: skip


def _left_behind(is_admin: bool) -> list[Todo]:
    """People who cannot sign in any more and have slots that nobody else can take."""
    slots = Assignment.objects.filter(submitted_at=None, skipped_at=None, batch__closed_at=None)
    theirs = slots.filter(annotator__is_active=False, annotator__is_imported=False).order_by()
    people = theirs.values_list("annotator__display_name" if is_admin else "annotator__code", "batch", "batch__name")
    rows = people.annotate(slots=Count("pk")).order_by("-slots", "batch")[:MOST]
    page = "batch_setup" if is_admin else "batch_progress"
    return [
        Todo(f"{name}, deactivated, has {number(count)} open", batch_name, "warn", _page(page, batch))
        for name, batch, batch_name, count in rows
    ]


def _disagreements(is_admin: bool) -> list[Todo]:
    rows = Dispute.objects.order_by().values_list("profile__corpus", "profile__corpus__name").annotate(n=Count("pk"))
    return [
        Todo(f"{number(count)} disagreement{'' if count == 1 else 's'} to decide", name, "accent",
             f"{_page('adjudication')}?corpus={corpus}" if is_admin else _page("gold", corpus))
        for corpus, name, count in rows.order_by("profile__corpus")
    ]  # fmt: skip


def _reported(rows: QuerySet[Any], batch: str, what: str, is_admin: bool) -> list[Todo]:
    """By batch, those with most of them."""
    counted = rows.order_by().values_list(batch, f"{batch}__name").annotate(n=Count("pk")).order_by("-n", batch)[:MOST]
    words = "skipped, not handled" if what == "skipped" else "flagged, not handled"
    return [
        Todo(f"{number(count)} {words}", name, "accent",
             f"{_page('batch_quality', pk)}#{what}" if is_admin else _page("batch_progress", pk))
        for pk, name, count in counted
    ]  # fmt: skip


def _page(name: str, *keys: int) -> str:
    return reverse(f"annotator:{name}", args=keys)
