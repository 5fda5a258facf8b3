"""The quality pages of a batch, for admins: results, skips and flags, practice and planted profiles."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.core.access import admin_required
from annotator.core.audit import record_view
from annotator.core.formatting import plural
from annotator.core.http import AnnotatorRequest
from annotator.models import Batch, Flag, GuidelineVersion
from annotator.quality.forms import AgreementForm, FlagReplyForm, PlantForm, PracticeForm, RequirePracticeForm
from annotator.quality.queries import known_profiles as queries
from annotator.quality.queries.practice import feedback, verdict
from annotator.quality.services import reports as services
from annotator.quality.services.planted_profiles import PlantingRefused, plant
from annotator.quality.services.practice import PracticeRefused, choose_practice, make_practice, require_practice
from profiles.attributes import Attribute

AGREEMENT_SHOWN = "Evaluators now see their own agreement on the planted profiles of this batch."
AGREEMENT_HIDDEN = "Evaluators don’t see their agreement on planted profiles."
NO_GUIDELINES = "There are no guidelines yet. Publish them first."


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_practice(request: AnnotatorRequest) -> HttpResponse:
    form = PracticeForm(request.POST if request.method == "POST" else None, initial={"name": "Practice"})
    batch = _create_practice(request, form) if form.is_valid() else None
    if batch is None:
        status = 422 if form.is_bound else 200
        return render(request, "annotator/quality/new_practice.html", {"form": form}, status=status)
    messages.success(request, f"The practice batch “{batch.name}” was created. Evaluators can start it now.")
    return redirect("annotator:batch_quality", batch.pk)


def _create_practice(request: AnnotatorRequest, form: PracticeForm) -> Batch | None:
    values, guideline = form.cleaned_data, GuidelineVersion.objects.order_by("-number").first()
    try:
        if guideline is None:
            raise PracticeRefused(NO_GUIDELINES)
        return make_practice(
            name=values["name"], corpus=values["corpus"], guideline=guideline,
            profiles=choose_practice(values["corpus"], values["size"]), created_by=request.user, request=request,
        )  # fmt: skip
    except PracticeRefused as refusal:
        form.add_error(None, str(refusal))
        return None


@admin_required
@require_safe
def batch_quality(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    return _quality_page(request, _batch(batch_id))


@admin_required
@require_safe
def known_result(request: AnnotatorRequest, batch_id: int, assignment_id: int) -> HttpResponse:
    """Show an admin somebody's answers on a known profile, on the annotators' feedback page."""
    batch = _batch(batch_id)
    assignment = get_object_or_404(queries.known_assignments(batch), pk=assignment_id)
    record_view(assignment.profile_id, by=request.user, page="known answers", request=request)
    rows = feedback(assignment)
    context = {"assignment": assignment, "batch": batch, "rows": rows, "verdict": verdict(rows), "is_own": False}
    return render(request, "annotator/quality/practice.html", context)


@admin_required
@require_POST
def plant_known(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    batch, form = _batch(batch_id), PlantForm(request.POST)
    if not form.is_valid():
        return _quality_page(request, batch, plant_form=form)
    try:
        assignments = plant(batch, **form.cleaned_data, by=request.user, request=request)
    except PlantingRefused as refusal:
        messages.error(request, str(refusal))
    else:
        planted = plural(form.cleaned_data["count"], "known profile")
        messages.success(request, f"Planted {planted} in {plural(assignments, 'assignment')}.")
    return redirect("annotator:batch_quality", batch.pk)


@admin_required
@require_POST
def ask_for_practice(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    batch, form = _batch(batch_id), RequirePracticeForm(request.POST)
    if not form.is_valid():
        return _quality_page(request, batch, practice_form=form)
    practice = form.cleaned_data["practice"]
    try:
        require_practice(batch, practice, by=request.user, request=request)
    except PracticeRefused as refusal:
        messages.error(request, str(refusal))
    else:
        notice = f"“{practice.name}” now has to be finished first." if practice else "Practice is no longer required."
        messages.success(request, notice)
    return redirect("annotator:batch_quality", batch.pk)


@admin_required
@require_POST
def handle_skip(request: AnnotatorRequest, batch_id: int, assignment_id: int) -> HttpResponse:
    """Mark a skip as handled. Repeating it changes nothing."""
    skipped = get_object_or_404(_batch(batch_id).assignments.skipped(), pk=assignment_id)
    services.handle_skip(skipped, by=request.user, request=request)
    return redirect(f"{reverse('annotator:batch_quality', args=[batch_id])}#skipped")


@admin_required
@require_POST
def handle_flag(request: AnnotatorRequest, batch_id: int, flag_id: int) -> HttpResponse:
    flag = get_object_or_404(Flag.objects.select_related("assignment"), pk=flag_id, assignment__batch=batch_id)
    form = FlagReplyForm(request.POST)
    if not form.is_valid():
        messages.error(request, f"The flag is still open. {form.errors['reply'][0]}")
    else:
        services.handle_flag(flag, by=request.user, reply=form.cleaned_data["reply"], request=request)
    return redirect(f"{reverse('annotator:batch_quality', args=[batch_id])}#flags")


@admin_required
@require_POST
def show_agreement(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    """Let evaluators see their own agreement on planted profiles, or hide it."""
    batch, form = _batch(batch_id), AgreementForm(request.POST)
    shown = form.is_valid() and form.cleaned_data["shown"]
    services.show_agreement(batch, shown=shown, by=request.user, request=request)
    messages.success(request, AGREEMENT_SHOWN if shown else AGREEMENT_HIDDEN)
    return redirect("annotator:batch_quality", batch.pk)


def _batch(batch_id: int) -> Batch:
    return get_object_or_404(Batch.objects.select_related("corpus", "after_practice"), pk=batch_id)


def _quality_page(
    request: AnnotatorRequest,
    batch: Batch,
    *,
    plant_form: PlantForm | None = None,
    practice_form: RequirePracticeForm | None = None,
) -> HttpResponse:
    status = 422 if plant_form or practice_form else 200
    context = {
        "batch": batch,
        "attributes": list(Attribute),
        "results": queries.results(batch),
        "skipped": queries.skipped_assignments(batch),
        "flags": queries.flags_in(batch),
        "max_reports": queries.MAX_REPORTS,
        "may_change": not batch.is_practice and batch.closed_at is None,
        "agreement_form": AgreementForm(initial={"shown": batch.agreement_shown}),
        "plant_form": plant_form or PlantForm(),
        "practice_form": practice_form or RequirePracticeForm(initial={"practice": batch.after_practice_id}),
    }
    return render(request, "annotator/quality/batch_quality.html", context, status=status)
