"""Start an import, or resume one that stopped. A worker does the work."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.core.uploads import is_upload
from annotator.corpora import tasks
from annotator.models import Annotator, AuditEntry
from profiles.ingest.options import Options
from profiles.ingest.plan import IngestRefused
from profiles.ingest.requests import request_ingest
from profiles.ingest.sources import path_from_text
from profiles.models import Corpus, Ingest

RUNNING = "This import is already running. Nothing was changed."
NOTHING_STOPPED = "This import has not stopped, so there is nothing to resume."
UPLOADS_GONE = "The uploaded files are gone. Import the same files again: nothing is read twice."


def start_import(
    name: str, options: Options | None, paths: Sequence[Path], *, by: Annotator, request: HttpRequest
) -> Ingest:
    """Request an ingest, and let a worker begin once that is committed. Without options, a corpus keeps its rules.

    Raises IngestRefused.
    """
    with transaction.atomic():
        ingest = request_ingest(name, options, paths)
        _begin(ingest, by, request)
    return ingest


def resume_import(corpus: Corpus, *, by: Annotator, request: HttpRequest) -> Ingest:
    """Resume a stopped import with the same files and rules. Of two simultaneous requests, only one succeeds."""
    with transaction.atomic():
        Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
        stopped = _stopped(corpus)
        if stopped.stage == Ingest.Stage.WAITING:  # no worker ever took it: queue it once more
            stopped.requested_at = timezone.now()
            stopped.save(update_fields=["requested_at"])
            ingest = stopped
        else:
            ingest = request_ingest(corpus.name, None, [path_from_text(path) for path in stopped.paths])
        _begin(ingest, by, request)
    return ingest


def _stopped(corpus: Corpus) -> Ingest:
    if corpus.ingests.running().exists():
        raise IngestRefused(RUNNING)
    last = corpus.ingests.order_by("pk").last()
    if last is None or last.stage == Ingest.Stage.DONE:
        raise IngestRefused(NOTHING_STOPPED)
    if any(is_upload(Path(path)) and not Path(path).exists() for path in last.paths):
        raise IngestRefused(UPLOADS_GONE)
    return last


def _begin(ingest: Ingest, by: Annotator, request: HttpRequest) -> None:
    """Queue the ingest. If the queue is unreachable, the ingest waits, and the page offers to resume it."""
    about: dict[str, Any] = {"corpus": ingest.corpus_id, "ingest": ingest.pk, "files": len(ingest.paths)}
    record(AuditEntry.Action.IMPORT_STARTED, request=request, actor=by, **about)
    transaction.on_commit(partial(tasks.run_ingest.delay, ingest.pk), robust=True)
