"""Evaluation runs with judged pairs."""

from collections.abc import Sequence

from django.utils import timezone

from evaluation.models import EvaluationKind, EvaluationRun, InferredCase, JudgedPair
from profiles.models import Profile


def make_inference_run(**fields: object) -> EvaluationRun:
    now = timezone.now()
    values = {"kind": EvaluationKind.INFERENCE, "name": "small on Study", "system": "small", "code_version": "1"}
    return EvaluationRun.objects.create(**(values | {"began_at": now, "beat_at": now, "finished_at": now} | fields))


def make_inferred_case(
    run: EvaluationRun, number: int, guesses: Sequence[str] = ("cook",), *, profile: Profile | None = None
) -> InferredCase:
    contents = {"label": {"value": f"label-{number}"}, "guesses": list(guesses)}
    return InferredCase.objects.create(
        run=run, number=number, profile=profile, name=f"profile-{number}", attribute="occupation", outcome="wrong",
        contents=contents,
    )  # fmt: skip


def make_judged_run(*verdicts: str, **fields: object) -> EvaluationRun:
    """A run with a judged pair for each verdict."""
    run = make_inference_run(**fields)
    for number, verdict in enumerate(verdicts, start=1):
        case = make_inferred_case(run, number, [f"guess-{number}"])
        JudgedPair.objects.create(case=case, position=1, verdict=verdict)
    return run
