"""Writing a recipe: from the default or another one, with recognisers of one's own that can be tried first."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.detection import services
from annotator.detection.forms import RecipeForms
from annotator.detection.queries.models import begin_with, models_here
from annotator.detection.queries.trial import COMMENTS, trial_of
from annotator.detection.views.runs import ready_corpus, recipe_called, tell_how_it_stands
from profiles.models import Corpus

OTHER_NAME = "Its recipe is called “{}”: one with these contents, or one of the name you chose, is there already."


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_recipe(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Two buttons: one tries what was written on a sample, one starts the run. What was typed stays either way."""
    corpus, models = ready_corpus(corpus_id), models_here()
    if models.contents is None:
        messages.warning(request, models.problem)
        return redirect("annotator:detection", corpus_id)
    start = begin_with(models.contents, recipe_called(request.GET.get("from", "")), models.installed)
    forms = RecipeForms(request.POST if request.method == "POST" else None, start, models.installed)
    if request.method != "POST":
        return _page(request, corpus, forms)
    wanted = "start" if request.POST.get("do") == "start" else "try"
    if not forms.is_valid(wanted=wanted):
        return _page(request, corpus, forms, status=422)
    return _start(request, corpus, forms) if wanted == "start" else _try(request, corpus, forms)


def _try(request: AnnotatorRequest, corpus: Corpus, forms: RecipeForms) -> HttpResponse:
    return _page(request, corpus, forms, trial=trial_of(corpus, forms.contents))


def _start(request: AnnotatorRequest, corpus: Corpus, forms: RecipeForms) -> HttpResponse:
    name = forms.recipe.cleaned_data["name"]
    try:
        run = services.start_run(corpus, forms.contents, name=name, by=request.user, request=request)
    except services.DetectionRefused as refusal:
        forms.recipe.add_error(None, str(refusal))
        return _page(request, corpus, forms, status=422)
    tell_how_it_stands(request, run)
    if run.recipe.name != name:
        messages.info(request, OTHER_NAME.format(run.recipe.name))
    return redirect("annotator:detection_run", corpus.pk, run.pk)


def _page(
    request: AnnotatorRequest, corpus: Corpus, forms: RecipeForms, *, status: int = 200, **more: object
) -> HttpResponse:
    context = {"corpus": corpus, "forms": forms, "sample": COMMENTS, "begun_with": request.GET.get("from", "")}
    context |= {"trial": None} | more
    if not request.htmx:
        return render(request, "annotator/detection/new_recipe.html", context, status=status)
    response = render(request, "annotator/detection/new_recipe.html#recipe", context, status=status)
    response["HX-Reswap"] = f"outerHTML show:{'#trial' if context['trial'] else '#main'}:top"  # what is new is seen
    return response
