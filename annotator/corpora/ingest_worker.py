"""Run an ingest in a worker."""

import structlog

from annotator.core.uploads import remove_uploads
from annotator.corpora.refused_imports import remember_refusal
from annotator.detection.services import detect_in_background
from profiles.ingest.plan import IngestRefused
from profiles.ingest.requests import discard_empty
from profiles.ingest.run import claim_ingest, run_ingest
from profiles.ingest.work_folder import WorkFolder
from profiles.jobs.claims import NotFree
from profiles.models import Ingest

log = structlog.get_logger(__name__)


def run(ingest_id: int) -> None:
    """Run an ingest once, however often it is requested. Remove its uploads when it has ended."""
    ingest = Ingest.objects.get(pk=ingest_id)
    try:
        claim_ingest(ingest)
    except NotFree:
        return
    try:
        run_ingest(ingest)
        detect_in_background(ingest.corpus)
    except IngestRefused as refusal:
        log.warning("ingest refused", ingest=ingest_id)  # the reason is in the row
        _discard_empty(ingest, str(refusal))
    finally:
        _remove_uploads(ingest)


def _discard_empty(ingest: Ingest, reason: str) -> None:
    """Remove the corpus that this ingest created, if nothing could be read into it."""
    corpus_id, name = ingest.corpus_id, ingest.corpus.name
    work = WorkFolder(ingest.corpus)
    if discard_empty(ingest):
        work.remove()
        remember_refusal(corpus_id, name, reason)


def _remove_uploads(ingest: Ingest) -> None:
    """Remove the uploads, unless the ingest was killed and may resume, or another ingest of the corpus is running."""
    may_resume = Ingest.objects.filter(pk=ingest.pk, finished_at=None).exists()
    is_read_elsewhere = Ingest.objects.running().filter(corpus=ingest.corpus_id).exclude(pk=ingest.pk).exists()
    if not may_resume and not is_read_elsewhere:
        remove_uploads(ingest.paths)
