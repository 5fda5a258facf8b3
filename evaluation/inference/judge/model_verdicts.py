"""Ask a judge model. Every answer is kept first, so that a run that ended early goes on for free."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from evaluation.inference.differences import Scored
from evaluation.inference.judge.pairs import Key, Pair, find_pairs
from evaluation.inference.judge.prompts import JudgePrompt, load_judge_prompt
from evaluation.inference.judge.verdicts import Verdict, parse_verdict
from evaluation.llm.attempts import AttemptStore
from evaluation.llm.budget import Budget, BudgetReached, Usage, usage_of
from evaluation.llm.client import EndpointUnusable, ModelClient, Standing
from evaluation.llm.requests import ChatAnswer, ChatRequest, Problem

UNREACHED = "It didn't answer after several attempts. All answers so far are kept. Continue to ask the rest."


@dataclass(slots=True)
class JudgeResult:
    """Verdicts by case and position. A pair without one counts as no match: it is undecided, or has a problem."""

    pairs: int = 0
    verdicts: dict[Key, Verdict] = field(default_factory=dict)
    undecided: int = 0  # answers without a clear verdict
    problems: Counter[str] = field(default_factory=Counter)  # requests without an answer, by reason
    has_schema: bool = True  # False if the endpoint refuses JSON schemas
    answers: int = 0
    usage: Usage = field(default_factory=Usage)  # of all answers, whenever they were paid for
    ended_early: str = ""

    def as_json(self) -> dict[str, object]:
        counts = Counter(self.verdicts.values())
        return {
            "pairs": self.pairs, "undecided": self.undecided, "problems": dict(self.problems),
            "verdicts": {verdict.value: counts[verdict] for verdict in Verdict},
        }  # fmt: skip


def judge_cases(
    scored: Sequence[Scored],
    profile_ids: Sequence[int | None],
    client: ModelClient,
    *,
    run: str,
    budget: Budget,
    tell: Callable[[int, int], object],
    prompt: JudgePrompt | None = None,
) -> JudgeResult:
    """Ask about each pair once. `run` names who pays. What ends it early is in the result, with the verdicts so far.

    `tell` gets the number of answers and of pairs, and may raise to end it.

    The first pair is asked alone: if the endpoint refuses its JSON schema, all are asked without one.
    """
    prompt = prompt or load_judge_prompt()
    pairs = list(find_pairs(scored, profile_ids))
    result, endpoint = JudgeResult(len(pairs)), client.endpoint
    attempts = AttemptStore(endpoint.base_url, endpoint.model, run=run)

    def show(standing: Standing) -> None:
        tell(result.answers, len(pairs))

    def ask(chosen: Sequence[Pair]) -> None:
        requests = {_name(pair.key): prompt.request(pair, has_schema=result.has_schema) for pair in chosen}
        for name, answer in client.ask_all(requests.items(), attempts=attempts, budget=budget, tell=show):
            _take(result, name, requests[name], answer)

    def ask_more(chosen: Sequence[Pair]) -> None:
        budget.spent -= attempts.spent()  # which the next call adds once more
        ask(chosen)

    try:
        ask(pairs[:1])
        if result.problems.pop(Problem.BAD_REQUEST, 0):
            result.has_schema = False
            ask_more(pairs[:1])
        ask_more(pairs[1:])
        if result.problems[Problem.GAVE_UP]:
            result.ended_early = UNREACHED
    except (BudgetReached, EndpointUnusable) as ending:
        result.ended_early = str(ending)
    return result


def _name(key: Key) -> str:
    return f"{key[0]}:{key[1]}"


def _take(result: JudgeResult, name: str, request: ChatRequest, answer: ChatAnswer) -> None:
    if answer.problem:
        result.problems[answer.problem] += 1
        return
    result.answers += 1
    result.usage += usage_of(request, answer)
    index, _, position = name.partition(":")
    verdict = parse_verdict(answer.text)
    if verdict is None:
        result.undecided += 1
    else:
        result.verdicts[int(index), int(position)] = verdict
