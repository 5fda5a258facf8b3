"""The endpoints and prompts of a run, as they were when it was requested."""

from collections.abc import Mapping
from typing import Any

from evaluation.inference.judge.prompts import JudgePrompt, load_judge_prompt
from evaluation.inference.plans import SystemKind
from evaluation.inference.prompt_store import prompt_named
from evaluation.inference.prompts import Prompt
from evaluation.inference.questions import QuestionSettings
from evaluation.llm.budget import Prices
from evaluation.llm.endpoints import Endpoint, open_endpoint
from evaluation.llm.stored_endpoints import endpoint_of, prices_of
from evaluation.models import EvaluationRun, ModelEndpoint
from evaluation.runs.results import CannotMeasure

ENDPOINT_GONE = "The endpoint was removed. Start a new run with another one."
ENDPOINT_CHANGED = "The endpoint has another model or address now. Start a new run with it."
PROMPT_CHANGED = "The prompt has other words now. Start a new run."
JUDGE_GONE = "The judge's endpoint was removed. Start a new run with another judge, or without one."
JUDGE_CHANGED = "The judge's endpoint has another model or address now. Start a new run with it."
JUDGE_PROMPT_CHANGED = "The prompt of the judge has other words now. Start a new run."
QUESTION_FIELDS = frozenset(QuestionSettings().as_json())

Settings = Mapping[str, Any]


def endpoint_for(system: Settings) -> tuple[Endpoint, Prices | None]:
    """Raises CannotMeasure and EndpointRefused."""
    if system["kind"] == SystemKind.ADDRESS:
        endpoint = open_endpoint(
            system["base_url"], system["model"], send_texts_to=system["send_texts_to"],
            concurrency=system["concurrency"],
        )  # fmt: skip
        return endpoint, None
    return _stored_endpoint(system, gone=ENDPOINT_GONE, changed=ENDPOINT_CHANGED)


def question_of(run: EvaluationRun) -> tuple[QuestionSettings, Prompt]:
    """Raises CannotMeasure if the prompt isn't the one that the run was requested with, and PromptGone."""
    contents = {name: value for name, value in run.settings["question"].items() if name in QUESTION_FIELDS}
    prompt = prompt_named(contents["prompt"])
    if prompt.digest != run.settings["question"]["prompt_sha256"]:
        raise CannotMeasure(PROMPT_CHANGED)
    return QuestionSettings(**contents), prompt


def judge_for(judge: Settings) -> tuple[Endpoint, Prices | None, JudgePrompt]:
    """Raises CannotMeasure and EndpointRefused."""
    endpoint, prices = _stored_endpoint(judge, gone=JUDGE_GONE, changed=JUDGE_CHANGED)
    try:
        prompt = load_judge_prompt(judge["prompt"])
    except FileNotFoundError as error:
        raise CannotMeasure(JUDGE_PROMPT_CHANGED) from error
    if prompt.digest != judge["prompt_sha256"]:
        raise CannotMeasure(JUDGE_PROMPT_CHANGED)
    return endpoint, prices, prompt


def _stored_endpoint(contents: Settings, *, gone: str, changed: str) -> tuple[Endpoint, Prices | None]:
    row = ModelEndpoint.objects.usable().filter(pk=contents["endpoint"]).first()
    if row is None:
        raise CannotMeasure(gone)
    if (row.base_url, row.model) != (contents["base_url"], contents["model"]):
        raise CannotMeasure(changed)
    return endpoint_of(row), prices_of(row)
