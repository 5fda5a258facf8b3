"""Evaluation runs for tests."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from evaluation.models import EvaluationKind, EvaluationRun
from evaluation.runs.results import MeasuredDocument, Measurement, store

ERROR = {
    "kind": "missed", "document": "d", "start": 3, "end": 7, "label": "LOC", "other_start": None, "other_end": None,
    "other_label": "", "before": "In ", "text": "Bonn", "after": ".", "note": "",
}  # fmt: skip
REPORT = {
    "format": "telltale.spans/1", "signature": "metric:spans|gold:a@1|pred:x@2", "settings": {}, "problems": [],
    "warnings": [{"key": "few", "message": "Few documents.", "why": "One is few."}],
    "gold": {"name": "a", "documents": 1, "annotators": [""], "spans": 1, "scored_spans": 1, "types": {"LOC": 1}},
    "systems": [{"name": "x", "spans": 1, "details": {}}],
    "results": [{"system": "x", "by_type": [{"type": "LOC", "gold": 1, "precision": 0, "recall": 0, "f1": 0}]}],
}  # fmt: skip
HEADLINE = [{"label": "Micro F1", "value": 0.8, "low": 0.78, "high": 0.82, "note": "63 % are DATETIME"}]


def make_run(**fields: Any) -> EvaluationRun:
    """A run that waits for a worker."""
    defaults = {"kind": EvaluationKind.SPANS, "name": "Presidio on TAB", "system": "presidio", "code_version": "1"}
    return EvaluationRun.objects.create(**(defaults | fields))


def make_finished_run(**fields: Any) -> EvaluationRun:
    now = timezone.now()
    ended = {"began_at": now, "beat_at": now, "finished_at": now, "headline": HEADLINE, "signature": "spans|gold:a@1"}
    return make_run(**(ended | fields))


def make_reported_run(report_part: dict[str, Any] | None = None, **fields: Any) -> EvaluationRun:
    """A finished run with a report, a document and an error."""
    now = timezone.now()
    run = make_run(began_at=now, beat_at=now, **fields)
    contents = {"text": "In Bonn.", "gold": {"": [[3, 7, "LOC"]]}, "predicted": {"x": [[0, 2, "LOC"]]}}
    store(run, Measurement(REPORT | (report_part or {}), [MeasuredDocument("d", contents)], [ERROR]))
    return run


def stored_path(run: EvaluationRun, name: str) -> Path:
    return Path(settings.EVALUATIONS) / str(run.pk) / name
