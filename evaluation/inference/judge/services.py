"""Store a judge's verdicts, and what people say of them."""

from collections.abc import Sequence

from django.db import transaction

from annotator.models import Annotator
from evaluation.inference.judge.model_verdicts import JudgeResult
from evaluation.models import AuditedPair, EvaluationRun, InferredCase, JudgedPair, Verdict

CLOSED = "You have checked the whole sample and seen the judge's verdicts, so your answers can no longer change."


class AuditClosed(Exception):
    """Whoever has seen the judge's verdicts can't decide blind any more."""


def store_judged(cases: Sequence[InferredCase | None], result: JudgeResult) -> int:
    """Store the verdicts. `cases` stand in the order in which they were judged; None is one that was not stored.

    Undecided pairs are not stored: there is nothing to check. Cases that a takedown removed meanwhile are left out.
    """
    rows = {key: case for key in result.verdicts if (case := cases[key[0]]) is not None}
    with transaction.atomic():
        locked = InferredCase.objects.select_for_update(no_key=True).filter(pk__in={case.pk for case in rows.values()})
        present = set(locked.order_by("pk").values_list("pk", flat=True))
        pairs = [
            JudgedPair(case=case, position=key[1], verdict=result.verdicts[key].value)
            for key, case in rows.items()
            if case.pk in present
        ]
        JudgedPair.objects.bulk_create(pairs, batch_size=1000)
    return len(pairs)


def record_audit(
    run: EvaluationRun, pair: JudgedPair, verdict: Verdict, *, by: Annotator, sample: Sequence[int]
) -> None:
    """Keep what somebody says of a pair; saying it again replaces it. Raises AuditClosed."""
    with transaction.atomic():
        _lock_open_audit(run, by, sample)
        AuditedPair.objects.update_or_create(pair=pair, annotator=by, defaults={"verdict": verdict})


def undo_audit(run: EvaluationRun, pair: JudgedPair, *, by: Annotator, sample: Sequence[int]) -> bool:
    """Take an answer back. False if there is none. Raises AuditClosed."""
    with transaction.atomic():
        _lock_open_audit(run, by, sample)
        deleted, _ = AuditedPair.objects.filter(pair=pair, annotator=by).delete()
    return bool(deleted)


def _lock_open_audit(run: EvaluationRun, by: Annotator, sample: Sequence[int]) -> None:
    """Only one tab of a person decides at a time, so that the last pair is the last."""
    Annotator.objects.select_for_update(no_key=True).get(pk=by.pk)
    if AuditedPair.objects.filter(annotator=by, pair__in=sample, pair__case__run=run).count() >= len(sample):
        raise AuditClosed(CLOSED)
