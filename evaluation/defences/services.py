"""Request runs over defences."""

import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest

from annotator.core.uploads import PART_PREFIX
from annotator.models import Annotator
from evaluation.defences.detector_files import DetectorFile, write_detections
from evaluation.defences.plans import DefencePlan
from evaluation.models import EvaluationInput, EvaluationKind, EvaluationRun
from evaluation.runs.services import RunPlan, request_run
from evaluation.runs.storage import InputFile
from profiles.models import Corpus
from profiles.models.jobs import is_alive


def start_defence_run(
    plan: DefencePlan, *, by: Annotator | None = None, request: HttpRequest | None = None
) -> tuple[EvaluationRun, bool]:
    """The run, and whether it is new. A run with the same settings that is alive is returned instead: two of them
    would ask, and pay for, the same at the same time.
    """
    with transaction.atomic():
        Corpus.objects.select_for_update(no_key=True).get(pk=plan.scope.corpus.pk)
        contents = _comparable(plan.settings())
        live = EvaluationRun.objects.filter(is_alive(), kind=EvaluationKind.DEFENCE, corpus=plan.scope.corpus)
        for run in live.order_by("pk"):
            if _comparable(run.settings) == contents:
                return run, False
        return request_defence_run(plan, by=by, request=request), True


def request_defence_run(
    plan: DefencePlan, *, by: Annotator | None = None, request: HttpRequest | None = None, is_queued: bool = True
) -> EvaluationRun:
    with kept_detections(plan.detector) as files:
        return request_run(run_plan(plan, files), by=by, request=request, is_queued=is_queued)


def run_plan(plan: DefencePlan, files: list[InputFile]) -> RunPlan:
    return RunPlan(
        kind=EvaluationKind.DEFENCE,
        name=plan.title,
        system=plan.system.title,
        settings=plan.settings(),
        files=files,
        corpus=plan.scope.corpus,
        inputs={"scope": plan.scope.name},
    )


@contextmanager
def kept_detections(detector: DetectorFile | None) -> Iterator[list[InputFile]]:
    """The spans of another detector as a file, removed afterwards: a run has a link of its own."""
    if detector is None:
        yield []
        return
    folder = Path(settings.UPLOADS)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / f"{PART_PREFIX}{secrets.token_hex(12)}.jsonl"
    try:
        path.touch(mode=0o600)
        write_detections(path, detector.spans)
        yield [InputFile(EvaluationInput.Role.PREDICTIONS, path, f"{Path(detector.name).stem}.jsonl")]
    finally:
        path.unlink(missing_ok=True)


def _comparable(contents: Mapping[str, Any]) -> Any:
    """As Postgres returns it, without the name under which a run pays."""
    return json.loads(json.dumps(dict(contents) | {"account": ""}))
