"""Start, pause, resume and cancel detection runs. Workers do the work, chunk by chunk."""

from collections.abc import Callable
from functools import partial

import structlog
from django.db import transaction
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.detection import tasks
from annotator.models import Annotator, AuditEntry
from profiles.detection.chunks import has_more
from profiles.detection.presidio import ModelMissing, default_contents
from profiles.detection.recipes import Contents, get_or_create_recipe
from profiles.jobs import claims
from profiles.models import Corpus, DetectionChunk, DetectionRun, Unanalysed
from profiles.models.jobs import Job

log = structlog.get_logger(__name__)
Action = AuditEntry.Action
NOT_READY = "The corpus is not complete yet. Detection starts automatically once it is."


class DetectionRefused(Exception):
    """The request cannot be carried out now. The message explains why."""


def start_run(
    corpus: Corpus,
    contents: Contents | None = None,
    *,
    name: str = "",
    by: Annotator | None = None,
    request: HttpRequest | None = None,
) -> DetectionRun:
    """Start a run, resume a cancelled one, or analyse what is new in the corpus. Repeating it changes nothing.

    Without contents, use the best installed model and Presidio's defaults. Raises DetectionRefused.
    """
    if corpus.ready_at is None:
        raise DetectionRefused(NOT_READY)
    with transaction.atomic():
        recipe = get_or_create_recipe(contents or _default_contents(), name)
        run, is_new = DetectionRun.objects.get_or_create(corpus=corpus, recipe=recipe)
        if is_new or run.cancelled_at or has_more(run):
            _begin(run)
            record(Action.DETECTION_STARTED, request=request, actor=by, run=run.pk, corpus=corpus.pk)
    return run


def detect_in_background(corpus: Corpus) -> None:
    """Analyse a changed corpus by its newest recipe, or by the default one. A refusal is only logged."""
    corpus.refresh_from_db()
    newest = corpus.runs.select_related("recipe").order_by("pk").last()
    contents = Contents.from_json(newest.recipe.contents) if newest else None
    try:
        start_run(corpus, contents)
    except DetectionRefused as refusal:
        log.warning("detection not started", corpus=corpus.pk, reason=type(refusal).__name__)


def pause(run: DetectionRun, *, by: Annotator | None = None, request: HttpRequest | None = None) -> None:
    """Pause the run. Workers finish their current chunk. Pausing twice changes nothing."""
    _change(run, claims.pause, "paused", by, request)


def resume(run: DetectionRun, *, by: Annotator | None = None, request: HttpRequest | None = None) -> None:
    _change(run, claims.resume, "resumed", by, request)
    transaction.on_commit(partial(tasks.plan_detection.delay, run.pk), robust=True)


def cancel(run: DetectionRun, *, by: Annotator | None = None, request: HttpRequest | None = None) -> None:
    """Cancel the run and keep its detections. Starting it again continues from here."""
    _change(run, claims.cancel, "cancelled", by, request)


def retry_failures(run: DetectionRun, *, by: Annotator | None = None, request: HttpRequest | None = None) -> int:
    """Retry comments whose analysis failed, each in a chunk of its own. Return how many."""
    with transaction.atomic():
        failed = run.unanalysed.exclude(reason=Unanalysed.Reason.LANGUAGE).select_for_update(of=("self",))
        comments = list(failed.order_by("comment").values_list("comment_id", flat=True))
        Unanalysed.objects.filter(run=run, comment__in=comments).delete()
        DetectionChunk.objects.bulk_create(
            DetectionChunk(run=run, first_comment=comment, last_comment=comment, comment_count=0)
            for comment in comments
        )
        if comments:
            _begin(run)
            record(Action.DETECTION_CHANGED, request=request, actor=by, run=run.pk, change="tried again")
    return len(comments)


def request_sweep() -> None:
    """Let workers pick up at once what a change to the comments has disrupted."""
    transaction.on_commit(tasks.sweep_detection.delay, robust=True)


def _default_contents() -> Contents:
    try:
        return default_contents()
    except ModelMissing as error:
        raise DetectionRefused(str(error)) from error


def _begin(run: DetectionRun) -> None:
    DetectionRun.objects.filter(pk=run.pk).update(cancelled_at=None, finished_at=None, planned_at=None, problem="")
    transaction.on_commit(partial(tasks.plan_detection.delay, run.pk), robust=True)


def _change(
    run: DetectionRun,
    change: Callable[[Job], bool],
    word: str,
    by: Annotator | None,
    request: HttpRequest | None,
) -> None:
    with transaction.atomic():
        if change(run):
            record(Action.DETECTION_CHANGED, request=request, actor=by, run=run.pk, change=word)
