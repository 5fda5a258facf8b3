"""Make a practice batch."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.models import Batch, GuidelineVersion
from annotator.quality.forms import PracticeForm
from annotator.quality.services.practice import PracticeRefused, choose_practice, make_practice

NO_GUIDELINES = "There are no guidelines to label by yet. Publish them first."


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
