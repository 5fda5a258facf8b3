"""The prompt and the judge of a run, as they were when it was requested."""

from collections.abc import Mapping
from typing import Any

from evaluation.inference.judge.prompts import JudgePrompt, load_judge_prompt
from evaluation.inference.prompt_store import prompt_named
from evaluation.inference.prompts import Prompt
from evaluation.inference.questions import QuestionSettings
from evaluation.llm.budget import Prices
from evaluation.llm.endpoints import Endpoint
from evaluation.models import EvaluationRun
from evaluation.runs.results import CannotMeasure
from evaluation.runs.systems import stored_endpoint

PROMPT_CHANGED = "The prompt has changed since. Start a new run."
JUDGE_GONE = "The judge's endpoint was removed. Start a new run with another judge, or without one."
JUDGE_CHANGED = "The judge's endpoint now has a different model or address. Start a new run with it."
JUDGE_PROMPT_CHANGED = "The judge's prompt has changed since. Start a new run."
QUESTION_FIELDS = frozenset(QuestionSettings().as_json())

Settings = Mapping[str, Any]


def question_of(run: EvaluationRun) -> tuple[QuestionSettings, Prompt]:
    """Raises CannotMeasure if the prompt isn't the one that the run was requested with, and PromptGone."""
    contents = {name: value for name, value in run.settings["question"].items() if name in QUESTION_FIELDS}
    prompt = prompt_named(contents["prompt"])
    if prompt.digest != run.settings["question"]["prompt_sha256"]:
        raise CannotMeasure(PROMPT_CHANGED)
    return QuestionSettings(**contents), prompt


def judge_for(judge: Settings) -> tuple[Endpoint, Prices | None, JudgePrompt]:
    """Raises CannotMeasure and EndpointRefused."""
    endpoint, prices = stored_endpoint(judge, gone=JUDGE_GONE, changed=JUDGE_CHANGED)
    try:
        prompt = load_judge_prompt(judge["prompt"])
    except FileNotFoundError as error:
        raise CannotMeasure(JUDGE_PROMPT_CHANGED) from error
    if prompt.digest != judge["prompt_sha256"]:
        raise CannotMeasure(JUDGE_PROMPT_CHANGED)
    return endpoint, prices, prompt
