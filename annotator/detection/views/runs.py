"""The detection runs of a corpus: list them and start one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import admin_required, staff_required
from annotator.core.heartbeat import workers_to_show
from annotator.core.http import AnnotatorRequest
from annotator.core.parameters import read_number
from annotator.core.sort_order import Sorting
from annotator.detection import services
from annotator.detection.queries.models import available_models
from annotator.detection.queries.runs import RUN_COLUMNS, runs_of, runs_page, to_compare
from annotator.models import Role
from profiles.detection.recipes import Contents
from profiles.models import Corpus, DetectionRun, Recipe

STARTED = "Detection has started. It runs in the background, so you can close this page."
ALL_DONE = "Every comment in the corpus has already been analysed with this recipe."
IS_PAUSED = "This run is paused. Resume it to continue."


@staff_required
@require_safe
def detection(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Runs of a corpus. htmx reloads the rows alone while one is live."""
    corpus = ready_corpus(corpus_id)
    runs = runs_of(corpus)
    sorting = Sorting.read(request.GET, RUN_COLUMNS, default="started")
    page = runs_page(runs, sorting, request.GET.get("page", "1"))
    context = {"corpus": corpus, "runs": runs, "is_live": any(run.is_live for run in runs)}
    context |= {"page": page, "sorting": sorting}
    context |= {"workers": workers_to_show(), "is_admin": request.user.has_role(Role.ADMIN)}
    if request.htmx:
        return render(request, "annotator/detection/runs.html#runs", context)
    context |= {"models": available_models(), "choices": to_compare(runs)}
    return render(request, "annotator/detection/runs.html", context)


@admin_required
@require_POST
def start_detection(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Start a run with the default recipe or an existing one. Pressing twice does no harm."""
    corpus = ready_corpus(corpus_id)
    try:
        run = services.start_run(
            corpus, recipe_contents(request.POST.get("recipe", "")), by=request.user, request=request
        )
    except services.DetectionRefused as refusal:
        messages.warning(request, str(refusal))
        return redirect("annotator:detection", corpus_id)
    add_state_message(request, run)
    return redirect("annotator:detection_run", corpus_id, run.pk)


def ready_corpus(corpus_id: int) -> Corpus:
    return get_object_or_404(Corpus.objects.ready(), pk=corpus_id)


def add_state_message(request: AnnotatorRequest, run: DetectionRun) -> None:
    """Say whether the run started, is paused, or was done before."""
    run.refresh_from_db()
    if run.finished_at:
        messages.info(request, ALL_DONE)
    elif run.paused_at:
        messages.warning(request, IS_PAUSED)
    else:
        messages.success(request, STARTED)


def recipe_contents(recipe_id: str) -> Contents | None:
    """Contents of the recipe with this id, or None (the default) without an id."""
    if not recipe_id:
        return None
    recipe = get_object_or_404(Recipe, pk=read_number(recipe_id))
    return Contents.from_json(recipe.contents)
