"""Request an import of labels from another study, a dry run of one, or its undoing."""

from functools import partial
from pathlib import Path
from typing import Any

from django.db import transaction
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.exchange import tasks
from annotator.exchange.imports.file_format import check_file
from annotator.exchange.imports.target import check_target, target_corpus
from annotator.models import Annotator, AuditEntry, Format, ImportUndo, LabelImport
from profiles.jobs.claims import cancel
from profiles.jobs.states import State, state_of

STILL_RUNNING = "The import is still running. Wait until it has finished, then undo it."
NOTHING_TO_UNDO = "A dry run imports nothing, so there is nothing to undo."
UNDONE_ALREADY = "This import has already been undone, or is being undone."


class UndoRefused(Exception):
    """The import was not undone; the message says why."""


def request_import(
    path: Path, file_format: Format, corpus_name: str, *, by: Annotator | None, request: HttpRequest | None = None
) -> LabelImport:
    """Request an import into the corpus of this name, or a new one. Raises WrongFormat and ImportRefused."""
    check_file(path, file_format)
    with transaction.atomic():
        label_import = LabelImport.objects.create(
            corpus=target_corpus(corpus_name, file_format), format=file_format, name=path.name[:200], asked_by=by,
            total=path.stat().st_size,
        )  # fmt: skip
        details: dict[str, Any] = {
            "label_import": label_import.pk,
            "corpus": label_import.corpus_id,
            "format": file_format.value,
        }
        record(AuditEntry.Action.LABELS_IMPORTED, request=request, actor=by, **details)
    return label_import


def request_dry_run(path: Path, file_format: Format, corpus_name: str, *, by: Annotator | None) -> LabelImport:
    """Request an import that keeps nothing but its counts. Raises WrongFormat and ImportRefused."""
    check_file(path, file_format)
    check_target(corpus_name)
    return LabelImport.objects.create(
        corpus_name=corpus_name, is_dry_run=True, format=file_format, name=path.name[:200], asked_by=by,
        total=path.stat().st_size,
    )  # fmt: skip


def start_in_background(label_import: LabelImport) -> None:
    transaction.on_commit(partial(tasks.import_labels.delay, label_import.pk), robust=True)


def request_undo(
    label_import: LabelImport, *, by: Annotator | None = None, request: HttpRequest | None = None
) -> ImportUndo:
    """Request the removal of everything that an import brought. Raises UndoRefused."""
    with transaction.atomic():
        label_import = LabelImport.objects.select_for_update(of=("self",)).get(pk=label_import.pk)
        _check_undo(label_import)
        cancel(label_import)  # if its worker was killed, nobody takes it over any more
        undo, _ = ImportUndo.objects.get_or_create(label_import=label_import, defaults={"asked_by": by})
        details: dict[str, Any] = {"label_import": label_import.pk, "corpus": label_import.corpus_id, "asked": True}
        record(AuditEntry.Action.LABELS_REMOVED, request=request, actor=by, **details)
        transaction.on_commit(partial(tasks.undo_import.delay, undo.pk), robust=True)
    return undo


def _check_undo(label_import: LabelImport) -> None:
    if label_import.is_dry_run:
        raise UndoRefused(NOTHING_TO_UNDO)
    if state_of(label_import).is_live:
        raise UndoRefused(STILL_RUNNING)
    undo = ImportUndo.objects.filter(label_import=label_import).first()
    if undo and state_of(undo) not in (State.FAILED, State.SILENT, State.OVERDUE):
        raise UndoRefused(UNDONE_ALREADY)
