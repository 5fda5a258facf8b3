"""The evaluations that a new demo study has to show: of its evidence, and of our own small gold standard."""

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from evaluation.models import EvaluationInput, EvaluationKind, EvaluationRun
from evaluation.runs.services import RunPlan, request_run
from evaluation.runs.storage import InputFile
from evaluation.spans.demo.cases import PREDICTIONS, load_cases
from evaluation.spans.evidence.scopes import NoDetection, Scope, Source, finished_run
from evaluation.spans.evidence.services import request_evidence_run
from evaluation.spans.forms import FILES
from evaluation.spans.settings import Settings
from profiles.models import Corpus

MADE_BY = "profiles.demo"
SPAN_RUN = "Presidio on fourteen invented judgments"
SYSTEM = "Presidio 2.2.366, en_core_web_sm 3.8.0"  # which made PREDICTIONS
SCHEME = "echr-study"


class DetectionUnfinished(Exception):
    """Presidio hasn't read the demo corpus yet."""


def request_demo_runs() -> None:
    """Request each run that isn't there yet. Without a demo corpus, nothing. Raises DetectionUnfinished."""
    corpus = Corpus.objects.ready().filter(options__made_by=MADE_BY).order_by("pk").first()
    if corpus is not None:
        _request_spans()
        _request_evidence(corpus)


def _request_spans() -> None:
    if EvaluationRun.objects.filter(kind=EvaluationKind.SPANS, name=SPAN_RUN).exists():
        return
    settings = Settings().as_json() | {"scheme": SCHEME, "system": {"kind": FILES}}
    with TemporaryDirectory() as folder:
        request_run(RunPlan(EvaluationKind.SPANS, SPAN_RUN, SYSTEM, settings, _files(Path(folder))))


def _files(folder: Path) -> list[InputFile]:
    """Copies, because runs link the files that they keep."""
    gold, predictions = folder / "gold.json", folder / "presidio.jsonl"
    gold.write_text(json.dumps([case.as_tab() for case in load_cases()]), encoding="utf-8")
    shutil.copyfile(PREDICTIONS, predictions)
    roles = {EvaluationInput.Role.GOLD: gold, EvaluationInput.Role.PREDICTIONS: predictions}
    return [InputFile(role, path, path.name) for role, path in roles.items()]


def _request_evidence(corpus: Corpus) -> None:
    """Over all judgements: the half-labelled demo has too few gold records for intervals."""
    if EvaluationRun.objects.filter(kind=EvaluationKind.EVIDENCE, corpus=corpus).exists():
        return
    try:
        run = finished_run(corpus)
    except NoDetection as refusal:
        raise DetectionUnfinished from refusal
    request_evidence_run(Scope(corpus, run, source=Source.JUDGEMENTS))
