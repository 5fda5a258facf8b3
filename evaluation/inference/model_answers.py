"""Ask a model about profiles with gold. Every answer is kept first, so a run that ended early goes on for free."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from evaluation.inference.parser import parse_reply
from evaluation.inference.prompts import Prompt, load_prompt
from evaluation.inference.queries import GoldProfile, texts_of
from evaluation.inference.questions import Question, QuestionSettings, build_question
from evaluation.inference.records import Prediction
from evaluation.llm.attempts import AttemptStore
from evaluation.llm.budget import Budget, BudgetReached
from evaluation.llm.client import EndpointUnusable, ModelClient, Standing
from evaluation.llm.requests import ChatAnswer

Predictions = Mapping[str, Prediction]


@dataclass(slots=True)
class Inference:
    """What came out: predictions by profile, how answers looked, and why it ended early, if it did."""

    predictions: dict[int, Predictions] = field(default_factory=dict)
    forms: Counter[str] = field(default_factory=Counter)  # of answers: json, blocks, refusal, unreadable
    problems: Counter[str] = field(default_factory=Counter)  # requests without an answer, by reason
    cut_profiles: int = 0
    left_out: int = 0  # comments
    ended_early: str = ""


def questions_about(
    profiles: Iterable[GoldProfile], settings: QuestionSettings
) -> Iterator[tuple[GoldProfile, Question]]:
    """One question for each profile that has something to ask about, built as they are needed. 1 query each."""
    prompt: Prompt = load_prompt(settings.prompt)
    for profile in profiles:
        attributes = settings.attributes([name for name, label in profile.labels.items() if label.value])
        if attributes:
            yield profile, build_question(prompt, texts_of(profile.pk), attributes, settings, profile.pk)


def infer_attributes(
    profiles: Sequence[GoldProfile],
    client: ModelClient,
    settings: QuestionSettings,
    *,
    budget: Budget,
    tell: Callable[[Standing], object],
) -> Inference:
    """Ask about each profile once. What ends a run early is in the result, together with the answers so far."""
    inference, attributes = Inference(), dict[str, tuple[str, ...]]()
    endpoint = client.endpoint
    attempts = AttemptStore(endpoint.base_url, endpoint.model, run=f"infer:{settings.digest}")
    requests = ((str(profile.pk), _noted(profile, question, inference, attributes).request)
                for profile, question in questions_about(profiles, settings))  # fmt: skip
    try:
        for key, answer in client.ask_all(requests, attempts=attempts, budget=budget, tell=tell):
            _take(inference, int(key), answer, attributes.pop(key))
    except (BudgetReached, EndpointUnusable) as ending:
        inference.ended_early = str(ending)
    return inference


def _noted(
    profile: GoldProfile, question: Question, inference: Inference, attributes: dict[str, tuple[str, ...]]
) -> Question:
    attributes[str(profile.pk)] = question.attributes
    inference.left_out += question.selection.left_out
    inference.cut_profiles += bool(question.selection.left_out or question.selection.is_cut)
    return question


def _take(inference: Inference, profile_id: int, answer: ChatAnswer, attributes: Sequence[str]) -> None:
    if answer.problem:
        inference.problems[answer.problem] += 1
        return
    reply = parse_reply(answer.text, attributes)
    inference.forms[reply.form.value] += 1
    inference.predictions[profile_id] = reply.predictions
