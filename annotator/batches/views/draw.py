"""Drawing a batch, and drawing a draft anew, with the count and a preview while one chooses."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from annotator.batches.changes import BatchRefused
from annotator.batches.drafts import draw_draft, redraw_draft
from annotator.batches.drawing.candidates import DrawRefused
from annotator.batches.drawing.plan import NOTHING_IS_THIN, plan_of
from annotator.batches.drawing.weights import thin_weights
from annotator.batches.forms import CriteriaForm, PlanForm, initial_of
from annotator.batches.queries.preview import preview
from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.models import Batch, GuidelineVersion
from profiles.models import Corpus


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_batch(request: AnnotatorRequest) -> HttpResponse:
    form = _form(request, initial={"corpus": request.GET.get("corpus"), "prefer_thin": "prefer" in request.GET})
    if request.method != "POST" or _only_asks(request):
        return _page(request, form)
    try:
        batch = draw_draft(form.plan, by=request.user, request=request) if form.is_valid() else None
    except (BatchRefused, DrawRefused) as refusal:
        form.add_error(None, str(refusal))
        batch = None
    if batch is None:
        return _page(request, form)
    messages.success(request, f"“{batch.name}” was drawn. Look it over, then start it: until then nobody sees it.")
    return redirect("annotator:batch_setup", batch.pk)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_batch(request: AnnotatorRequest, batch_id: int) -> HttpResponse:
    """A draft drawn anew by a changed plan."""
    drafts = Batch.objects.filter(started_at=None).select_related("corpus", "guideline", "recipe")
    batch = get_object_or_404(drafts, pk=batch_id)
    form = _form(request, initial=initial_of(plan_of(batch)) | {"version": batch.version})
    if request.method != "POST" or _only_asks(request):
        return _page(request, form, batch)
    try:
        done = form.is_valid() and _redraw(request, batch, form)
    except (BatchRefused, DrawRefused) as refusal:
        form.add_error(None, str(refusal))
        done = False
    if not done:
        return _page(request, form, batch)
    messages.success(request, f"“{form.plan.name}” was drawn anew.")
    return redirect("annotator:batch_setup", batch.pk)


@admin_required
@require_safe
def preview_batch(request: AnnotatorRequest) -> HttpResponse:
    """How many fit and who would be drawn, for the page that is open."""
    given = request.GET.get("batch", "")
    batch = Batch.objects.filter(pk=given).first() if given.isascii() and given.isdigit() and len(given) < 18 else None
    context = _preview(CriteriaForm(request.GET), batch)
    return render(request, "annotator/batches/batch_plan.html#preview", context)


def _redraw(request: AnnotatorRequest, batch: Batch, form: PlanForm) -> bool:
    based_on = form.cleaned_data["version"] or 0  # one that says none saw none
    redraw_draft(batch, form.plan, based_on=based_on, by=request.user, request=request)
    return True


def _form(request: AnnotatorRequest, initial: dict[str, Any]) -> PlanForm:
    data = request.POST if request.method == "POST" else None
    return PlanForm(data, initial=initial, needs_name=not _only_asks(request))


def _only_asks(request: AnnotatorRequest) -> bool:
    """Somebody without scripts wants to see the count first."""
    return request.POST.get("wanted") == "preview"


def _page(request: AnnotatorRequest, form: PlanForm, batch: Batch | None = None) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "batch": batch, "preview": None, "problem": "", "errors": []}
    context |= {
        "has_guidelines": GuidelineVersion.objects.exists(),
        "has_corpora": Corpus.objects.ready().exists(),
        "more": [form[name] for name in ("seed", "recipe", "planted", "due_on")],
    }
    if form.is_bound:
        context |= _preview(CriteriaForm(request.POST), batch)
    return render(request, "annotator/batches/batch_plan.html", context, status=422 if form.errors else 200)


def _preview(form: CriteriaForm, batch: Batch | None) -> dict[str, Any]:
    """What can be said of a draw: numbers, or why there are none."""
    if not form.is_valid():
        wrong = [f"{form[name].label}: {told[0]}" for name, told in form.errors.items()]
        return {"preview": None, "problem": "", "errors": wrong}
    try:
        weights = thin_weights(form.cleaned_data["corpus"]) if form.cleaned_data["prefer_thin"] else {}
        if form.cleaned_data["prefer_thin"] and not weights:
            raise DrawRefused(NOTHING_IS_THIN)
        shown = preview(form.ground(batch.pk if batch else None), form.wish(weights))
    except DrawRefused as refusal:
        return {"preview": None, "problem": str(refusal), "errors": []}
    return {"preview": shown, "problem": shown.problem, "errors": []}
