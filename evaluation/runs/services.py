"""Request, repeat, continue, cancel and delete evaluation runs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry
from evaluation.llm.attempts import lock_profiles
from evaluation.llm.budget import Limit
from evaluation.models import DetectedComment, EvaluationInput, EvaluationKind, EvaluationRun
from evaluation.runs import tasks
from evaluation.runs.storage import InputFile, path_of, remove_files, store_files, sweep_folders
from profiles.jobs.claims import cancel
from profiles.jobs.states import state_of
from profiles.models import Corpus

STILL_RUNNING = "It is still running. Wait for it to finish, or cancel it first."
BATCH_SIZE = 1_000
FILES_GONE = "Its files are no longer on the server, so it can't run again. Start a new evaluation and upload them."


class RunRefused(Exception):
    """The run can't be repeated, continued or deleted now. The message says why."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """A run that somebody wants. Runs over a corpus have no files.

    `store_more` is called with the new run, in the same transaction.
    """

    kind: EvaluationKind
    name: str
    system: str
    settings: Mapping[str, Any]
    files: Sequence[InputFile] = ()
    corpus: Corpus | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    store_more: Callable[[EvaluationRun], None] | None = None


def request_run(
    plan: RunPlan, *, by: Annotator | None = None, request: HttpRequest | None = None, is_queued: bool = True
) -> EvaluationRun:
    """Store the request with its files, and queue it for a worker once it is committed.

    A caller who does the run itself doesn't queue it.
    """
    run = EvaluationRun(
        kind=plan.kind, name=plan.name[:200], system=plan.system[:200], corpus=plan.corpus,
        settings=dict(plan.settings), inputs=dict(plan.inputs), code_version=settings.VERSION, asked_by=by,
    )  # fmt: skip
    try:
        with transaction.atomic():
            run.save()
            store_files(run, plan.files)
            if plan.store_more:
                plan.store_more(run)
            record(AuditEntry.Action.EVALUATION_STARTED, request=request, actor=by, evaluation=run.pk, kind=run.kind)
            if is_queued:
                transaction.on_commit(partial(tasks.evaluate.delay, run.pk), robust=True)
    except BaseException:
        if run.pk:
            remove_files(run.pk)
        raise
    return run


def repeat_run(run: EvaluationRun, *, by: Annotator, request: HttpRequest | None = None) -> EvaluationRun:
    """Request a new run with the same files and settings. Raises RunRefused if a file is gone."""
    return request_run(_plan_again(run, run.settings), by=by, request=request)


def continue_run(
    run: EvaluationRun, limit: Limit, *, by: Annotator, request: HttpRequest | None = None
) -> EvaluationRun:
    """Request the rest of a run that stopped. What was answered is kept, so only what is missing is asked.

    The limit is for the whole run: what was spent before counts. Raises RunRefused while the run is live, or if a file
    is gone.
    """
    if state_of(run).is_live:
        raise RunRefused(STILL_RUNNING)
    settings = run.settings | {"budget": limit.as_json()}
    return request_run(_plan_again(run, settings), by=by, request=request)


def _plan_again(run: EvaluationRun, settings: Mapping[str, Any]) -> RunPlan:
    """Raises RunRefused if a file is gone."""
    return RunPlan(
        EvaluationKind(run.kind), run.name, run.system, settings, files_again(run), run.corpus, run.inputs,
        store_more=partial(_copy_detections, run),
    )  # fmt: skip


def _copy_detections(run: EvaluationRun, target: EvaluationRun) -> None:
    """What another detector's file marks, as far as its profiles still exist. The lock makes a takedown wait."""
    present = lock_profiles(set(run.detected_comments.values_list("profile_id", flat=True)))
    rows = run.detected_comments.filter(profile__in=present).order_by("pk")
    copies = (
        DetectedComment(run=target, profile_id=row.profile_id, comment_id=row.comment_id, spans=row.spans)
        for row in rows.iterator()
    )
    DetectedComment.objects.bulk_create(copies, batch_size=BATCH_SIZE)


def files_again(run: EvaluationRun) -> list[InputFile]:
    """The files of a run, for another one. Raises RunRefused if one is gone."""
    files = [InputFile(EvaluationInput.Role(stored.role), path_of(stored), stored.name) for stored in stored_files(run)]
    if not all(file.path.exists() for file in files):
        raise RunRefused(FILES_GONE)
    return files


def stored_files(run: EvaluationRun) -> list[EvaluationInput]:
    return list(run.files.order_by("role", "position"))


def cancel_run(run: EvaluationRun) -> bool:
    """Cancel the run, and return whether that changed anything. Its worker notices at the next heartbeat."""
    return cancel(run)


def delete_run(run: EvaluationRun, *, by: Annotator, request: HttpRequest | None = None) -> None:
    """Delete the run with its files, documents, errors and marks. Raises RunRefused while it runs."""
    with transaction.atomic():
        locked = EvaluationRun.objects.select_for_update(of=("self",)).get(pk=run.pk)
        if state_of(locked).is_live:
            raise RunRefused(STILL_RUNNING)
        record(AuditEntry.Action.EVALUATION_DELETED, request=request, actor=by, evaluation=run.pk, kind=run.kind)
        locked.delete()
        transaction.on_commit(partial(remove_files, run.pk), robust=True)
    sweep_folders()


def record_download(run: EvaluationRun, what: str, *, by: Annotator, request: HttpRequest) -> None:
    record(AuditEntry.Action.EVALUATION_FETCHED, request=request, actor=by, evaluation=run.pk, file=what)
