"""Import labels in a worker: read the file, then detect and build gold where something is new."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import structlog
from django.conf import settings
from django.utils import timezone

from annotator.core.uploads import remove_uploads
from annotator.detection.services import detect_in_background
from annotator.exchange.export.files import fingerprint
from annotator.exchange.imports.loader import ImportResult, import_file
from annotator.gold.services.builds import request_build
from annotator.guidelines.services import first_guidelines
from annotator.models import GuidelineVersion, LabelImport

log = structlog.get_logger(__name__)

MAX_COUNT = 2**31 - 1
GONE = "The uploaded file is no longer there. Upload it again; what came in already is not taken twice."
BROKE = "It stopped because something went wrong on the server; the log says what. What came in is kept. Import again."


def run(label_import_id: int) -> None:
    """What a worker does with an upload: once, and then the file goes."""
    now = timezone.now()
    if not LabelImport.objects.filter(pk=label_import_id, beat_at=None).update(beat_at=now):
        return
    label_import = LabelImport.objects.select_related("corpus", "asked_by").get(pk=label_import_id)
    path = Path(settings.UPLOADS) / label_import.name
    try:
        take_in(label_import, path)
    except FileNotFoundError:
        _end(label_import, ImportResult(), problem=GONE)
    except BaseException:
        _end(label_import, ImportResult(), problem=BROKE)
        raise
    finally:
        remove_uploads([path])


def take_in(
    label_import: LabelImport, path: Path, tell: Callable[[ImportResult], None] = lambda so_far: None
) -> ImportResult:
    """All of the file. What is new in the corpus is then looked at by Presidio and worked into gold."""
    corpus = label_import.corpus
    assert corpus is not None  # noqa: S101 asking gave it one
    _, label_import.sha256 = fingerprint(path)
    imported = import_file(label_import, corpus, newest_guideline(), path, partial(_beat, label_import, tell))
    _end(label_import, imported)
    if imported.counts["new_profiles"]:
        corpus.refresh_from_db()
        detect_in_background(corpus)
    request_build(corpus.pk)
    return imported


def newest_guideline() -> GuidelineVersion:
    """Labels need some; a study that has none yet gets those we ship."""
    newest = GuidelineVersion.objects.order_by("number").last()
    return newest or GuidelineVersion.objects.create(number=1, text=first_guidelines())


def _beat(label_import: LabelImport, tell: Callable[[ImportResult], None], so_far: ImportResult) -> None:
    done = min(so_far.bytes_read, MAX_COUNT)
    LabelImport.objects.filter(pk=label_import.pk).update(done=done, counts=so_far.numbers, beat_at=timezone.now())
    tell(so_far)


def _end(label_import: LabelImport, imported: ImportResult, *, problem: str = "") -> None:
    if problem:
        log.warning("label import stopped", label_import=label_import.pk)
    else:
        label_import.done = min(label_import.total, MAX_COUNT)
        label_import.counts, label_import.set_aside = imported.numbers, imported.set_aside
    label_import.problem, label_import.finished_at = problem, timezone.now()
    names = ["sha256", "problem", "finished_at"] + ([] if problem else ["done", "counts", "set_aside"])
    label_import.save(update_fields=names)
