"""What Postgres keeps of an evaluation run, and what it refuses."""

import pytest
from django.db import IntegrityError, ProgrammingError, transaction
from django.utils import timezone

from evaluation.models import ErrorItem, EvaluatedDocument, EvaluationKind, EvaluationRun
from tests.evaluation.runs.records import make_finished_run, make_run
from tests.factories import make_corpus

pytestmark = pytest.mark.django_db


def test_a_finished_run_is_never_edited():
    run = make_finished_run()
    with pytest.raises(ProgrammingError), transaction.atomic():
        EvaluationRun.objects.filter(pk=run.pk).update(report={"results": []})
    with pytest.raises(ProgrammingError), transaction.atomic():
        EvaluationRun.objects.filter(pk=run.pk).update(finished_at=None)


def test_a_waiting_run_can_finish():
    run = make_run()
    assert EvaluationRun.objects.filter(pk=run.pk).update(report={"a": 1}, finished_at=timezone.now()) == 1


def test_a_run_over_a_corpus_keeps_no_texts():
    run = make_run(kind=EvaluationKind.EVIDENCE, corpus=make_corpus())
    with pytest.raises(ProgrammingError), transaction.atomic():
        EvaluatedDocument.objects.create(run=run, number=1, name="a", contents={"text": "words"})
    with pytest.raises(ProgrammingError), transaction.atomic():
        ErrorItem.objects.create(run=run, number=1, kind="missed", contents={"text": "words"})


def test_a_finished_run_gets_no_more_documents_and_errors():
    run = make_finished_run()
    with pytest.raises(ProgrammingError), transaction.atomic():
        EvaluatedDocument.objects.create(run=run, number=1, name="a", contents={})
    with pytest.raises(ProgrammingError), transaction.atomic():
        ErrorItem.objects.create(run=run, number=1, kind="missed", contents={})


def test_documents_and_errors_are_never_edited():
    run = make_run()
    document = EvaluatedDocument.objects.create(run=run, number=1, name="a", contents={})
    item = ErrorItem.objects.create(run=run, number=1, kind="missed", document=document, contents={})
    with pytest.raises(ProgrammingError), transaction.atomic():
        EvaluatedDocument.objects.filter(pk=document.pk).update(name="b")
    with pytest.raises(ProgrammingError), transaction.atomic():
        ErrorItem.objects.filter(pk=item.pk).update(kind="spurious")


def test_evidence_needs_a_corpus():
    with pytest.raises(IntegrityError), transaction.atomic():
        make_run(kind=EvaluationKind.EVIDENCE)


def test_an_unknown_kind_is_refused():
    with pytest.raises(IntegrityError), transaction.atomic():
        make_run(kind="guess")
