"""Start a run over defences. `annotator/corpora/views/imports.py` explains the order of upload and CSRF check."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.files.uploadhandler import MemoryFileUploadHandler, TemporaryFileUploadHandler
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from annotator.core.uploads import remove_uploads
from evaluation.defences import services
from evaluation.defences.checks import check_gold
from evaluation.defences.detector_files import DetectorFile, UnreadableDetections, read_detector_file
from evaluation.defences.dry_runs import estimate_defences
from evaluation.defences.forms import UPLOADS, DefenceForm, DefenceUploadHandler
from evaluation.defences.plans import DefencePlan, PlanRefused
from evaluation.defences.population import UnreadablePopulation, read_population
from evaluation.llm.stored_endpoints import endpoint_of, prices_of
from evaluation.models import EvaluationInput, EvaluationRun
from evaluation.runs.forms import shown_name
from evaluation.runs.held_files import hold_files
from evaluation.runs.storage import InputFile
from evaluation.runs.views.runs import REQUESTED

TEMPLATE = "evaluation/defences/new_defence.html"
RUNS_ALREADY = "The same run is already queued or running, so a second one wasn’t started."
MAX_BYTES = 30 * 1024**2  # of a detector's file, which is read while somebody waits
TOO_LARGE = "This file is too large to be read while you wait. Use bin/manage defend --detections-file on the server."

Files = Mapping[str, InputFile]  # by field


@csrf_exempt
@staff_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_defence(request: AnnotatorRequest) -> HttpResponse:
    defaults = [MemoryFileUploadHandler(request), TemporaryFileUploadHandler(request)]
    request.upload_handlers = [DefenceUploadHandler(request), *defaults]
    return _new_defence(request)


@csrf_protect
def _new_defence(request: AnnotatorRequest) -> HttpResponse:
    """Baselines start at once. A model is asked only once its dry run has been seen."""
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = DefenceForm(*sent, person=request.user)
    sentences: list[str] = []
    if form.is_valid():
        run, sentences = _start_or_check(request, form)
        if run:
            return redirect("evaluation:evaluation", run.pk)
    context: dict[str, Any] = {"form": form, "sentences": sentences, "detector_bytes": MAX_BYTES}
    return render(request, TEMPLATE, context, status=422 if form.errors else 200)


def _start_or_check(request: AnnotatorRequest, form: DefenceForm) -> tuple[EvaluationRun | None, list[str]]:
    """The run, or what it would ask and cost. Uploads of a refused form are removed; those of a dry run wait."""
    uploads = _kept_uploads(form)
    files = {**form.held, **uploads}
    plan = _plan(form, files)
    if plan is None:
        remove_uploads(file.path for file in uploads.values())
        return None, []
    if plan.is_asked and form.cleaned_data["checked"] != plan.digest:
        held = {UPLOADS[field]: hold_files([file], request.user) for field, file in files.items()}
        form.held = files
        form.remember(checked=plan.digest, **held)
        return None, _dry_run(form, plan)
    return _start(request, plan, files), []


def _kept_uploads(form: DefenceForm) -> dict[str, InputFile]:
    uploads = {field: form.cleaned_data[field][0] for field in UPLOADS if form.cleaned_data[field]}
    role = EvaluationInput.Role.PREDICTIONS
    return {field: InputFile(role, upload.keep(), shown_name(upload.name)) for field, upload in uploads.items()}


def _plan(form: DefenceForm, files: Files) -> DefencePlan | None:
    """What was chosen. If it is refused, add the reason to the form and return None."""
    try:
        plan = form.plan(_detector(form, files), _population(files))
        check_gold(plan)
    except UnreadableDetections as refusal:
        form.add_error("detections_file", str(refusal))
    except UnreadablePopulation as refusal:
        form.add_error("population", str(refusal))
    except PlanRefused as refusal:
        form.add_error("defences", str(refusal))
    else:
        return plan
    return None


def _detector(form: DefenceForm, files: Files) -> DetectorFile | None:
    file = files.get("detections_file")
    if file is None:
        return None
    if file.path.stat().st_size > MAX_BYTES:
        raise UnreadableDetections(TOO_LARGE)
    return read_detector_file(file.path, file.name, form.cleaned_data["corpus"])


def _population(files: Files) -> str:
    file = files.get("population")
    return read_population(file.path).text if file else ""


def _dry_run(form: DefenceForm, plan: DefencePlan) -> list[str]:
    attacker, rewriter = (
        (endpoint_of(row), prices_of(row)) if (row := form.cleaned_data[name]) and is_used else None
        for name, is_used in (("endpoint", plan.system.is_asked), ("rewriter", True))
    )
    sentences = estimate_defences(plan, attacker, rewriter).sentences()
    return [*sentences, *(plan.detector.sentences() if plan.detector else ())]


def _start(request: AnnotatorRequest, plan: DefencePlan, files: Files) -> EvaluationRun:
    """Start the run unless it runs already. What was left out of a detector's file is named."""
    run, is_new = services.start_defence_run(plan, by=request.user, request=request)
    remove_uploads(file.path for file in files.values())
    messages.success(request, REQUESTED) if is_new else messages.info(request, RUNS_ALREADY)
    for problem in plan.detector.problems if plan.detector else ():
        messages.warning(request, str(problem))
    return run
