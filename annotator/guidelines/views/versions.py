"""The guidelines: reading a version, seeing what changed, publishing the next."""

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.guidelines import queries, services
from annotator.guidelines.forms import GuidelinesForm
from annotator.guidelines.line_diff import Line, line_diff
from annotator.guidelines.text import LONGEST, Guidelines, problems, read_guidelines, tidied
from annotator.models import GuidelineVersion, Role

MEANWHILE = (
    "Somebody published version {number} meanwhile: compare it with your text, which is kept below. "
    "To publish yours now is to replace that version."
)


@dataclass(frozen=True, slots=True)
class Preview:
    """How a text would look, what keeps it from being published, and what it changes."""

    guidelines: Guidelines
    problems: list[str]
    changes: tuple[Line, ...]
    is_overtaken: bool = False


@login_required
@require_safe
@vary_on_headers("HX-Request")
def guidelines(request: AnnotatorRequest) -> HttpResponse:
    """The newest version."""
    newest = queries.newest_version()
    if newest is None:
        context = {"can_publish": request.user.has_role(Role.ADMIN)}
        return render(request, "annotator/guidelines/no_guidelines.html", context)
    return _version(request, newest, newest)


@login_required
@require_safe
@vary_on_headers("HX-Request")
def guideline_version(request: AnnotatorRequest, number: int) -> HttpResponse:
    shown = get_object_or_404(GuidelineVersion, number=number)
    return _version(request, shown, queries.newest_version() or shown)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_guidelines(request: AnnotatorRequest) -> HttpResponse:
    """The text of the next version. Refused, or overtaken by somebody else, it is kept as it was typed."""
    newest = queries.newest_version()
    if request.method != "POST":
        text, number = (newest.text, newest.number) if newest else (services.first_guidelines(), 0)
        return _writing(request, GuidelinesForm(initial={"text": text, "based_on": number}), newest)
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
            messages.success(request, f"Version {published.number} is published. New batches can begin with it.")
            return redirect("annotator:guideline_version", published.number)
    return _writing(request, form, newest, status=422)


def _version(request: AnnotatorRequest, shown: GuidelineVersion, newest: GuidelineVersion) -> HttpResponse:
    context: dict[str, object] = {"version": shown, "guidelines": read_guidelines(shown.text)}
    if request.htmx:
        return render(request, "annotator/guidelines/guidelines.html#guidelines-text", context)
    is_admin = request.user.has_role(Role.ADMIN)
    with_changes = "changes" in request.GET
    before = queries.version_before(shown) if with_changes else None
    context |= {
        "is_newest": shown.number == newest.number,
        "is_admin": is_admin,
        "versions": queries.versions(in_full=is_admin),
        "with_changes": with_changes,
        "before": before,
        "changes": line_diff(before.text, shown.text) if before else (),
    }
    return render(request, "annotator/guidelines/guidelines.html", context)


def _preview(request: AnnotatorRequest, newest: GuidelineVersion | None) -> HttpResponse:
    """Shows a text that is not finished yet, too; only what could never be kept is not read."""
    form = GuidelinesForm(initial=request.POST.dict())
    text = tidied(request.POST.get("text", ""))
    readable = text if len(text) <= LONGEST else ""
    changes = line_diff(newest.text, readable) if newest and readable else ()
    preview = Preview(read_guidelines(readable), problems(text), changes)
    if request.htmx:
        context = {"preview": preview, "newest": newest}
        return render(request, "annotator/guidelines/new_guidelines.html#guidelines-preview", context)
    return _writing(request, form, newest, preview)


def _overtaken(request: AnnotatorRequest, form: GuidelinesForm) -> HttpResponse:
    newest = GuidelineVersion.objects.latest("number")
    form.add_error(None, MEANWHILE.format(number=newest.number))
    form.begin_again_from(newest.number)
    text = form.cleaned_data["text"]
    preview = Preview(read_guidelines(text), [], line_diff(newest.text, text), is_overtaken=True)
    return _writing(request, form, newest, preview, status=422)


def _writing(
    request: AnnotatorRequest,
    form: GuidelinesForm,
    newest: GuidelineVersion | None,
    preview: Preview | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {"form": form, "newest": newest, "preview": preview}
    return render(request, "annotator/guidelines/new_guidelines.html", context, status=status)
