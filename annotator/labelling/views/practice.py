"""What an evaluator learns after a practice profile."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotator.core.http import AnnotatorRequest
from annotator.labelling.queries import own_work
from annotator.models import Assignment
from annotator.quality.queries.practice import feedback, verdict


@login_required
@require_safe
def practice(request: AnnotatorRequest, assignment_id: int) -> HttpResponse:
    """Where one's own answers differ from what is known, and why. Only after submitting, and only in practice."""
    practised = own_work(request.user).filter(submitted_at__isnull=False, batch__is_practice=True)
    assignment = get_object_or_404(practised, pk=assignment_id)
    rows = feedback(assignment)
    context = {"assignment": assignment, "batch": assignment.batch, "rows": rows, "verdict": verdict(rows)}
    context |= {"is_own": True, "goes_on": _goes_on(assignment)}
    return render(request, "annotator/quality/practice.html", context)


def _goes_on(assignment: Assignment) -> bool:
    """Whether there is another profile to practise. 1 query."""
    batch = assignment.batch
    if batch.closed_at or batch.paused_at:
        return False
    left = batch.assignments.filter(annotator=assignment.annotator_id, submitted_at=None, skipped_at=None)
    return left.exists()
