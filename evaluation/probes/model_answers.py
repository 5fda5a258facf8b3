"""Ask a model everything that a probe asks, and read its answers. Every answer is kept before it is read."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np

from evaluation.llm.attempts import AttemptStore
from evaluation.llm.budget import Budget, BudgetReached
from evaluation.llm.client import EndpointUnusable, ModelClient, Standing
from evaluation.llm.requests import ChatAnswer
from evaluation.probes.detection import Mode, code_of_score, detect, score_first_token
from evaluation.probes.questions import build_questions
from evaluation.probes.records import Attempt, Code, Evaluated, Item, Variant
from evaluation.probes.settings import ProbeSettings
from evaluation.probes.templates import Template

CHUNK_SIZE = 200  # attempts that are looked up together


@dataclass(slots=True)
class Answers:
    """What came out: codes of all attempts, requests without an answer by reason, and why it ended early, if it did."""

    evaluated: Evaluated
    problems: Counter[str] = field(default_factory=Counter)
    ended_early: str = ""
    missing: int = 0  # attempts of which nothing is kept

    def count(self, answered: int) -> None:
        """Note how many attempts have an answer."""
        self.evaluated = replace(self.evaluated, unanswered=int(self.evaluated.codes.size) - answered)


def ask_model(
    name: str, items: Sequence[Item], variants: tuple[Variant, ...], template: Template, settings: ProbeSettings, *,
    client: ModelClient, budget: Budget, tell: Callable[[Standing], object], with_texts: bool = False,
    account: str = "",
) -> Answers:  # fmt: skip
    """Ask every attempt once. Whatever is kept already isn't asked again. `with_texts` keeps answers for a log.

    `account` is what the run pays under; by default, all runs with the same questions pay together.
    """
    answers, answered = _no_answers(items, variants, settings, with_texts=with_texts), 0
    endpoint = client.endpoint
    run = account or f"probe:{name}:{settings.question_digest}:{template.digest[:12]}"
    attempts = AttemptStore(endpoint.base_url, endpoint.model, run=run)
    requests = ((attempt.key, request) for attempt, request in build_questions(items, variants, template, settings))
    try:
        for key, answer in client.ask_all(requests, attempts=attempts, budget=budget, tell=tell):
            answered += _take(answers, Attempt.read(key), answer, settings.mode)
    except (BudgetReached, EndpointUnusable) as ending:
        answers.ended_early = str(ending)
    answers.count(answered)
    return answers


def read_kept_answers(
    items: Sequence[Item], variants: tuple[Variant, ...], template: Template, settings: ProbeSettings,
    attempts: AttemptStore,
) -> Answers:  # fmt: skip
    """The answers that are kept, with their texts. Asks nobody. 1 query for every 200 attempts."""
    answers, answered, present = _no_answers(items, variants, settings, with_texts=True), 0, 0
    questions = build_questions(items, variants, template, settings)
    while chunk := list(islice(questions, CHUNK_SIZE)):
        digests = [attempts.digest(request) for _, request in chunk]
        kept = attempts.find(digests)
        for (attempt, _), digest in zip(chunk, digests, strict=True):
            if digest in kept:
                present += 1
                answered += _take(answers, attempt, kept[digest], settings.mode)
    answers.missing = int(answers.evaluated.codes.size) - present
    answers.count(answered)
    return answers


def _no_answers(
    items: Sequence[Item], variants: tuple[Variant, ...], settings: ProbeSettings, *, with_texts: bool
) -> Answers:
    codes = np.full((len(items), len(variants), settings.repetitions), Code.UNDETECTED, np.int8)
    scores = np.full(codes.shape[:2], np.nan) if settings.mode is Mode.LOGPROBS else None
    return Answers(Evaluated(tuple(items), variants, codes, scores=scores, answers={} if with_texts else None))


def _take(answers: Answers, attempt: Attempt, answer: ChatAnswer, mode: Mode) -> bool:
    """Note what an answer says. False if there is none: it counts as undetected, and as unanswered."""
    evaluated = answers.evaluated
    score = score_first_token(answer.logprobs) if evaluated.scores is not None else None
    if answer.problem and score is None:
        answers.problems[answer.problem] += 1
        return False
    if evaluated.scores is not None:
        evaluated.scores[attempt.item, attempt.variant] = np.nan if score is None else score
    evaluated.codes[attempt] = code_of_score(score) if mode is Mode.LOGPROBS else detect(answer.text, mode)
    if evaluated.answers is not None:
        evaluated.answers[attempt] = answer.text
    return True
