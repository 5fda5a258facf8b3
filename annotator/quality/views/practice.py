"""Practice: what an evaluator learns after a practice profile, and the page on which admins make a practice batch."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.labelling.queries import own_work
from annotator.models import Assignment, Batch, GuidelineVersion
from annotator.quality.forms import PracticeForm
from annotator.quality.queries.practice import feedback, verdict
from annotator.quality.services.practice import PracticeRefused, choose_practice, make_practice

NO_GUIDELINES = "There are no guidelines to label by yet. Publish them first."


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


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_practice(request: AnnotatorRequest) -> HttpResponse:
    form = PracticeForm(request.POST if request.method == "POST" else None, initial={"name": "Practice"})
    batch = _made(request, form) if form.is_valid() else None
    if batch is None:
        status = 422 if form.is_bound else 200
        return render(request, "annotator/quality/new_practice.html", {"form": form}, status=status)
    messages.success(request, f"The practice batch “{batch.name}” was made. Every evaluator can begin it now.")
    return redirect("annotator:batch_quality", batch.pk)


def _made(request: AnnotatorRequest, form: PracticeForm) -> Batch | None:
    said, guideline = form.cleaned_data, GuidelineVersion.objects.order_by("-number").first()
    try:
        if guideline is None:
            raise PracticeRefused(NO_GUIDELINES)
        return make_practice(
            name=said["name"], corpus=said["corpus"], guideline=guideline,
            profiles=choose_practice(said["corpus"], said["size"]), created_by=request.user, request=request,
        )  # fmt: skip
    except PracticeRefused as refusal:
        form.add_error(None, str(refusal))
        return None


def _goes_on(assignment: Assignment) -> bool:
    """Whether there is another profile to practise. 1 query."""
    batch = assignment.batch
    if batch.closed_at or batch.paused_at:
        return False
    left = batch.assignments.filter(annotator=assignment.annotator_id, submitted_at=None, skipped_at=None)
    return left.exists()
