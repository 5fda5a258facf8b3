"""Import labels in a worker: read the file, then detect and build gold where something is new."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import structlog
from django.conf import settings

from annotator.core.uploads import remove_uploads
from annotator.detection.services import detect_in_background
from annotator.exchange.export.files import fingerprint
from annotator.exchange.imports.loader import ImportResult, import_file
from annotator.gold.services.builds import request_build
from annotator.guidelines.services import first_guidelines
from annotator.models import GuidelineVersion, LabelImport
from profiles.jobs.claims import JobLost, NotFree, beat, fail, finish
from profiles.jobs.heartbeat import work_on
from profiles.models.jobs import is_unfinished

log = structlog.get_logger(__name__)

GONE = "The uploaded file is no longer there. Upload it again; what came in already is not taken twice."
BROKE = "It stopped because something went wrong on the server; the log says what. What came in is kept. Import again."
Tell = Callable[[ImportResult], None]


def run(label_import_id: int) -> None:
    """Import an upload once, then remove it. Whoever takes over from a worker that was killed still needs the file."""
    label_import = LabelImport.objects.select_related("corpus", "asked_by").get(pk=label_import_id)
    path = Path(settings.UPLOADS) / label_import.name
    try:
        with suppress(NotFree, JobLost), work_on(label_import, broke=BROKE):
            _take_in_upload(label_import, path)
    finally:
        if not LabelImport.objects.filter(is_unfinished(), pk=label_import_id).exists():
            remove_uploads([path])


def take_in(label_import: LabelImport, path: Path, tell: Tell = lambda so_far: None) -> ImportResult:
    """Import the whole file. What is new in the corpus goes to detection and into gold. The job is ours already."""
    corpus = label_import.corpus
    assert corpus is not None  # noqa: S101 asking gave it one
    beat(label_import, sha256=fingerprint(path)[1])
    imported = import_file(label_import, corpus, newest_guideline(), path, partial(_beat, label_import, tell))
    finish(label_import, done=label_import.total, counts=imported.numbers, set_aside=imported.set_aside)
    if imported.counts["new_profiles"]:
        corpus.refresh_from_db()
        detect_in_background(corpus)
    request_build(corpus.pk)
    return imported


def newest_guideline() -> GuidelineVersion:
    """Labels need some; a study that has none yet gets those we ship."""
    newest = GuidelineVersion.objects.order_by("number").last()
    return newest or GuidelineVersion.objects.create(number=1, text=first_guidelines())


def _take_in_upload(label_import: LabelImport, path: Path) -> None:
    try:
        take_in(label_import, path)
    except FileNotFoundError:
        log.warning("label import stopped", label_import=label_import.pk)
        fail(label_import, GONE)


def _beat(label_import: LabelImport, tell: Tell, so_far: ImportResult) -> None:
    beat(label_import, done=so_far.bytes_read, counts=so_far.numbers)
    tell(so_far)
