"""Request runs, and write prompts."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry
from evaluation.inference.plans import InferencePlan
from evaluation.inference.prompts import contents_digest
from evaluation.models import EvaluationKind, EvaluationRun, PromptVersion
from evaluation.runs.services import RunPlan, request_run
from evaluation.runs.storage import InputFile

WRITTEN_ALREADY = "“{name}” already has exactly this text, so no new version was saved."
OWN_PREFIX = "own-"
MAX_TRIES = 5


class PromptRefused(Exception):
    """The prompt exists already. The message names it."""


def request_inference_run(
    plan: InferencePlan, file: InputFile | None = None, *, by: Annotator | None = None,
    request: HttpRequest | None = None, is_queued: bool = True,
    store_more: Callable[[EvaluationRun], None] | None = None,
) -> EvaluationRun:  # fmt: skip
    requested = replace(run_plan(plan, file), store_more=store_more)
    return request_run(requested, by=by, request=request, is_queued=is_queued)


def run_plan(plan: InferencePlan, file: InputFile | None = None) -> RunPlan:
    return RunPlan(
        kind=EvaluationKind.INFERENCE,
        name=plan.title,
        system=plan.system.title,
        settings=plan.settings(),
        files=[file] if file else [],
        corpus=plan.scope.corpus if plan.scope else None,
        inputs={"scope": plan.scope.name} if plan.scope else {},
    )


def write_prompt(contents: Mapping[str, Any], *, by: Annotator, request: HttpRequest | None = None) -> PromptVersion:
    """Store a new version of the prompt as `own-N`. Raises PromptRefused if its words exist already."""
    digest = contents_digest(contents)
    same = PromptVersion.objects.filter(sha256=digest).first()
    if same:
        raise PromptRefused(WRITTEN_ALREADY.format(name=same.name))
    first = PromptVersion.objects.count() + 1
    for number in range(first, first + MAX_TRIES):
        try:
            return _write_prompt(f"{OWN_PREFIX}{number}", contents, digest, by=by, request=request)
        except IntegrityError:  # somebody took the number meanwhile
            continue
    raise PromptRefused("Somebody else is saving a prompt right now. Nothing was saved. Try again.")


def _write_prompt(
    name: str, contents: Mapping[str, Any], digest: str, *, by: Annotator, request: HttpRequest | None
) -> PromptVersion:
    with transaction.atomic():
        version = PromptVersion.objects.create(name=name, contents=dict(contents), sha256=digest, written_by=by)
        record(AuditEntry.Action.PROMPT_WRITTEN, request=request, actor=by, prompt=version.name)
    return version
