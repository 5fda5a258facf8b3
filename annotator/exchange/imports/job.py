"""Import labels in a worker: read the file, analyse new profiles, and request a gold build."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import structlog
from django.conf import settings
from django.db import transaction

from annotator.core.uploads import remove_uploads
from annotator.detection.services import detect_in_background
from annotator.exchange.export.files import fingerprint
from annotator.exchange.imports.loader import ImportResult, import_file
from annotator.exchange.imports.target import ImportRefused, target_corpus
from annotator.gold.services.builds import request_build
from annotator.models import Format, LabelImport
from profiles.jobs.claims import JobLost, NotFree, beat, fail, finish
from profiles.jobs.heartbeat import Heartbeat, work_on
from profiles.models.jobs import is_unfinished

log = structlog.get_logger(__name__)

GONE = "The uploaded file is gone. Upload it again: nothing is imported twice."
BROKE = (
    "The import stopped because of a server error; the details are in the log. Everything imported so far is kept. "
    "Import the file again."
)
Tell = Callable[[ImportResult], None]


def run(label_import_id: int) -> None:
    """Import an upload once, then remove it. If the worker is killed, keep the file for whoever takes over."""
    label_import = LabelImport.objects.select_related("corpus", "asked_by").get(pk=label_import_id)
    path = Path(settings.UPLOADS) / label_import.name
    try:
        with suppress(NotFree, JobLost), work_on(label_import, broke=BROKE) as heartbeat:
            _take_in_upload(label_import, path, heartbeat)
    finally:
        if not LabelImport.objects.filter(is_unfinished(), pk=label_import_id).exists():
            remove_uploads([path])


def take_in(label_import: LabelImport, path: Path, tell: Tell = lambda so_far: None) -> ImportResult:
    """Import the whole file, then start detection for new profiles and request a gold build. The job is claimed."""
    corpus = label_import.corpus
    assert corpus is not None  # noqa: S101 asking gave it one
    beat(label_import, sha256=fingerprint(path)[1])
    imported = import_file(label_import, corpus, path, partial(_beat, label_import, tell))
    finish(label_import, done=label_import.total, counts=imported.numbers, set_aside=imported.set_aside)
    if imported.counts["new_profiles"]:
        corpus.refresh_from_db()
        detect_in_background(corpus)
    request_build(corpus.pk)
    return imported


def rehearse(label_import: LabelImport, path: Path, heartbeat: Heartbeat[LabelImport]) -> ImportResult:
    """Import the whole file in one transaction, count, and roll it back.

    Only the heartbeat may write to the job meanwhile: this transaction must not lock its row.
    """
    total = label_import.total
    with transaction.atomic():
        corpus = target_corpus(label_import.corpus_name, Format(label_import.format))
        imported = import_file(label_import, corpus, path, lambda so_far: heartbeat.tell(so_far.bytes_read, total))
        transaction.set_rollback(True)
    counts = imported.numbers | {"examples": imported.examples}
    finish(label_import, done=total, counts=counts, set_aside=imported.set_aside)
    return imported


def _take_in_upload(label_import: LabelImport, path: Path, heartbeat: Heartbeat[LabelImport]) -> None:
    try:
        if label_import.is_dry_run:
            rehearse(label_import, path, heartbeat)
        else:
            take_in(label_import, path)
    except (FileNotFoundError, ImportRefused) as stopped:
        log.warning("label import stopped", label_import=label_import.pk)
        fail(label_import, str(stopped) if isinstance(stopped, ImportRefused) else GONE)


def _beat(label_import: LabelImport, tell: Tell, so_far: ImportResult) -> None:
    beat(label_import, done=so_far.bytes_read, counts=so_far.numbers)
    tell(so_far)
