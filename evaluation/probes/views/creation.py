"""Start a probe. `annotator/corpora/views/imports.py` explains the order of upload and CSRF check."""

from collections.abc import Sequence
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
from annotator.core.uploads import remove_uploads
from evaluation.llm.attempts import AttemptStore
from evaluation.llm.stored_endpoints import endpoint_of, prices_of
from evaluation.models import EvaluationInput, EvaluationRun
from evaluation.probes import services
from evaluation.probes.dreaddit import PROBE
from evaluation.probes.dreaddit.baselines import NO_SPLITS, Baseline, training_items
from evaluation.probes.dreaddit.items import ItemSet, UnreadableItems, read_items
from evaluation.probes.dreaddit.measurement import drawn_items
from evaluation.probes.dry_runs import ProbeDryRun, describe_source, estimate
from evaluation.probes.forms import ItemUploadHandler, ProbeForm
from evaluation.probes.plans import ProbePlan
from evaluation.probes.queries import earlier_files
from evaluation.runs.forms import shown_name
from evaluation.runs.held_files import hold_files
from evaluation.runs.storage import InputFile
from evaluation.runs.views.runs import REQUESTED

TEMPLATE = "evaluation/probes/new_probe.html"


@csrf_exempt
@staff_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_probe(request: AnnotatorRequest) -> HttpResponse:
    defaults = [MemoryFileUploadHandler(request), TemporaryFileUploadHandler(request)]
    request.upload_handlers = [ItemUploadHandler(request), *defaults]
    return _new_probe(request)


@csrf_protect
def _new_probe(request: AnnotatorRequest) -> HttpResponse:
    """Baselines start at once. A model is asked only once its dry run has been seen."""
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = ProbeForm(*sent, person=request.user, earlier_files=earlier_files())
    context: dict[str, Any] = {}
    if form.is_valid():
        run, context = _start_or_check(request, form)
        if run:
            messages.success(request, REQUESTED)
            return redirect("evaluation:evaluation", run.pk)
    context |= {"form": form, "upload_bytes": settings.UPLOAD_BYTES, "card": PROBE.card}
    return render(request, TEMPLATE, context, status=422 if form.errors else 200)


def _start_or_check(request: AnnotatorRequest, form: ProbeForm) -> tuple[EvaluationRun | None, dict[str, Any]]:
    """The run, or what the page shows instead. Uploads of a refused form are removed; those of a dry run wait."""
    uploads = [
        InputFile(EvaluationInput.Role.GOLD, upload.keep(), shown_name(upload.name))
        for upload in form.cleaned_data["texts"]
    ]
    files = [*uploads, *form.kept_files()]
    source = _read(form, files)
    if source is None:
        remove_uploads(file.path for file in uploads)
        return None, {}
    plan = form.plan(files)
    digest = plan.digest([file.sha256 for file in source.files])
    if form.is_asked and form.cleaned_data["checked"] != digest:
        waiting = uploads or form.held_files
        sentences = [*_dry_run(plan, source, form).sentences(), *describe_source(source)]
        form.remember_check(digest, waiting, hold_files(waiting, request.user) if waiting else "")
        return None, {"sentences": sentences}
    return _start(request, plan, source), {}


def _read(form: ProbeForm, files: Sequence[InputFile]) -> ItemSet | None:
    """The texts. If a file is refused, add the reason to the form and return None."""
    try:
        source = read_items(
            [file.path for file in files], form.cleaned_data["duplicates"], [file.name for file in files]
        )
    except UnreadableItems as refusal:
        form.add_error("texts", str(refusal))
        return None
    if not form.is_asked and not _can_learn(form.cleaned_data["baseline"], source):
        form.add_error("baseline", NO_SPLITS)
        return None
    return source


def _can_learn(name: str, source: ItemSet) -> bool:
    """Whether the baseline has texts to learn from and others to be measured on, if it needs them."""
    if name != Baseline.TFIDF:
        return True
    labels = {item.label for item in training_items(Baseline.TFIDF, source.items)}
    return len(labels) > 1 and any(item.split == "test" for item in source.items)


def _dry_run(plan: ProbePlan, source: ItemSet, form: ProbeForm) -> ProbeDryRun:
    row = form.cleaned_data["endpoint"]
    attempts = AttemptStore(endpoint_of(row).base_url, row.model)
    return estimate(drawn_items(source, plan.settings), plan.settings, plan.template, attempts, prices_of(row))


def _start(request: AnnotatorRequest, plan: ProbePlan, source: ItemSet) -> EvaluationRun:
    """Start the run, which has links of its own to the files. Rows that were set aside are named."""
    run = services.request_probe_run(plan, by=request.user, request=request)
    remove_uploads(file.path for file in plan.files)
    for sentence in describe_source(source) if source.setbacks else ():
        messages.warning(request, sentence)
    return run
