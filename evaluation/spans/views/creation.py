"""Start an evaluation. `annotator/corpora/views/imports.py` explains the order of upload and CSRF check."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.contrib import messages
from django.core.files.uploadhandler import MemoryFileUploadHandler, TemporaryFileUploadHandler
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from annotator.core.access import staff_required
from annotator.core.http import AnnotatorRequest
from annotator.core.uploads import remove_uploads
from evaluation.models import EvaluationInput, EvaluationKind, EvaluationRun
from evaluation.runs import services
from evaluation.runs.forms import shown_name
from evaluation.runs.storage import InputFile, path_of
from evaluation.runs.views.runs import REQUESTED
from evaluation.spans.checks import InputRefused, check_files
from evaluation.spans.forms import FILES, EvaluationForm, SpanUploadHandler
from evaluation.spans.queries import gold_choices
from evaluation.spans.readers import FORMAT_TITLES

ROLE = EvaluationInput.Role


@csrf_exempt
@staff_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_evaluation(request: AnnotatorRequest) -> HttpResponse:
    defaults = [MemoryFileUploadHandler(request), TemporaryFileUploadHandler(request)]
    request.upload_handlers = [SpanUploadHandler(request), *defaults]
    return _new_evaluation(request)


@csrf_protect
def _new_evaluation(request: AnnotatorRequest) -> HttpResponse:
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = EvaluationForm(*sent, earlier=gold_choices())
    if form.is_valid() and (run := _start(request, form)):
        messages.success(request, REQUESTED)
        return redirect("evaluation:evaluation", run.pk)
    context = {"form": form, "upload_bytes": settings.UPLOAD_BYTES, "formats": FORMAT_TITLES.values()}
    return render(request, "evaluation/spans/new_evaluation.html", context, status=422 if form.errors else 200)


def _start(request: AnnotatorRequest, form: EvaluationForm) -> EvaluationRun | None:
    """Check the files and start the run. If one is refused, add the reason to the form and return None."""
    with _input_files(form) as files:
        predictions = [(file.path, file.name) for file in files if file.role == ROLE.PREDICTIONS]
        try:
            check_files((files[0].path, files[0].name), predictions)
        except InputRefused as refusal:
            form.add_error(refusal.field, str(refusal))
            return None
        return services.request_run(_plan(form, files), by=request.user, request=request)


@contextmanager
def _input_files(form: EvaluationForm) -> Iterator[list[InputFile]]:
    """The files of the form, gold first. Uploads are removed afterwards; a run has links of its own."""
    data, kept = form.cleaned_data, list[InputFile]()
    try:
        kept += [InputFile(ROLE.GOLD, upload.keep(), shown_name(upload.name)) for upload in data["gold"]]
        if earlier := data["earlier_gold"]:
            kept.append(InputFile(ROLE.GOLD, path_of(earlier), earlier.name))
        kept += [InputFile(ROLE.PREDICTIONS, upload.keep(), shown_name(upload.name)) for upload in data["predictions"]]
        with TemporaryDirectory() as folder:
            yield kept + _scheme(form, Path(folder))
    finally:
        remove_uploads(file.path for file in kept)


def _scheme(form: EvaluationForm, folder: Path) -> list[InputFile]:
    text = form.cleaned_data["scheme_file"]
    if not text:
        return []
    path = folder / "scheme"
    path.write_text(text, encoding="utf-8")
    return [InputFile(ROLE.SCHEME, path, shown_name(getattr(form.files["scheme_file"], "name", "")))]


def _plan(form: EvaluationForm, files: list[InputFile]) -> services.RunPlan:
    predictions = [file.name for file in files if file.role == ROLE.PREDICTIONS]
    is_upload = form.cleaned_data["system"] == FILES
    system = ", ".join(Path(name).stem for name in predictions) if is_upload else "Presidio"
    name = form.cleaned_data["name"] or f"{system} on {Path(files[0].name).stem}"
    return services.RunPlan(EvaluationKind.SPANS, name, system, form.settings(), files)
