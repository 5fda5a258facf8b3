"""The judge of a run: an optional second model that reviews guesses which the rules mark wrong."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.core.formatting import number, plural
from evaluation.inference.differences import Scored
from evaluation.inference.judge import verdicts
from evaluation.inference.judge.model_verdicts import JudgeResult, judge_cases
from evaluation.inference.judge.pairs import merge_credits
from evaluation.inference.judge.prompts import JudgePrompt
from evaluation.inference.report import Judged
from evaluation.inference.run_endpoints import judge_for
from evaluation.inference.settings import DIGEST_LENGTH, plain_name
from evaluation.llm.budget import Budget, Limit, Prices
from evaluation.llm.client import ModelClient
from evaluation.models import EvaluationRun
from evaluation.runs.results import CannotMeasure

STOPPED = "The judge stopped. {reason} All profiles were answered, and {judged} of {pairs} were judged."


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What the judge said, and the scores that follow from it."""

    result: JudgeResult
    scores: Judged


@dataclass(frozen=True, slots=True)
class RunJudge:
    """`limit` is that of the whole run. `account` is under which the judge pays; a run that goes on keeps it."""

    client: ModelClient
    prices: Prices | None
    prompt: JudgePrompt
    limit: Limit
    account: str

    @property
    def signature(self) -> dict[str, str]:
        return {
            "judge": plain_name(self.client.endpoint.model),
            "judge_prompt": self.prompt.digest[:DIGEST_LENGTH],
            "judge_parser": str(verdicts.VERSION),
        }

    def budget_after(self, answers: Budget | None) -> Budget:
        """What the answers left of the limit, by the judge's own prices. Raises BudgetUnusable."""
        return answers.rest(self.prices) if answers else self.limit.budget(self.prices)

    def decide(
        self, scored: Sequence[Scored], profile_ids: Sequence[int | None], budget: Budget,
        tell: Callable[[int, int], object],
    ) -> Verdicts:  # fmt: skip
        """Raises CannotMeasure if not everything could be judged: the score would be too low. Answers are kept."""
        result = judge_cases(
            scored, profile_ids, self.client, run=self.account, budget=budget, tell=tell, prompt=self.prompt,
        )  # fmt: skip
        if result.ended_early:
            done, pairs = number(len(result.verdicts) + result.undecided), plural(result.pairs, "guess", "guesses")
            raise CannotMeasure(STOPPED.format(reason=result.ended_early, judged=done, pairs=pairs))
        return Verdicts(result, Judged(merge_credits(scored, result.verdicts), self._described(result)))

    def _described(self, result: JudgeResult) -> Mapping[str, Any]:
        """As the report has it."""
        cost = None if self.prices is None else float(self.prices.cost(result.usage))
        usage = {
            "calls": result.answers, "prompt_tokens": result.usage.prompt,
            "completion_tokens": result.usage.completion, "cost": cost,
            "currency": self.prices.currency if self.prices else "",
        }  # fmt: skip
        names = {"model": self.client.endpoint.model, "prompt": self.prompt.name, "prompt_sha256": self.prompt.digest}
        return names | {"parser": verdicts.VERSION, **result.as_json(), "usage": usage}


def open_judge(run: EvaluationRun) -> RunJudge | None:
    """None if the run has no judge. Raises CannotMeasure and EndpointRefused."""
    if not (contents := run.settings.get("judge")):
        return None
    endpoint, prices, prompt = judge_for(contents)
    client, limit = ModelClient(endpoint, run.asked_by), Limit.of(run.settings["budget"])
    return RunJudge(client, prices, prompt, limit, contents["account"])
