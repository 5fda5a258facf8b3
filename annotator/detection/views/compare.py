"""Two detection runs side by side."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from annotator.detection.queries.comparison import compare
from annotator.detection.views.run import sample_seed
from annotator.detection.views.runs import ready_corpus
from profiles.models import Corpus, DetectionRun

CHOOSE_TWO = "Choose two different runs to compare."


@staff_required
@require_safe
def compare_runs(request: AnnotatorRequest, corpus_id: int) -> HttpResponse:
    """Compare what runs A and B found."""
    corpus = ready_corpus(corpus_id)
    runs = list(corpus.runs.select_related("recipe").order_by("-pk"))
    a, b = _chosen(request, runs, "a"), _chosen(request, runs, "b")
    if a == b:
        messages.warning(request, CHOOSE_TWO)
        return redirect("annotator:detection", corpus_id)
    return _page(request, corpus, runs, a, b)


def _chosen(request: AnnotatorRequest, runs: list[DetectionRun], name: str) -> DetectionRun:
    run = next((run for run in runs if str(run.pk) == request.GET.get(name)), None)
    if run is None:
        raise Http404
    return run


def _page(
    request: AnnotatorRequest, corpus: Corpus, runs: list[DetectionRun], a: DetectionRun, b: DetectionRun
) -> HttpResponse:
    seed = sample_seed(request)
    context = {"corpus": corpus, "runs": runs, "comparison": compare(a, b, seed), "next_seed": seed % 1_000_000 + 1}
    return render(request, "annotator/detection/comparison.html", context)
