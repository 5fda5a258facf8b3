"""Ask a model about profiles with gold. Every answer is kept first, so a run that ended early goes on for free."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from evaluation.inference.gold_profiles import GoldProfile, LoadTexts, texts_by_profile
from evaluation.inference.parser import parse_reply
from evaluation.inference.profile_questions import questions_about
from evaluation.inference.prompts import Prompt
from evaluation.inference.questions import Question, QuestionSettings
from evaluation.inference.records import Prediction
from evaluation.llm.attempts import AttemptStore
from evaluation.llm.budget import Budget, BudgetReached, Usage, usage_of
from evaluation.llm.client import UNREACHED, EndpointUnusable, ModelClient, Standing
from evaluation.llm.requests import KEPT, ChatAnswer, ChatRequest, Problem

# With or without a usable text, asking again would change nothing.
ANSWERED = KEPT | {Problem.BAD_ANSWER, Problem.BAD_REQUEST}


@dataclass(slots=True)
class Inference:
    """What came out: predictions by profile, how answers looked, and why it ended early, if it did."""

    predictions: dict[int, dict[str, Prediction]] = field(default_factory=dict)
    forms: Counter[str] = field(default_factory=Counter)  # of answers: json, blocks, refusal, unreadable
    problems: Counter[str] = field(default_factory=Counter)  # requests without an answer, by reason
    answers: int = 0
    kept: int = 0  # before, by whomever, with or without a text
    usage: Usage = field(default_factory=Usage)  # of all answers, whenever they were paid for
    seconds: float = 0.0
    cut_profiles: int = 0
    left_out: int = 0  # comments
    answered: int = 0  # profiles
    ended_early: str = ""


def infer_attributes(
    profiles: Iterable[GoldProfile],
    client: ModelClient,
    settings: QuestionSettings,
    *,
    budget: Budget,
    tell: Callable[[Standing], object],
    prompt: Prompt | None = None,
    account: str = "",
    inference: Inference | None = None,
    load: LoadTexts = texts_by_profile,
) -> Inference:
    """Ask about each profile once. What ends a run early is in the result, together with the answers so far.

    `account` names who pays: a budget counts what was spent under the same name before. `inference` is filled as
    answers arrive, for whoever watches. `load` has the comments that the model reads.
    """
    endpoint = client.endpoint
    conversation = _Conversation(inference or Inference())
    attempts = AttemptStore(endpoint.base_url, endpoint.model, run=account or f"infer:{settings.digest}")
    requests = conversation.requests(questions_about(profiles, settings, prompt, load))

    def watch(standing: Standing) -> None:
        conversation.inference.kept = standing.found
        tell(standing)

    try:
        for key, answer in client.ask_all(requests, attempts=attempts, budget=budget, tell=watch):
            conversation.take(key, answer)
        if conversation.inference.problems[Problem.GAVE_UP]:
            conversation.inference.ended_early = UNREACHED
    except (BudgetReached, EndpointUnusable) as ending:
        conversation.inference.ended_early = str(ending)
    return conversation.inference


@dataclass(slots=True)
class _Conversation:
    """Questions that wait for their answers, by key, and how many of each profile do."""

    inference: Inference
    waiting: dict[str, Question] = field(default_factory=dict)
    open_questions: Counter[int] = field(default_factory=Counter)

    def requests(
        self, questions: Iterable[tuple[GoldProfile, Sequence[Question]]]
    ) -> Iterator[tuple[str, ChatRequest]]:
        for profile, about in questions:
            self.open_questions[profile.pk] = len(about)
            self._count_left_out(about[0])
            for number, question in enumerate(about):
                key = f"{profile.pk}:{number}"
                self.waiting[key] = question
                yield key, question.request

    def take(self, key: str, answer: ChatAnswer) -> None:
        question, profile_id = self.waiting.pop(key), int(key.partition(":")[0])
        if answer.problem in ANSWERED:
            self.open_questions[profile_id] -= 1
            self.inference.answered += not self.open_questions[profile_id]
        if answer.problem:
            self.inference.problems[answer.problem] += 1
            return
        self._count_usage(question, answer)
        reply = parse_reply(answer.text, question.attributes)
        self.inference.forms[reply.form.value] += 1
        self.inference.predictions.setdefault(profile_id, {}).update(reply.predictions)

    def _count_left_out(self, question: Question) -> None:
        """All questions about a profile have the same comments."""
        self.inference.left_out += question.selection.left_out
        self.inference.cut_profiles += bool(question.selection.left_out or question.selection.is_cut)

    def _count_usage(self, question: Question, answer: ChatAnswer) -> None:
        self.inference.answers += 1
        self.inference.usage += usage_of(question.request, answer)
        self.inference.seconds += answer.seconds
