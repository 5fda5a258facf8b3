"""Show a version of the guidelines, compare versions, publish the next one."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.guidelines import queries, services
from annotator.guidelines.forms import GuidelinesForm
from annotator.guidelines.line_diff import DiffLine, line_diff
from annotator.guidelines.text import MAX_LENGTH, AttributeRules, Guidelines, Step, problems, read_guidelines, tidy
from annotator.models import GuidelineVersion, Role
from profiles.attributes import Attribute

MEANWHILE = (
    "Someone else has just published version {number}. Compare it with your text, which is kept below. "
    "If you publish now, yours becomes the newest version."
)


@dataclass(frozen=True, slots=True)
class GuidelinesPreview:
    """A preview of a text: how it looks, what prevents its publication, and what it changes."""

    guidelines: Guidelines
    problems: list[str]
    changes: tuple[DiffLine, ...]
    is_overtaken: bool = False


@login_required
@require_safe
@vary_on_headers("HX-Request")
def guidelines(request: AnnotatorRequest) -> HttpResponse:
    """Show the newest version."""
    newest = queries.newest_version()
    if newest is None:
        context = {"can_publish": request.user.has_role(Role.ADMIN)}
        return render(request, "annotator/guidelines/no_guidelines.html", context)
    return _version_page(request, newest, newest)


@login_required
@require_safe
@vary_on_headers("HX-Request")
def guideline_version(request: AnnotatorRequest, number: int) -> HttpResponse:
    version = get_object_or_404(GuidelineVersion, number=number)
    return _version_page(request, version, queries.newest_version() or version)


@login_required
@gzip_page
@require_safe
def guideline_cards(request: AnnotatorRequest, number: int) -> JsonResponse:
    """The rules for each card as JSON. Browsers may cache them, because a version never changes."""
    text = get_object_or_404(GuidelineVersion, number=number).text
    guidelines = read_guidelines(text)
    rules: dict[str, Any] = {
        "hardness": _steps_as_json(guidelines.hardness),
        "certainty": _steps_as_json(guidelines.certainty),
        "attributes": {attribute.value: _rules_as_json(guidelines.for_attribute(attribute)) for attribute in Attribute},
    }
    response = JsonResponse(rules)
    response["Cache-Control"] = "private, max-age=3600"
    return response


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_guidelines(request: AnnotatorRequest) -> HttpResponse:
    """Write the next version. If it's refused, or somebody else publishes first, the typed text stays in the form."""
    newest = queries.newest_version()
    if request.method != "POST":
        text, number = (newest.text, newest.number) if newest else (services.first_guidelines(), 0)
        return _form_page(request, GuidelinesForm(initial={"text": text, "based_on": number}), newest)
    if "preview" in request.POST:
        return _preview(request, newest)
    form = GuidelinesForm(request.POST)
    if form.is_valid():
        try:
            published = services.publish(**form.cleaned_data, by=request.user, request=request)
        except services.NothingChanged as refusal:
            form.add_error(None, str(refusal))
        except services.PublishedMeanwhile:
            return _overtaken(request, form)
        else:
            messages.success(request, f"Version {published.number} is published. New batches can use it.")
            return redirect("annotator:guideline_version", published.number)
    return _form_page(request, form, newest, status=422)


def _steps_as_json(steps: dict[int, Step]) -> dict[int, dict[str, str]]:
    return {number: {"definition": step.definition, "example": step.example} for number, step in steps.items()}


def _rules_as_json(rules: AttributeRules) -> dict[str, Any]:
    html = render_to_string("annotator/guidelines/_blocks.html", {"blocks": [*rules.question, *rules.cases]})
    return {"html": html, "hardness": rules.hardness}


def _version_page(request: AnnotatorRequest, version: GuidelineVersion, newest: GuidelineVersion) -> HttpResponse:
    context: dict[str, object] = {"version": version, "guidelines": read_guidelines(version.text)}
    if request.htmx:
        return render(request, "annotator/guidelines/guidelines.html#guidelines-text", context)
    is_admin = request.user.has_role(Role.ADMIN)
    with_changes = "changes" in request.GET
    before = queries.version_before(version) if with_changes else None
    context |= {
        "is_newest": version.number == newest.number,
        "is_admin": is_admin,
        "versions": queries.versions(in_full=is_admin),
        "with_changes": with_changes,
        "before": before,
        "changes": line_diff(before.text, version.text) if before else (),
    }
    return render(request, "annotator/guidelines/guidelines.html", context)


def _preview(request: AnnotatorRequest, newest: GuidelineVersion | None) -> HttpResponse:
    """Preview a text, even an unfinished one. Only a text that is too long to store is not parsed."""
    form = GuidelinesForm(initial=request.POST.dict())
    text = tidy(request.POST.get("text", ""))
    parsed = text if len(text) <= MAX_LENGTH else ""
    changes = line_diff(newest.text, parsed) if newest and parsed else ()
    preview = GuidelinesPreview(read_guidelines(parsed), problems(text), changes)
    if request.htmx:
        context = {"preview": preview, "newest": newest}
        return render(request, "annotator/guidelines/new_guidelines.html#guidelines-preview", context)
    return _form_page(request, form, newest, preview)


def _overtaken(request: AnnotatorRequest, form: GuidelinesForm) -> HttpResponse:
    newest = GuidelineVersion.objects.latest("number")
    form.add_error(None, MEANWHILE.format(number=newest.number))
    form.rebase_on(newest.number)
    text = form.cleaned_data["text"]
    preview = GuidelinesPreview(read_guidelines(text), [], line_diff(newest.text, text), is_overtaken=True)
    return _form_page(request, form, newest, preview, status=422)


def _form_page(
    request: AnnotatorRequest,
    form: GuidelinesForm,
    newest: GuidelineVersion | None,
    preview: GuidelinesPreview | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {"form": form, "newest": newest, "preview": preview}
    return render(request, "annotator/guidelines/new_guidelines.html", context, status=status)
