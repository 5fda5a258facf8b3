"""A detection run: its progress, results and failures."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotator.core.access import admin_required, staff_required
from annotator.core.formatting import plural
from annotator.core.heartbeat import workers_to_show
from annotator.core.http import AnnotatorRequest
from annotator.core.jobs import fragment_context
from annotator.core.parameters import read_number
from annotator.detection import services
from annotator.detection.queries.failures import failures_page, reason_counts, retryable_count
from annotator.detection.queries.recipes import describe_recipe
from annotator.detection.queries.results import results_page
from annotator.detection.queries.runs import other_runs, progress_of
from annotator.models import Role
from profiles.models import Corpus, DetectionRun

PAUSED = "The run is paused. Workers finish their current chunk."
RESUMED = "The run continues."
CANCELLED = "The run was cancelled. The results so far are kept."
MAX_SEED = 9_999_999
NOTHING_TO_RETRY = "Nothing left to retry."


@staff_required
@require_safe
def detection_run(request: AnnotatorRequest, corpus_id: int, run_id: int) -> HttpResponse:
    run = _run(corpus_id, run_id)
    progress, reasons, seed = progress_of(run), reason_counts(run), sample_seed(request)
    reason = next((row.reason for row in reasons if row.reason == request.GET.get("reason")), "")
    context = _panel(request, run) | {
        "progress": progress,
        "results": results_page(run, progress.tally, seed),
        "next_seed": seed % 1_000_000 + 1,
        "recipe": describe_recipe(run.recipe),
        "reasons": reasons,
        "failures": failures_page(run, reason, request.GET.get("page", "1")),
        "retryable": retryable_count(reasons),
        "others": other_runs(run),
    }
    return render(request, "annotator/detection/run.html", context)


@staff_required
@require_safe
def detection_progress(request: AnnotatorRequest, corpus_id: int, run_id: int) -> HttpResponse:
    """The panel alone, polled every two seconds. Once nothing is running, reload the whole page."""
    run = _run(corpus_id, run_id)
    now = progress_of(run)
    if not now.is_live:
        return HttpResponseClientRefresh()
    context = _panel(request, run) | fragment_context(now.job, request.GET) | {"progress": now}
    return render(request, "annotator/detection/_progress.html", context)


@admin_required
@require_POST
def pause_run(request: AnnotatorRequest, corpus_id: int, run_id: int) -> HttpResponse:
    return _change(request, _run(corpus_id, run_id), services.pause, PAUSED)


@admin_required
@require_POST
def resume_run(request: AnnotatorRequest, corpus_id: int, run_id: int) -> HttpResponse:
    return _change(request, _run(corpus_id, run_id), services.resume, RESUMED)


@admin_required
@require_POST
def cancel_run(request: AnnotatorRequest, corpus_id: int, run_id: int) -> HttpResponse:
    return _change(request, _run(corpus_id, run_id), services.cancel, CANCELLED)


@admin_required
@require_POST
def retry_run(request: AnnotatorRequest, corpus_id: int, run_id: int) -> HttpResponse:
    """Retry the comments whose analysis failed. Pressing twice does no harm."""
    run = _run(corpus_id, run_id)
    count = services.retry_failures(run, by=request.user, request=request)
    message = f"{plural(count, 'comment is', 'comments are')} being tried again." if count else NOTHING_TO_RETRY
    messages.success(request, message)
    return redirect("annotator:detection_run", run.corpus_id, run.pk)


def sample_seed(request: AnnotatorRequest) -> int:
    """The seed in the URL, or 1 if it is not a small number."""
    seed = read_number(request.GET.get("sample"), at_most=MAX_SEED)
    return 1 if seed is None else seed


def _run(corpus_id: int, run_id: int) -> DetectionRun:
    runs = DetectionRun.objects.filter(corpus=corpus_id, corpus__in=Corpus.objects.ready())
    return get_object_or_404(runs.select_related("corpus", "recipe"), pk=run_id)


def _panel(request: AnnotatorRequest, run: DetectionRun) -> dict[str, object]:
    is_admin = request.user.has_role(Role.ADMIN)
    return {"corpus": run.corpus, "run": run, "workers": workers_to_show(), "is_admin": is_admin}


def _change(request: AnnotatorRequest, run: DetectionRun, change: Callable[..., None], message: str) -> HttpResponse:
    """Apply the change. Pressing twice does no harm."""
    change(run, by=request.user, request=request)
    messages.success(request, message)
    return redirect("annotator:detection_run", run.corpus_id, run.pk)
