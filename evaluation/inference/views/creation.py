"""Start a run of a model, a baseline or a file. `annotator/corpora/views/imports.py` explains upload and CSRF check."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadhandler import MemoryFileUploadHandler, TemporaryFileUploadHandler
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from annotator.core.uploads import DumpUpload, remove_uploads
from annotator.models import Role
from evaluation.inference import services
from evaluation.inference.dry_runs import estimate, estimate_judge
from evaluation.inference.forms.creation import InferenceForm, PredictionUploadHandler
from evaluation.inference.gold_profiles import GoldProfile
from evaluation.inference.judge.prompts import load_judge_prompt
from evaluation.inference.plans import InferencePlan, file_title
from evaluation.inference.readers import Format, UnreadablePredictions, read_predictions
from evaluation.llm.attempts import AttemptStore
from evaluation.llm.stored_endpoints import prices_of
from evaluation.models import EvaluationInput, EvaluationRun, ModelEndpoint
from evaluation.runs.forms import shown_name
from evaluation.runs.storage import InputFile
from evaluation.runs.systems import System, SystemKind
from evaluation.runs.views.runs import REQUESTED

TEMPLATE = "evaluation/inference/new_inference.html"
FIELDS = {"--model": "“Model in the file”", "--reviewer": "“Reviewer”", "--format": "“File format”"}
NO_GOLD = "No profile here has gold yet. Label profiles and build gold first."


@csrf_exempt
@staff_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_inference(request: AnnotatorRequest) -> HttpResponse:
    defaults = [MemoryFileUploadHandler(request), TemporaryFileUploadHandler(request)]
    request.upload_handlers = [PredictionUploadHandler(request), *defaults]
    return _new_inference(request)


@csrf_protect
def _new_inference(request: AnnotatorRequest) -> HttpResponse:
    """Baselines and files start at once. A model or a judge is asked only once the dry run has been seen."""
    form = InferenceForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    sentences: list[str] = []
    if form.is_valid():
        run, sentences = _start_or_check(request, form)
        if run:
            messages.success(request, REQUESTED)
            return redirect("evaluation:evaluation", run.pk)
    return _form_page(request, form, sentences)


def _form_page(request: AnnotatorRequest, form: InferenceForm, sentences: list[str]) -> HttpResponse:
    """`sentences` are those of the dry run."""
    context: dict[str, Any] = {
        "form": form, "sentences": sentences, "upload_bytes": settings.UPLOAD_BYTES,
        "is_admin": request.user.has_role(Role.ADMIN),
    }  # fmt: skip
    return render(request, TEMPLATE, context, status=422 if form.errors else 200)


def _start_or_check(request: AnnotatorRequest, form: InferenceForm) -> tuple[EvaluationRun | None, list[str]]:
    """The run, or what it would ask and cost."""
    if form.cleaned_data["system"] == SystemKind.FILE:
        return _start_with_file(request, form), []
    plan = form.plan()
    profiles = plan.scope.profiles() if plan.scope else []
    if not profiles:
        form.add_error("batch" if form.cleaned_data["batch"] else "corpus", NO_GOLD)
        return None, []
    if not (plan.question or plan.judge) or form.cleaned_data["checked"] == plan.digest:
        return services.request_inference_run(plan, by=request.user, request=request), []
    form.remember(checked=plan.digest)
    return None, list(_dry_run(plan, profiles, form.cleaned_data["endpoint"]))


def _dry_run(plan: InferencePlan, profiles: Sequence[GoldProfile], row: ModelEndpoint | None) -> Iterator[str]:
    if plan.question and plan.prompt and row:
        attempts = AttemptStore(row.base_url, row.model)
        yield from estimate(profiles, plan.question, plan.prompt, attempts, prices_of(row)).sentences()
    if plan.judge:
        yield from estimate_judge(profiles, plan.scoring, load_judge_prompt(), prices_of(plan.judge)).sentences()


def _start_with_file(request: AnnotatorRequest, form: InferenceForm) -> EvaluationRun | None:
    """Read the file and start the run. If it is refused, add the reason to the form and return None."""
    values = form.cleaned_data
    with _kept(values["predictions"][0]) as path:
        form_given = Format(values["file_format"]) if values["file_format"] else None
        try:
            file = read_predictions(
                path, form=form_given, model=values["model"] or None, reviewer=values["reviewer"] or None
            )
        except UnreadablePredictions as refusal:
            form.add_error("predictions", _by_fields(str(refusal)))
            return None
        name = shown_name(values["predictions"][0].name)
        system = System.file(file_title(name, file.model), file.format, file.model, file.reviewer)
        stored = InputFile(EvaluationInput.Role.PREDICTIONS, path, name)
        return services.request_inference_run(form.file_plan(system), stored, by=request.user, request=request)


def _by_fields(sentence: str) -> str:
    """The same sentence for the page, where options of the command line are fields."""
    for option, field in FIELDS.items():
        sentence = sentence.replace(option, field)
    return sentence


@contextmanager
def _kept(upload: DumpUpload) -> Iterator[Path]:
    """The upload as a file, removed afterwards: a run has a link of its own."""
    path = upload.keep()
    try:
        yield path
    finally:
        remove_uploads([path])
