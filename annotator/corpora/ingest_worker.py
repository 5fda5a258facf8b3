"""Running an ingest in a worker."""

import structlog
from django.utils import timezone

from annotator.core.uploads import remove_uploads
from annotator.detection.services import detect_in_background
from profiles.ingest.plan import IngestRefused
from profiles.ingest.run import run_ingest
from profiles.models import Ingest

log = structlog.get_logger(__name__)


def run(ingest_id: int) -> None:
    """Run it once, however often it is asked for. What was uploaded for it is removed when it has ended."""
    if not _take(ingest_id):
        return
    ingest = Ingest.objects.get(pk=ingest_id)
    try:
        run_ingest(ingest)
        detect_in_background(ingest.corpus)
    except IngestRefused:
        log.warning("ingest refused", ingest=ingest_id)  # the row says why
    finally:
        _remove_uploads(ingest)


def _take(ingest_id: int) -> bool:
    """Whether nobody else has begun it."""
    waiting = Ingest.objects.filter(pk=ingest_id, stage=Ingest.Stage.WAITING, finished_at__isnull=True)
    now = timezone.now()
    return waiting.update(stage=Ingest.Stage.CHECKING, stage_at=now, beat_at=now) == 1


def _remove_uploads(ingest: Ingest) -> None:
    """Not those of one that was killed, which may go on, nor of one that is being read by another run after all."""
    ended = Ingest.objects.filter(pk=ingest.pk, finished_at__isnull=False).exists()
    is_read_elsewhere = ingest.corpus.ingests.running().exclude(pk=ingest.pk).exists()
    if ended and not is_read_elsewhere:
        remove_uploads(ingest.paths)
