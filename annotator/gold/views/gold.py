"""The gold set of a corpus: numbers, records, rebuild, targets."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotator.core.access import admin_required, staff_required
from annotator.core.http import AnnotatorRequest
from annotator.core.jobs import ShownJob, fragment_context
from annotator.core.sort_order import Sorting
from annotator.gold.forms.gold import AttributeForm, RecordsForm, TargetsForm
from annotator.gold.queries import gold as queries
from annotator.gold.queries.builds import build_of, show_build
from annotator.gold.queries.charts import heat_maps
from annotator.gold.queries.open_work import waiting_page, waiting_profiles
from annotator.gold.queries.prompted_answers import PROMPTED_COLUMNS, count_prompted, prompted_page
from annotator.gold.queries.records import RECORD_COLUMNS, records_page
from annotator.gold.services.builds import request_build, request_stale_builds
from annotator.gold.targets import OutdatedTargets, set_targets
from annotator.models import Reached, Role
from profiles.attributes import Attribute
from profiles.models import Corpus

TARGETS_OUTDATED = (
    "Someone else has changed the targets, so yours were not saved. Your numbers are kept below, with the saved value "
    "beside each one that differs. Save again to replace the saved values."
)
REQUIRED = {None: "", True: "yes", False: "no"}  # as in the export form


@staff_required
@require_safe
def gold_sets(request: AnnotatorRequest) -> HttpResponse:
    """List every corpus with its gold set. If there is only one, redirect to its page."""
    corpora = queries.gold_by_corpus()
    if len(corpora) == 1:
        return redirect("annotator:gold", corpora[0].pk)
    return render(request, "annotator/gold/gold_sets.html", {"corpora": corpora})


@staff_required
@require_safe
def gold(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Numbers, charts and targets. While a build is live, htmx reloads only its panel."""
    corpus, form = _corpus(corpus_id), AttributeForm(request.GET)
    is_stale = bool(request_stale_builds(corpus))
    if request.htmx:
        return _build_panel(request, show_build(build_of(corpus), is_stale=is_stale))
    form.is_valid()  # an invalid attribute means all
    chosen = form.cleaned_data.get("attribute")
    shown = queries.gold_of(corpus)
    targets = queries.target_rows(shown.have, queries.targets_of(corpus))
    records = reverse("annotator:gold_records", args=[corpus.pk])
    context = {
        "corpus": corpus,
        "gold": shown,
        "is_stale": is_stale,
        "waiting": waiting_profiles(corpus).count(),
        "prompted": count_prompted(corpus),
        "job": show_build(shown.build, is_stale=is_stale),
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
    """The filtered list of records."""
    corpus, form = _corpus(corpus_id), RecordsForm(request.GET)
    form.is_valid()  # an invalid filter is reported and ignored
    sorting = Sorting.read(request.GET, RECORD_COLUMNS, default="profile")
    page = records_page(corpus, form.cleaned_data, sorting, request.GET.get("page", "1"))
    context = {
        "corpus": corpus, "form": form, "page": page, "sorting": sorting,
        "export": _export_address(corpus, form.cleaned_data),
    }  # fmt: skip
    return render(request, "annotator/gold/gold_records.html", context)


@staff_required
@require_safe
def prompted_answers(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Answers that people confirmed after a model had claimed them."""
    corpus = _corpus(corpus_id)
    sorting = Sorting.read(request.GET, PROMPTED_COLUMNS, default="profile")
    page = prompted_page(corpus, sorting, request.GET.get("page", "1"))
    context = {"corpus": corpus, "page": page, "sorting": sorting}
    return render(request, "annotator/gold/prompted_answers.html", context)


@staff_required
@require_safe
def waiting(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Profiles that have judgements but no current gold, and what they wait for."""
    corpus = _corpus(corpus_id)
    context = {"corpus": corpus, "page": waiting_page(corpus, request.GET.get("page", "1"))}
    return render(request, "annotator/gold/waiting.html", context)


@staff_required
@require_POST
def rebuild_gold(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Request a build from a worker. Pressing the button twice in a row requests it once."""
    corpus = _corpus(corpus_id)
    request_build(corpus.pk)
    messages.success(request, "Gold is being rebuilt. This page shows its progress.")
    return redirect("annotator:gold", corpus.pk)


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def targets(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Edit the targets. Keep the input if it is invalid, or if somebody else saved first."""
    corpus = _corpus(corpus_id)
    saved = queries.targets_of(corpus)
    if request.method != "POST":
        return _targets_page(request, corpus, TargetsForm(targets=saved))
    form = TargetsForm(request.POST, targets=saved)
    if form.is_valid():
        try:
            state = form.cleaned_data["state"]
            changed = set_targets(corpus, form.targets, based_on=state, by=request.user, request=request)
        except OutdatedTargets:
            form.add_error(None, TARGETS_OUTDATED)
            form.rebase_on(queries.targets_of(corpus))
        else:
            messages.success(request, f"The targets are saved; {changed} changed." if changed else "Nothing changed.")
            return redirect("annotator:gold", corpus.pk)
    return _targets_page(request, corpus, form, status=422)


def _corpus(corpus_id: int) -> Corpus:
    return get_object_or_404(Corpus.objects.ready(), pk=corpus_id)


def _build_panel(request: AnnotatorRequest, job: ShownJob | None) -> HttpResponse:
    """Only the panel. Once the build is over, reload the whole page to show the new numbers."""
    if job is None or not job.is_live:
        return HttpResponseClientRefresh()
    context = {"job": job} | fragment_context(job, request.GET)
    return render(request, "annotator/gold/gold.html#gold-build", context)


def _export_address(corpus: Corpus, filters: dict[str, Any]) -> str:
    """Address of the export form with the same filters, as far as exports support them."""
    options = {
        "corpus": corpus.pk,
        "attributes": filters.get("attribute"),
        "hardness": filters.get("hardness"),
        "min_certainty": filters.get("certainty"),
        "adjudicated_only": "on" if filters.get("reached") == Reached.ADJUDICATED else "",
        "required_subreddit": REQUIRED[filters.get("required_subreddit")],
    }
    query = urlencode({name: value for name, value in options.items() if value not in ("", None)})
    return f"{reverse('annotator:exports')}?{query}"


def _targets_page(request: AnnotatorRequest, corpus: Corpus, form: TargetsForm, status: int = 200) -> HttpResponse:
    return render(request, "annotator/gold/targets.html", {"corpus": corpus, "form": form}, status=status)
