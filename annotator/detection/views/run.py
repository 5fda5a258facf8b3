"""One detection run: how far it is, what it found, what it could not analyse."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotator.core.access import admin_required, staff_required
from annotator.core.http import AnnotatorRequest
from annotator.detection import services
from annotator.detection.queries.failures import can_be_tried_again, failures_page, reasons_of
from annotator.detection.queries.recipes import recipe_in_words
from annotator.detection.queries.results import found_page
from annotator.detection.queries.runs import other_runs, progress_of
from annotator.detection.queries.workers import workers_to_show
from annotator.models import Role
from profiles.models import DetectionRun

PAUSED = "The run is paused. Workers end the chunk that they are at."
RESUMED = "The run goes on."
CANCELLED = "The run is cancelled. What was found until now is kept."
NOTHING_TO_TRY = "There is nothing left to try again."


@staff_required
@require_safe
def detection_run(request: AnnotatorRequest, corpus_id: int, run_id: int) -> HttpResponse:
    run = _run(corpus_id, run_id)
    now, reasons, seed = progress_of(run), reasons_of(run), seed_of(request)
    reason = next((one.reason for one in reasons if one.reason == request.GET.get("reason")), "")
    context = _panel(request, run) | {
        "progress": now,
        "found": found_page(run, now.tally, seed),
        "next_seed": seed % 1_000_000 + 1,
        "recipe": recipe_in_words(run.recipe),
        "reasons": reasons,
        "failures": failures_page(run, reason, request.GET.get("page", "1")),
        "failures_query": f"reason={reason}&" if reason else "",
        "can_try_again": can_be_tried_again(reasons),
        "others": other_runs(run),
    }
    return render(request, "annotator/detection/run.html", context)


@staff_required
@require_safe
def detection_progress(request: AnnotatorRequest, corpus_id: int, run_id: int) -> HttpResponse:
    """The panel alone, asked for every two seconds. When nothing runs any more the whole page comes anew."""
    run = _run(corpus_id, run_id)
    now = progress_of(run)
    if not now.is_live:
        return HttpResponseClientRefresh()
    context = _panel(request, run) | {"progress": now, "is_news": now.told != request.GET.get("told")}
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
    """Comments whose analysis failed, once more. A second press finds none of them left."""
    run = _run(corpus_id, run_id)
    count = services.retry_failures(run, by=request.user, request=request)
    told = f"{count} comment{' is' if count == 1 else 's are'} tried once more." if count else NOTHING_TO_TRY
    messages.success(request, told)
    return redirect("annotator:detection_run", run.corpus_id, run.pk)


def seed_of(request: AnnotatorRequest) -> int:
    """Which sample is looked at. Whatever is no number is the first one."""
    wanted = request.GET.get("sample", "")
    return int(wanted) if wanted.isdecimal() and wanted.isascii() and len(wanted) < 8 else 1


def _run(corpus_id: int, run_id: int) -> DetectionRun:
    runs = DetectionRun.objects.filter(corpus=corpus_id, corpus__ready_at__isnull=False)
    return get_object_or_404(runs.select_related("corpus", "recipe"), pk=run_id)


def _panel(request: AnnotatorRequest, run: DetectionRun) -> dict[str, object]:
    is_admin = request.user.has_role(Role.ADMIN)
    return {"corpus": run.corpus, "run": run, "workers": workers_to_show(), "is_admin": is_admin}


def _change(request: AnnotatorRequest, run: DetectionRun, change: Callable[..., None], told: str) -> HttpResponse:
    """What is so already stays so: pressing twice does no harm."""
    change(run, by=request.user, request=request)
    messages.success(request, told)
    return redirect("annotator:detection_run", run.corpus_id, run.pk)
