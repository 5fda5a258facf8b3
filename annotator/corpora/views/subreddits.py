"""The list of subreddits and their hints: browse, add, change, remove."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.core.sort_order import Sorting
from annotator.corpora.forms.subreddits import DUPLICATE_HINT, HintForm, SubredditFilterForm
from annotator.corpora.queries.subreddits import SUBREDDIT_COLUMNS, subreddits_page
from annotator.corpora.services import hints as services
from profiles.models import AttributeHint


@admin_required
@require_safe
def subreddits(request: AnnotatorRequest) -> HttpResponse:
    template = (
        "annotator/corpora/subreddits.html#subreddit-rows" if request.htmx else "annotator/corpora/subreddits.html"
    )
    return _page(request, template, HintForm())


@admin_required
@require_POST
def add_hint(request: AnnotatorRequest) -> HttpResponse:
    """Add a hint. htmx gets the form alone, with a trigger that makes the list reload."""
    form, added = HintForm(request.POST), None
    if form.is_valid():
        try:
            added = services.add_hint(form.row, by=request.user, request=request)
        except services.DuplicateHint:
            form.add_error("value", DUPLICATE_HINT)
    if request.htmx:
        context = {"hint_form": HintForm() if added else form, "added": form.row if added else None}
        response = render(request, "annotator/corpora/subreddits.html#hint-form", context, status=200 if added else 422)
        if added:
            response["HX-Trigger"] = "hints-changed"
        return response
    if not added:
        return _page(request, "annotator/corpora/subreddits.html", form, status=422)
    messages.success(request, f"The hint for r/{form.row.subreddit} was added.")
    return redirect("annotator:subreddits")


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def change_hint(request: AnnotatorRequest, hint_id: int) -> HttpResponse:
    hint = _hint(hint_id)
    initial = {"attribute": hint.attribute, "value": hint.value, "reason": hint.reason}
    form = HintForm(request.POST if request.method == "POST" else None, initial=initial, subreddit=hint.subreddit.name)
    if request.method == "POST" and form.is_valid():
        try:
            changed = services.change_hint(hint, form.row, by=request.user, request=request)
        except services.DuplicateHint:
            form.add_error("value", DUPLICATE_HINT)
        else:
            outcome = "was saved" if changed else "didn’t change"
            messages.success(request, f"The hint for {hint.subreddit} {outcome}.")
            return redirect("annotator:subreddits")
    context = {"hint": hint, "form": form}
    return render(request, "annotator/corpora/change_hint.html", context, status=422 if form.errors else 200)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def remove_hint(request: AnnotatorRequest, hint_id: int) -> HttpResponse:
    """Ask for confirmation first. Removing a hint twice is not an error."""
    if request.method != "POST":
        return render(request, "annotator/corpora/remove_hint.html", {"hint": _hint(hint_id)})
    removed = services.remove_hint(hint_id, by=request.user, request=request)
    messages.success(request, "The hint was removed." if removed else "The hint had already been removed.")
    return redirect("annotator:subreddits")


def _hint(hint_id: int) -> AttributeHint:
    return get_object_or_404(AttributeHint.objects.select_related("subreddit"), pk=hint_id)


def _page(request: AnnotatorRequest, template: str, hint_form: HintForm, status: int = 200) -> HttpResponse:
    form = SubredditFilterForm(request.GET)
    form.is_valid()  # an invalid filter is reported and ignored
    sorting = Sorting.read(request.GET, SUBREDDIT_COLUMNS, default="name")
    page = subreddits_page(sorting, request.GET.get("page", "1"), form.cleaned_data)
    context = {
        "form": form, "page": page, "sorting": sorting, "is_filtered": bool(request.GET), "hint_form": hint_form,
        "added": None,
    }  # fmt: skip
    return render(request, template, context, status=status)
