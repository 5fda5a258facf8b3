"""The page to draw a batch or to redraw a draft, with a preview."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotator.batches.drafts import draw_draft, redraw_draft
from annotator.batches.drawing.candidates import DrawRefused
from annotator.batches.drawing.plan import Plan
from annotator.batches.forms import CriteriaForm, PlanForm, initial_values
from annotator.batches.queries.preview import preview
from annotator.batches.refusals import BatchRefused
from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.core.parameters import read_number
from annotator.models import Batch, GuidelineVersion
from profiles.models import Corpus


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_batch(request: AnnotatorRequest) -> HttpResponse:
    form = _form(request, initial={"corpus": request.GET.get("corpus"), "prefer_thin": "prefer" in request.GET})
    if request.method != "POST" or _is_preview(request):
        return _page(request, form)
    try:
        batch = draw_draft(form.plan, by=request.user, request=request) if form.is_valid() else None
    except (BatchRefused, DrawRefused) as refusal:
        form.add_error(None, str(refusal))
        batch = None
    if batch is None:
        return _page(request, form)
    messages.success(request, f"“{batch.name}” was drawn. Check it, then start it. Evaluators don’t see it until then.")
    return redirect("annotator:batch_setup", batch.pk)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_batch(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    """Redraw a draft by a changed plan."""
    drafts = Batch.objects.filter(started_at=None).select_related("corpus", "guideline", "recipe")
    batch = get_object_or_404(drafts, pk=batch_id)
    form = _form(request, initial=initial_values(Plan.of_batch(batch)) | {"version": batch.version})
    if request.method != "POST" or _is_preview(request):
        return _page(request, form, batch)
    try:
        is_redrawn = form.is_valid() and _redraw(request, batch, form)
    except (BatchRefused, DrawRefused) as refusal:
        form.add_error(None, str(refusal))
        is_redrawn = False
    if not is_redrawn:
        return _page(request, form, batch)
    messages.success(request, f"“{form.plan.name}” was redrawn.")
    return redirect("annotator:batch_setup", batch.pk)


@admin_required
@require_safe
def preview_batch(request: AnnotatorRequest) -> HttpResponse:
    """The preview fragment for the current state of the form."""
    number = read_number(request.GET.get("batch"))
    batch = Batch.objects.filter(pk=number).first() if number else None
    context = _preview(CriteriaForm(request.GET), batch)
    return render(request, "annotator/batches/batch_plan.html#preview", context)


def _redraw(request: AnnotatorRequest, batch: Batch, form: PlanForm) -> bool:
    based_on = form.cleaned_data["version"] or 0  # no version in the form: refuse it as outdated
    redraw_draft(batch, form.plan, based_on=based_on, by=request.user, request=request)
    return True


def _form(request: AnnotatorRequest, initial: dict[str, Any]) -> PlanForm:
    data = request.POST if request.method == "POST" else None
    return PlanForm(data, initial=initial, needs_name=not _is_preview(request))


def _is_preview(request: AnnotatorRequest) -> bool:
    """Whether the preview button was pressed, which people need without JavaScript."""
    return request.POST.get("wanted") == "preview"


def _page(request: AnnotatorRequest, form: PlanForm, batch: Batch | None = None) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "batch": batch, "preview": None, "problem": "", "errors": []}
    context |= {
        "has_guidelines": GuidelineVersion.objects.exists(),
        "has_corpora": Corpus.objects.ready().current().exists(),
        "more": [form[name] for name in ("seed", "recipe", "planted", "due_on")],
    }
    if form.is_bound:
        context |= _preview(CriteriaForm(request.POST), batch)
    return render(request, "annotator/batches/batch_plan.html", context, status=422 if form.errors else 200)


def _preview(form: CriteriaForm, batch: Batch | None) -> dict[str, Any]:
    if not form.is_valid():
        problems = [f"{form[name].label}: {errors[0]}" for name, errors in form.errors.items()]
        return {"preview": None, "problem": "", "errors": problems}
    try:
        options = form.draw_options()
        shown = preview(form.population(batch.pk if batch else None), options)
    except DrawRefused as refusal:
        return {"preview": None, "problem": str(refusal), "errors": []}
    return {"preview": shown, "problem": shown.problem, "errors": []}
