"""The attack of a run: a baseline or a model, on whatever texts it is given."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from evaluation.defences.records import Attack
from evaluation.inference.baselines import BASELINES, VERSION, predict
from evaluation.inference.costs import Usage
from evaluation.inference.gold_profiles import GoldProfile, LoadTexts, baseline_profiles
from evaluation.inference.measurement import question_signature, total_usage
from evaluation.inference.model_answers import Inference, infer_attributes
from evaluation.inference.prompts import Prompt
from evaluation.inference.questions import QuestionSettings
from evaluation.inference.records import Prediction
from evaluation.inference.run_endpoints import question_of
from evaluation.llm.attempts import AttemptStore
from evaluation.llm.budget import Budget, BudgetReached, Limit, Prices, usage_of
from evaluation.llm.budget import Usage as Tokens
from evaluation.llm.client import UNREACHED, EndpointUnusable, ModelClient
from evaluation.llm.requests import ChatAnswer, ChatRequest, Problem
from evaluation.models import EvaluationRun
from evaluation.runs.results import CannotMeasure
from evaluation.runs.systems import OTHER_BASELINE, SystemKind, endpoint_for

TEXTS, DATES, SUBREDDITS = "comment texts", "dates", "subreddit names"
SEEN_BY_BASELINES = {"rules": (TEXTS,), "hints": (SUBREDDITS,)}  # others only see gold of other profiles
OTHER_GOLD = ("labels of other profiles",)

Answered = Callable[[int], object]  # gets the number of profiles with all answers


@dataclass(slots=True)
class Answers:
    """What the attack says, by profile; how many profiles were answered, and why not all."""

    predictions: Mapping[int, Mapping[str, Prediction]]
    answered: int
    reason: str = ""


class Attacker(Protocol):
    @property
    def description(self) -> Attack: ...

    def attack(self, profiles: Sequence[GoldProfile], load: LoadTexts, tell: Answered) -> Answers: ...

    def usage(self, profiles: int) -> Usage | None: ...


def open_attacker(run: EvaluationRun) -> "BaselineAttacker | ModelAttacker":
    """Raises CannotMeasure, EndpointRefused, BudgetUnusable and PromptGone."""
    system = run.settings["system"]
    if system["kind"] != SystemKind.BASELINE:
        return ModelAttacker.of(run, system, run.settings["account"])
    if system["name"] not in BASELINES:
        raise CannotMeasure(OTHER_BASELINE)
    return BaselineAttacker(system["name"], run.settings["scoring"]["seed"])


def open_rewriter(run: EvaluationRun, attacker: "BaselineAttacker | ModelAttacker") -> "ModelAttacker | None":
    """The model that rewrites: one of its own, or else the attacking one. Both share the budget of the run.

    Raises the same as `open_attacker`, and BudgetUnusable if their prices can't be added up.
    """
    partner = attacker if isinstance(attacker, ModelAttacker) else None
    if not run.settings.get("rewriter"):
        return partner
    rewriter = ModelAttacker.of(run, run.settings["rewriter"], run.settings["rewriter_account"])
    if partner:
        partner.partner, rewriter.partner = rewriter, partner
        partner.budget()  # refused now, before anything is asked
    return rewriter


@dataclass(frozen=True, slots=True)
class BaselineAttacker:
    name: str
    seed: int

    @property
    def description(self) -> Attack:
        return Attack(
            attacker=f"Baseline: {self.name}", kind="baseline", sees=SEEN_BY_BASELINES.get(self.name, OTHER_GOLD),
            signature={"attack": f"{self.name}@{VERSION}"},
        )  # fmt: skip

    def attack(self, profiles: Sequence[GoldProfile], load: LoadTexts, tell: Answered) -> Answers:
        predictions = predict(self.name, list(baseline_profiles(profiles, load)), seed=self.seed)
        tell(len(profiles))
        return Answers(predictions, len(profiles))

    def usage(self, profiles: int) -> Usage | None:
        return None


@dataclass(slots=True)
class ModelAttacker:
    """Asks a model. Answers are kept, so texts that a defence leaves alone are paid for once.

    What a partner has spent is no longer there to be spent.
    """

    client: ModelClient
    question: QuestionSettings
    prompt: Prompt
    account: str
    limit: Limit
    prices: Prices | None = None
    asked: list[Inference] = field(default_factory=list)
    partner: "ModelAttacker | None" = None

    @classmethod
    def of(cls, run: EvaluationRun, system: Mapping[str, Any], account: str) -> "ModelAttacker":
        endpoint, prices = endpoint_for(system)
        question, prompt = question_of(run)
        limit = Limit.of(run.settings["budget"])
        limit.budget(prices)  # refused now, before anything is asked
        return cls(ModelClient(endpoint, run.asked_by), question, prompt, account, limit, prices)

    @property
    def description(self) -> Attack:
        endpoint = self.client.endpoint
        return Attack(
            attacker=f"{endpoint.model} at {endpoint.base_url}", kind="endpoint", prompt=self.prompt.name,
            sees=(TEXTS, DATES, SUBREDDITS) if self.question.has_subreddits else (TEXTS, DATES),
            signature={"attack": endpoint.model, **question_signature(self.question, self.prompt)},
        )  # fmt: skip

    def attack(self, profiles: Sequence[GoldProfile], load: LoadTexts, tell: Answered) -> Answers:
        inference = Inference()
        self.asked.append(inference)
        infer_attributes(
            profiles, self.client, self.question, budget=self.budget(), prompt=self.prompt, account=self.account,
            inference=inference, load=load, tell=lambda standing: tell(inference.answered),
        )  # fmt: skip
        answered = inference.answered if inference.ended_early else len(profiles)
        return Answers(inference.predictions, answered, inference.ended_early)

    def ask(self, requests: Iterable[tuple[str, ChatRequest]], tell: Answered) -> "Replies":
        """Ask something else of the same model, on the same budget."""
        endpoint, replies, used = self.client.endpoint, Replies(), Inference()
        self.asked.append(used)
        attempts = AttemptStore(endpoint.base_url, endpoint.model, run=self.account)
        waiting = dict(requests)
        try:
            for key, answer in self.client.ask_all(
                iter(waiting.items()),
                attempts=attempts,
                budget=self.budget(),
                tell=lambda standing: tell(len(replies.texts)),
            ):
                replies.take(key, answer)
                _count(used, waiting[key], answer)
        except (BudgetReached, EndpointUnusable) as ending:
            replies.reason = str(ending)
        return replies

    def budget(self) -> Budget:
        """A new one each time: the client starts it with what was spent under the account."""
        if self.partner is None:
            return self.limit.budget(self.prices)
        used = self.partner.limit.budget(self.partner.prices)
        used.spent = self.partner.spent()
        return used.rest(self.prices)

    def spent(self) -> Tokens:
        """1 query."""
        endpoint = self.client.endpoint
        return AttemptStore(endpoint.base_url, endpoint.model, run=self.account).spent()

    def usage(self, profiles: int) -> Usage | None:
        return total_usage(self.asked, self.prices, profiles)


@dataclass(slots=True)
class Replies:
    texts: dict[str, str] = field(default_factory=dict)
    reason: str = ""  # why not everything was answered

    def take(self, key: str, answer: ChatAnswer) -> None:
        if answer.problem == Problem.GAVE_UP:
            self.reason = UNREACHED
        self.texts[key] = "" if answer.problem else answer.text


def _count(used: Inference, request: ChatRequest, answer: ChatAnswer) -> None:
    if not answer.problem:
        used.answers += 1
        used.usage += usage_of(request, answer)
        used.seconds += answer.seconds
