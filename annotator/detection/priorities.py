"""Which chunks of a detection run come first."""

from django.db.models import OuterRef, Subquery

from annotator.models import Batch
from profiles.models import Comment, DetectionRun

PREFERRED = 1


def prefer(batch: Batch) -> int:
    """Put the chunks with the batch's profiles first. Return how many chunks changed."""
    run = DetectionRun.objects.filter(corpus=batch.corpus_id, recipe=batch.recipe_id, finished_at=None).first()
    if run is None:
        return 0
    before = run.chunks.filter(first_comment__lte=OuterRef("pk")).order_by("-first_comment")
    comments = Comment.objects.filter(profile__in=batch.assignments.values("profile"))
    chunks = set(comments.annotate(chunk=Subquery(before.values("pk")[:1])).values_list("chunk", flat=True))
    return run.chunks.open().filter(pk__in=chunks, priority__lt=PREFERRED).update(priority=PREFERRED)
