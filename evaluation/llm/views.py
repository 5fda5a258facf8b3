"""Model endpoints, for admins: list, add, change, confirm, try and archive them."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.core.sort_order import Sorting
from evaluation.llm import services
from evaluation.llm.endpoints import EndpointRefused
from evaluation.llm.forms import ConfirmationForm, EndpointForm
from evaluation.llm.queries import ENDPOINT_COLUMNS, endpoint_row, endpoints_page
from evaluation.llm.trial import Trial
from evaluation.models import ModelEndpoint

SAVED = "“{name}” was saved."
KEY_DROPPED = (
    "The stored key was removed, because it belongs to the old address. Enter the new one's key if it needs one."
)
ONE_QUESTION = "“{name}” was saved. One question before it can be used."
CONFIRMED = "“{name}” can be used now."
ARCHIVED = "“{name}” was archived, and its key deleted. Results of its runs stay."
NAME_TAKEN = "Another endpoint has this name."
MEANWHILE = "Somebody else changed this endpoint in the meantime, so nothing was saved. Reload the page and look first."
JUST_NOW = "It was tried a moment ago. Wait a few seconds, then try again."


@admin_required
@require_safe
def endpoints(request: AnnotatorRequest) -> HttpResponse:
    sorting = Sorting.read(request.GET, ENDPOINT_COLUMNS, default="name")
    context = {"page": endpoints_page(sorting, request.GET.get("page", "1")), "sorting": sorting}
    return render(request, "evaluation/llm/endpoints.html", context)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_endpoint(request: AnnotatorRequest) -> HttpResponse:
    form = EndpointForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            saved = services.add_endpoint(form.cleaned_data, form.key_change(), by=request.user, request=request)
        except services.NameTaken:
            form.add_error("name", NAME_TAKEN)
        else:
            return _after_saving(request, saved)
    return render(request, "evaluation/llm/new_endpoint.html", {"form": form}, status=422 if form.errors else 200)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def change_endpoint(request: AnnotatorRequest, endpoint_id: int) -> HttpResponse:
    """The form, what the last trial said, and the buttons."""
    row = _usable(endpoint_id)
    if request.method != "POST":
        form = EndpointForm(instance=row, initial={"version": services.version_of(row)})
        return _change_page(request, row, form)
    form = EndpointForm(request.POST, instance=_usable(endpoint_id))
    if form.is_valid():
        try:
            saved = services.change_endpoint(
                row.pk, form.cleaned_data, form.key_change(), version=form.cleaned_data["version"], by=request.user,
                request=request,
            )  # fmt: skip
        except services.NameTaken:
            form.add_error("name", NAME_TAKEN)
        except services.ChangedMeanwhile:
            form.add_error(None, MEANWHILE)
        else:
            return _after_saving(request, saved)
    return _change_page(request, row, form)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_endpoint(request: AnnotatorRequest, endpoint_id: int) -> HttpResponse:
    """Ask whether people's texts may leave this machine, naming where they would go."""
    row = _usable(endpoint_id)
    endpoint = endpoint_row(row)
    form = ConfirmationForm(request.POST if request.method == "POST" else None, named=endpoint.host)
    if form.is_valid():
        try:
            services.confirm_host(row.pk, form.cleaned_data["host"], by=request.user, request=request)
        except services.ChangedMeanwhile:
            form.add_error(None, MEANWHILE)
        except EndpointRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, CONFIRMED.format(name=row.name))
            return redirect("evaluation:change_endpoint", row.pk)
    context = {"endpoint": endpoint, "form": form}
    return render(request, "evaluation/llm/confirm_endpoint.html", context, status=422 if form.errors else 200)


@admin_required
@require_POST
def check_endpoint(request: AnnotatorRequest, endpoint_id: int) -> HttpResponse:
    """Try the endpoint, and show what came back."""
    row = _usable(endpoint_id)
    trial, refusal = _try(row)
    if request.htmx:
        context = {"endpoint": endpoint_row(row), "trial": trial, "refusal": refusal}
        return render(request, "evaluation/llm/change_endpoint.html#trial", context)
    if refusal:
        messages.error(request, refusal)
    return redirect("evaluation:change_endpoint", row.pk)


@admin_required
@require_POST
def archive_endpoint(request: AnnotatorRequest, endpoint_id: int) -> HttpResponse:
    """Archiving what is archived already is no mistake: somebody clicked twice."""
    row = get_object_or_404(ModelEndpoint, pk=endpoint_id)
    services.archive_endpoint(row.pk, by=request.user, request=request)
    messages.success(request, ARCHIVED.format(name=row.name))
    return redirect("evaluation:endpoints")


def _usable(endpoint_id: int) -> ModelEndpoint:
    return get_object_or_404(ModelEndpoint.objects.usable().select_related("confirmed_by"), pk=endpoint_id)


def _try(row: ModelEndpoint) -> tuple[Trial | None, str]:
    """A trial, or why there is none now; then the last one."""
    try:
        return services.try_out(row), ""
    except services.TriedJustNow:
        return services.last_trial(row), JUST_NOW
    except EndpointRefused as refusal:
        return None, str(refusal)


def _after_saving(request: AnnotatorRequest, saved: services.Saved) -> HttpResponse:
    endpoint = endpoint_row(saved.endpoint)
    if saved.dropped_key:
        messages.warning(request, KEY_DROPPED)
    if endpoint.needs_confirmation:
        messages.success(request, ONE_QUESTION.format(name=endpoint.name))
        return redirect("evaluation:confirm_endpoint", endpoint.pk)
    messages.success(request, SAVED.format(name=endpoint.name))
    return redirect("evaluation:change_endpoint", endpoint.pk)


def _change_page(request: AnnotatorRequest, row: ModelEndpoint, form: EndpointForm) -> HttpResponse:
    context: dict[str, Any] = {"endpoint": endpoint_row(row), "form": form, "trial": services.last_trial(row)}
    status = 422 if form.errors else 200
    return render(request, "evaluation/llm/change_endpoint.html", context, status=status)
