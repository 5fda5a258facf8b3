"""Run an ingest in a worker."""

import structlog

from annotator.core.uploads import remove_uploads
from annotator.detection.services import detect_in_background
from profiles.ingest.plan import IngestRefused
from profiles.ingest.run import claim_ingest, run_ingest
from profiles.jobs.claims import NotFree
from profiles.models import Ingest

log = structlog.get_logger(__name__)


def run(ingest_id: int) -> None:
    """Run it once, however often it is asked for. What was uploaded for it is removed when it has ended."""
    ingest = Ingest.objects.get(pk=ingest_id)
    try:
        claim_ingest(ingest)
    except NotFree:
        return
    try:
        run_ingest(ingest)
        detect_in_background(ingest.corpus)
    except IngestRefused:
        log.warning("ingest refused", ingest=ingest_id)  # the row says why
    finally:
        _remove_uploads(ingest)


def _remove_uploads(ingest: Ingest) -> None:
    """Not those of one that was killed, which may go on, nor of one that is being read by another run after all."""
    ended = Ingest.objects.filter(pk=ingest.pk, finished_at__isnull=False).exists()
    is_read_elsewhere = ingest.corpus.ingests.running().exclude(pk=ingest.pk).exists()
    if ended and not is_read_elsewhere:
        remove_uploads(ingest.paths)
