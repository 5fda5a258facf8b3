"""The gold set: how much there is of what, where it came from, what is still wanted."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotator.core.access import admin_required, staff_required
from annotator.core.http import AnnotatorRequest
from annotator.gold.forms.gold import AttributeForm, RecordsForm, TargetsForm
from annotator.gold.queries import gold as queries
from annotator.gold.queries.charts import heat_maps
from annotator.gold.queries.records import records_page
from annotator.gold.services.builds import request_build, request_stale_builds
from annotator.gold.services.targets import TargetsChangedMeanwhile, set_targets
from annotator.models import Reached, Role
from profiles.attributes import Attribute
from profiles.models import Corpus

MEANWHILE = (
    "Somebody changed the targets meanwhile. Nothing was saved. Your numbers are kept below; beside those that differ "
    "stands what is saved now. Save once more to replace it."
)
REQUIRED = {None: "", True: "yes", False: "no"}  # as the form of exports says it


@staff_required
@require_safe
def gold_sets(request: AnnotatorRequest) -> HttpResponse:
    """Every corpus and what there is of it. Where there is one, its page."""
    corpora = queries.gold_by_corpus()
    if len(corpora) == 1:
        return redirect("annotator:gold", corpora[0].pk)
    return render(request, "annotator/gold/gold_sets.html", {"corpora": corpora})


@staff_required
@require_safe
def gold(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    corpus, form = _corpus(corpus_id), AttributeForm(request.GET)
    form.is_valid()  # an attribute that is none means all
    chosen = form.cleaned_data.get("attribute")
    is_stale, shown = bool(request_stale_builds(corpus)), queries.gold_of(corpus)
    targets = queries.target_rows(shown.have, queries.targets_of(corpus))
    records = reverse("annotator:gold_records", args=[corpus.pk])
    context = {
        "corpus": corpus,
        "gold": shown,
        "is_stale": is_stale,
        "ways": [way.capitalize() for way in Reached.values],
        "maps": heat_maps(shown, records, Attribute(chosen) if chosen else None),
        "form": form,
        "targets": targets,
        "missing": sum(row.missing for row in targets),
        "has_targets": any(cell.wanted for row in targets for cell in row.cells),
        "is_admin": request.user.has_role(Role.ADMIN),
    }
    return render(request, "annotator/gold/gold.html", context)


@staff_required
@require_safe
def gold_records(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """The records behind a number."""
    corpus, form = _corpus(corpus_id), RecordsForm(request.GET)
    form.is_valid()  # a filter that makes no sense is told, and left out
    page = records_page(corpus, form.cleaned_data, request.GET.get("page", "1"))
    kept = request.GET.copy()
    kept.pop("page", None)
    query = f"{kept.urlencode()}&" if kept else ""
    context = {
        "corpus": corpus, "form": form, "page": page, "query": query, "export": _export_like(corpus, form.cleaned_data),
    }  # fmt: skip
    return render(request, "annotator/gold/gold_records.html", context)


@staff_required
@require_POST
def rebuild_gold(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Ask for it; a worker does it. Pressed twice, it is done once."""
    corpus = _corpus(corpus_id)
    request_build(corpus.pk)
    messages.success(request, "It is being worked out again. Open this page once more in a moment.")
    return redirect("annotator:gold", corpus.pk)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def targets(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """What is typed is kept when it is refused, or when somebody else was faster."""
    corpus = _corpus(corpus_id)
    now = queries.targets_of(corpus)
    if request.method != "POST":
        return _targets_page(request, corpus, TargetsForm(wanted=now))
    form = TargetsForm(request.POST, wanted=now)
    if form.is_valid():
        try:
            state = form.cleaned_data["state"]
            changed = set_targets(corpus, form.wanted, based_on=state, by=request.user, request=request)
        except TargetsChangedMeanwhile:
            form.add_error(None, MEANWHILE)
            form.begin_again_from(queries.targets_of(corpus))
        else:
            messages.success(request, f"The targets are saved; {changed} changed." if changed else "Nothing changed.")
            return redirect("annotator:gold", corpus.pk)
    return _targets_page(request, corpus, form, status=422)


def _corpus(corpus_id: int) -> Corpus:
    return get_object_or_404(Corpus.objects.ready(), pk=corpus_id)


def _export_like(corpus: Corpus, wanted: dict[str, Any]) -> str:
    """Where to ask for a file of the same records, as far as an export can be narrowed down."""
    likewise = {
        "corpus": corpus.pk,
        "attributes": wanted.get("attribute"),
        "hardness": wanted.get("hardness"),
        "min_certainty": wanted.get("certainty"),
        "adjudicated_only": "on" if wanted.get("reached") == Reached.ADJUDICATED else "",
        "required_subreddit": REQUIRED[wanted.get("required_subreddit")],
    }
    asked = {name: value for name, value in likewise.items() if value not in ("", None)}
    return f"{reverse('annotator:exports')}?{urlencode(asked)}"


def _targets_page(request: AnnotatorRequest, corpus: Corpus, form: TargetsForm, status: int = 200) -> HttpResponse:
    return render(request, "annotator/gold/targets.html", {"corpus": corpus, "form": form}, status=status)
