"""Feedback after a practice profile."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from annotator.core.http import AnnotatorRequest
from annotator.labelling.queries import own_assignments
from annotator.models import Assignment
from annotator.quality.queries.practice import feedback, verdict


@login_required
@require_safe
def practice(request: AnnotatorRequest, assignment_id: int) -> HttpResponse:
    """Compare the annotator's answers with the known ones. Only for submitted assignments of practice batches."""
    submitted = own_assignments(request.user).submitted().filter(batch__is_practice=True)
    assignment = get_object_or_404(submitted, pk=assignment_id)
    rows = feedback(assignment)
    context = {"assignment": assignment, "batch": assignment.batch, "rows": rows, "verdict": verdict(rows)}
    context |= {"is_own": True, "goes_on": _has_next(assignment)}
    return render(request, "annotator/quality/practice.html", context)


def _has_next(assignment: Assignment) -> bool:
    """Whether the annotator has another practice profile to label. 1 query, or none."""
    batch = assignment.batch
    if batch.closed_at or batch.paused_at:
        return False
    return batch.assignments.unfinished().filter(annotator=assignment.annotator_id).exists()
