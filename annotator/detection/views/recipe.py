"""Write a recipe, starting from the default or another one, and try its custom recognisers."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotator.core.access import admin_required
from annotator.core.http import AnnotatorRequest
from annotator.detection import services
from annotator.detection.forms import RecipeForms
from annotator.detection.queries.models import available_models, starting_contents
from annotator.detection.queries.trial import COMMENTS, run_trial
from annotator.detection.views.runs import add_state_message, ready_corpus, recipe_contents
from profiles.models import Corpus

RECIPE_EXISTS = "The run uses the recipe “{}”, because a recipe with these contents or this name already exists."


@admin_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_recipe(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Try the recipe on a sample or start its run, depending on the button. Input is kept either way."""
    corpus, models = ready_corpus(corpus_id), available_models()
    if models.contents is None:
        messages.warning(request, models.problem)
        return redirect("annotator:detection", corpus_id)
    start = starting_contents(models.contents, recipe_contents(request.GET.get("from", "")), models.installed)
    forms = RecipeForms(request.POST if request.method == "POST" else None, start, models.installed)
    if request.method != "POST":
        return _page(request, corpus, forms)
    action = "start" if request.POST.get("do") == "start" else "try"
    if not forms.is_valid(action=action):
        return _page(request, corpus, forms, status=422)
    return _start(request, corpus, forms) if action == "start" else _try(request, corpus, forms)


def _try(request: AnnotatorRequest, corpus: Corpus, forms: RecipeForms) -> HttpResponse:
    return _page(request, corpus, forms, trial=run_trial(corpus, forms.contents))


def _start(request: AnnotatorRequest, corpus: Corpus, forms: RecipeForms) -> HttpResponse:
    name = forms.recipe.cleaned_data["name"]
    try:
        run = services.start_run(corpus, forms.contents, name=name, by=request.user, request=request)
    except services.DetectionRefused as refusal:
        forms.recipe.add_error(None, str(refusal))
        return _page(request, corpus, forms, status=422)
    add_state_message(request, run)
    if run.recipe.name != name:
        messages.info(request, RECIPE_EXISTS.format(run.recipe.name))
    return redirect("annotator:detection_run", corpus.pk, run.pk)


def _page(
    request: AnnotatorRequest, corpus: Corpus, forms: RecipeForms, *, status: int = 200, **extra: object
) -> HttpResponse:
    context = {"corpus": corpus, "forms": forms, "sample": COMMENTS, "based_on": request.GET.get("from", "")}
    context |= {"trial": None} | extra
    if not request.htmx:
        return render(request, "annotator/detection/new_recipe.html", context, status=status)
    response = render(request, "annotator/detection/new_recipe.html#recipe", context, status=status)
    response["HX-Reswap"] = f"outerHTML show:{'#trial' if context['trial'] else '#main'}:top"  # scroll to what is new
    return response
