"""The page of a run, and its report as files."""

from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from annotator.core.jobs import fragment_context
from annotator.models import Role
from evaluation.models import EvaluationRun
from evaluation.reports.html import render_report_html
from evaluation.runs import services
from evaluation.runs.kinds import KINDS
from evaluation.runs.queries import run_row
from evaluation.runs.views.runs import find_run

TEMPLATE = "evaluation/runs/evaluation.html"


@staff_required
@require_safe
def evaluation(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    """The report; while the run is live, how far it is."""
    run = find_run(evaluation_id)
    if request.htmx and request.htmx.target in (None, "progress"):
        return _progress(request, run)
    kind = KINDS.get(run.kind)
    if run.report and kind:
        return kind.load_page()(request, run)
    return render(request, TEMPLATE, run_context(request, run))


def run_context(request: AnnotatorRequest, run: EvaluationRun) -> dict[str, Any]:
    """What the page of a run of any kind shows around its report."""
    return {"run": run_row(run), "is_admin": request.user.has_role(Role.ADMIN), "has_report": bool(run.report)}


def _progress(request: AnnotatorRequest, run: EvaluationRun) -> HttpResponse:
    """The panel that polls. Once the run has ended, the whole page is loaded again."""
    context = run_context(request, run)
    job = context["run"].job
    if not job.is_live:
        return HttpResponseClientRefresh()
    return render(request, f"{TEMPLATE}#progress", context | fragment_context(job, request.GET))


@staff_required
@require_safe
@never_cache
def report_json(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    run = finished_run(request, evaluation_id, "json")
    kind = KINDS.get(run.kind)
    add = kind.load_additions() if kind else None
    response = JsonResponse(
        run.report | (add(run) if add else {}), json_dumps_params={"indent": 1, "ensure_ascii": False}
    )
    return _as_attachment(response, run, "json")


@staff_required
@require_safe
@never_cache
def report_html(request: AnnotatorRequest, evaluation_id: int) -> HttpResponse:
    """One file that needs nothing else."""
    run = finished_run(request, evaluation_id, "html")
    kind = KINDS.get(run.kind)
    page = kind.load_html()(run) if kind else render_report_html(run.report, name=run.name)
    return _as_attachment(HttpResponse(page), run, "html")


def finished_run(request: AnnotatorRequest, evaluation_id: int, what: str) -> EvaluationRun:
    """A run with a report, to download. Who downloads it is recorded."""
    run = find_run(evaluation_id)
    if not run.report:
        raise Http404
    services.record_download(run, what, by=request.user, request=request)
    return run


def file_name(run: EvaluationRun) -> str:
    return f"evaluation-{run.pk}-{slugify(run.name)[:60] or run.kind}"


def _as_attachment(response: HttpResponse, run: EvaluationRun, ending: str) -> HttpResponse:
    response["Content-Disposition"] = f'attachment; filename="{file_name(run)}.{ending}"'
    return response
