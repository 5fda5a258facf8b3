"""The detection runs of a corpus: the list, and starting one."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotator.core.access import admin_required, staff_required
from annotator.core.http import AnnotatorRequest
from annotator.detection import services
from annotator.detection.queries.models import models_here
from annotator.detection.queries.runs import runs_of, to_compare
from annotator.detection.queries.workers import workers_to_show
from annotator.models import Role
from profiles.detection.recipes import Contents
from profiles.models import Corpus, DetectionRun, Recipe

BEGUN = "Detection has begun. It goes on in the background; this page can be closed."
ALL_DONE = "Every comment of the corpus is analysed by this recipe already."
IS_PAUSED = "This run is paused. Resume it to let it go on."


@staff_required
@require_safe
def detection(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """The runs, the newest first. htmx asks for the rows alone while something runs."""
    corpus = ready_corpus(corpus_id)
    runs = runs_of(corpus)
    context = {"corpus": corpus, "runs": runs, "is_live": any(one.is_live for one in runs)}
    context |= {"workers": workers_to_show(), "is_admin": request.user.has_role(Role.ADMIN)}
    if request.htmx:
        return render(request, "annotator/detection/runs.html#runs", context)
    context |= {"models": models_here(), "choices": to_compare(runs)}
    return render(request, "annotator/detection/runs.html", context)


@admin_required
@require_POST
def start_detection(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """By the default recipe, or by one that is there. A second press finds it running, which is what was wanted."""
    corpus = ready_corpus(corpus_id)
    try:
        run = services.start_run(
            corpus, recipe_called(request.POST.get("recipe", "")), by=request.user, request=request
        )
    except services.DetectionRefused as refusal:
        messages.warning(request, str(refusal))
        return redirect("annotator:detection", corpus_id)
    tell_how_it_stands(request, run)
    return redirect("annotator:detection_run", corpus_id, run.pk)


def ready_corpus(corpus_id: int) -> Corpus:
    return get_object_or_404(Corpus.objects.ready(), pk=corpus_id)


def tell_how_it_stands(request: AnnotatorRequest, run: DetectionRun) -> None:
    """After it was asked for: it may have been there before."""
    run.refresh_from_db()
    if run.finished_at:
        messages.info(request, ALL_DONE)
    elif run.paused_at:
        messages.warning(request, IS_PAUSED)
    else:
        messages.success(request, BEGUN)


def recipe_called(number: str) -> Contents | None:
    """None where no number is given, which means the default."""
    if not number:
        return None
    recipe = get_object_or_404(Recipe, pk=int(number) if number.isascii() and number.isdecimal() else 0)
    return Contents.from_json(recipe.contents)
