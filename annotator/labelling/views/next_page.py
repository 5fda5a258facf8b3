"""Where an annotator goes from here."""

from django.contrib import messages
from django.urls import reverse

from annotator.batches.claims import PracticeFirst, claim_next
from annotator.core.http import AnnotatorRequest
from annotator.models import Assignment, Batch
from annotator.quality.services.practice import start_practice


def after(request: AnnotatorRequest, assignment: Assignment) -> str:
    """In practice first what was known; then, as in every batch, the next profile."""
    if assignment.batch.is_practice:
        return reverse("annotator:practice", args=[assignment.pk])
    return where_next(request, assignment.batch)


def where_next(request: AnnotatorRequest, batch: Batch) -> str:
    """The address of the next profile, or of the page that says why there is none."""
    try:
        start_practice(batch, request.user)
        following = claim_next(batch=batch, annotator=request.user)
    except PracticeFirst as first:
        messages.warning(request, str(first))
        return reverse("annotator:home")
    if following is not None:
        return reverse("annotator:label_profile", args=[following.pk])
    messages.success(request, _why_nothing(batch))
    return reverse("annotator:batch", args=[batch.pk])


def _why_nothing(batch: Batch) -> str:
    if batch.closed_at:
        return f"The batch “{batch.name}” is closed. What you submitted is kept."
    if batch.paused_at:
        return f"The batch “{batch.name}” is paused. It goes on where you left it."
    return f"You are through with “{batch.name}”. Thank you."
