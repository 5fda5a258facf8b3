"""Starting, pausing and ending detection runs. The work itself is done by workers, chunk by chunk."""

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
NOT_READY = "The corpus is not complete yet. Detection begins by itself when it is."


class DetectionRefused(Exception):
    """What was asked for makes no sense now. Says why, to a person."""


def start_run(
    corpus: Corpus,
    contents: Contents | None = None,
    *,
    name: str = "",
    by: Annotator | None = None,
    request: HttpRequest | None = None,
) -> DetectionRun:
    """Begin, go on with what was cancelled, or add what is new in the corpus. Asking twice changes nothing more.

    Without contents: the best model that is installed, everything else as Presidio has it. Raises DetectionRefused.
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
    """After something has changed: the newest recipe of the corpus, or the default one. Never stands in the way."""
    corpus.refresh_from_db()
    newest = corpus.runs.select_related("recipe").order_by("pk").last()
    contents = Contents.from_json(newest.recipe.contents) if newest else None
    try:
        start_run(corpus, contents)
    except DetectionRefused as refusal:
        log.warning("detection not started", corpus=corpus.pk, reason=type(refusal).__name__)


def pause(run: DetectionRun, *, by: Annotator | None = None, request: HttpRequest | None = None) -> None:
    """Workers end the chunk that they are at. A second press changes nothing."""
    _change(run, claims.pause, "paused", by, request)


def resume(run: DetectionRun, *, by: Annotator | None = None, request: HttpRequest | None = None) -> None:
    _change(run, claims.resume, "resumed", by, request)
    transaction.on_commit(partial(tasks.plan_detection.delay, run.pk), robust=True)


def cancel(run: DetectionRun, *, by: Annotator | None = None, request: HttpRequest | None = None) -> None:
    """What was found so far is kept. Starting it again goes on from here."""
    _change(run, claims.cancel, "cancelled", by, request)


def retry_failures(run: DetectionRun, *, by: Annotator | None = None, request: HttpRequest | None = None) -> int:
    """Comments whose analysis failed are tried once more, each for itself. How many."""
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
    """Let workers take up at once what a change to the comments has disturbed."""
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
