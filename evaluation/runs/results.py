"""What a measurement returns, and how it is stored: all at once, or not at all."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction

from evaluation.llm.attempts import lock_profiles
from evaluation.models import ErrorItem, EvaluatedDocument, EvaluationRun, InferredCase
from evaluation.reports.headlines import headlines_of
from evaluation.reports.sections import ERROR_KINDS, SUSPECT
from profiles.jobs.claims import finish

BATCH_SIZE = 500
UNSTORABLE = {0: "\ufffd"} | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")  # Postgres refuses these; lengths stay


class CannotMeasure(Exception):
    """The run cannot be done. The message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class MeasuredDocument:
    """`contents` is `{text, gold: {annotator: [[start, end, label]]}, predicted: {system: [[start, end, label]]}}`."""

    name: str
    contents: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MeasuredCase:
    """An attribute of a profile, or of somebody in an uploaded file, who has no id. `outcome` names its tab."""

    profile_id: int | None
    name: str
    attribute: str
    outcome: str
    contents: Mapping[str, Any]
    defence: str = ""  # that its texts had


@dataclass(frozen=True, slots=True)
class Measurement:
    """A report, and what its page lists: documents and errors of uploaded files, or what a model inferred.

    `store_more` is called in the same transaction, with the stored case for each of `cases`. None stands for a case
    of a profile that was taken down meanwhile.
    """

    report: Mapping[str, Any]
    documents: Iterable[MeasuredDocument] = ()
    errors: Iterable[Mapping[str, Any]] = ()
    inputs: Mapping[str, Any] = field(default_factory=dict)
    cases: Sequence[MeasuredCase] = ()
    store_more: Callable[[Sequence[InferredCase | None]], object] | None = None


def store(run: EvaluationRun, measurement: Measurement) -> None:
    """Store everything and finish the run. Raises JobLost if the run is no longer ours, and keeps nothing then."""
    report = storable(measurement.report)
    with transaction.atomic():
        numbers = _store_documents(run, measurement.documents)
        _store_errors(run, measurement.errors, numbers)
        cases = _store_cases(run, measurement.cases)
        if measurement.store_more:
            measurement.store_more(cases)
        finish(
            run, report=report, headline=headlines_of(report), signature=report.get("signature", ""),
            inputs=storable(measurement.inputs) or run.inputs, done=run.total, total=run.total,
        )  # fmt: skip


def storable(value: Any) -> Any:
    """The same JSON without the characters that Postgres cannot hold."""
    if isinstance(value, str):
        return value.translate(UNSTORABLE)
    if isinstance(value, Mapping):
        return {storable(key): storable(item) for key, item in value.items()}
    return [storable(item) for item in value] if isinstance(value, list | tuple) else value


def _store_documents(run: EvaluationRun, documents: Iterable[MeasuredDocument]) -> dict[str, int]:
    rows = (
        EvaluatedDocument(run=run, number=number, name=storable(document.name), contents=storable(document.contents))
        for number, document in enumerate(documents, start=1)
    )
    stored = EvaluatedDocument.objects.bulk_create(rows, batch_size=BATCH_SIZE)
    return {document.name: document.pk for document in stored}


def _tab(kind: str) -> str:
    """The tab that lists an error: its own kind, or one for all suspected gold errors."""
    return kind if kind in ERROR_KINDS else SUSPECT


def _store_errors(run: EvaluationRun, errors: Iterable[Mapping[str, Any]], documents: Mapping[str, int]) -> None:
    rows = (
        ErrorItem(
            run=run, kind=_tab(item["kind"]), number=number, contents=item, document_id=documents.get(item["document"])
        )
        for number, item in enumerate(map(storable, errors), start=1)
    )
    ErrorItem.objects.bulk_create(rows, batch_size=BATCH_SIZE)


def _store_cases(run: EvaluationRun, cases: Sequence[MeasuredCase]) -> list[InferredCase | None]:
    """Without those of profiles that were taken down meanwhile. The lock makes a later takedown wait and see them."""
    present = lock_profiles({case.profile_id for case in cases if case.profile_id is not None})
    rows = [
        InferredCase(
            run=run, number=number, profile_id=case.profile_id, name=storable(case.name)[:200],
            attribute=case.attribute, outcome=case.outcome, contents=storable(case.contents), defence=case.defence,
        )
        if case.profile_id is None or case.profile_id in present
        else None
        for number, case in enumerate(cases, start=1)
    ]  # fmt: skip
    InferredCase.objects.bulk_create([row for row in rows if row], batch_size=BATCH_SIZE)
    return rows
