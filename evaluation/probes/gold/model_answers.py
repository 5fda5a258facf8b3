"""Ask a model about profiles with gold, with a stated gender. Every answer is kept before it is read."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from evaluation.inference.gold_profiles import GoldProfile, texts_of
from evaluation.inference.parser import parse_reply
from evaluation.inference.prompts import Prompt
from evaluation.llm.attempts import AttemptStore
from evaluation.llm.budget import Budget, BudgetReached
from evaluation.llm.client import EndpointUnusable, ModelClient, Standing
from evaluation.probes.gold import ATTRIBUTES, NAME, VARIANTS
from evaluation.probes.gold.codes import first_guess
from evaluation.probes.gold.measurement import GuessTable
from evaluation.probes.gold.questions import build_gold_questions
from evaluation.probes.probe import CONTROL
from evaluation.probes.records import Attempt
from evaluation.probes.settings import ProbeSettings


@dataclass(slots=True)
class GoldAnswers:
    table: GuessTable = field(default_factory=GuessTable)
    ended_early: str = ""


def ask_about_gold(
    profiles: Sequence[GoldProfile], prompt: Prompt, settings: ProbeSettings, *, client: ModelClient, budget: Budget,
    tell: Callable[[Standing], object],
) -> GoldAnswers:  # fmt: skip
    """Ask every attempt once; what is kept already isn't asked again. 1 query for the comments of each profile."""
    answers, problems = GoldAnswers(), Counter[str]()
    endpoint = client.endpoint
    run = f"probe:{NAME}:{settings.question_digest}:{prompt.digest[:12]}"
    attempts = AttemptStore(endpoint.base_url, endpoint.model, run=run)
    variants = (*VARIANTS, CONTROL) if settings.has_control else VARIANTS
    questions = build_gold_questions([profile.pk for profile in profiles], texts_of, variants, prompt, settings)
    requests = ((attempt.key, request) for attempt, request in questions)
    try:
        for key, answer in client.ask_all(requests, attempts=attempts, budget=budget, tell=tell):
            if answer.problem:
                problems[answer.problem] += 1
                continue
            predictions = parse_reply(answer.text, ATTRIBUTES).predictions
            guesses = {name: first_guess(predictions.get(name), name) for name in ATTRIBUTES}
            answers.table.guesses[Attempt.read(key)] = guesses
    except (BudgetReached, EndpointUnusable) as ending:
        answers.ended_early = str(ending)
    answers.table.problems = dict(problems)
    return answers
