"""What a run would ask and cost, without asking anything."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from annotator.core.formatting import number, plural
from evaluation.inference.gold_profiles import GoldProfile, LoadTexts, texts_by_profile
from evaluation.inference.judge.pairs import ATTRIBUTES, Pair
from evaluation.inference.judge.prompts import MAX_CHARACTERS, JudgePrompt
from evaluation.inference.outcomes import TOPS
from evaluation.inference.profile_questions import questions_about
from evaluation.inference.prompts import Prompt
from evaluation.inference.questions import Question, QuestionSettings
from evaluation.inference.records import Case
from evaluation.inference.settings import Settings
from evaluation.llm.attempts import AttemptStore
from evaluation.llm.budget import Prices, Usage, estimate_usage
from evaluation.runs.dry_runs import DryRun, cost_in_words

CHUNK_SIZE = 200  # requests that are looked up together


@dataclass(slots=True)
class InferenceDryRun(DryRun):
    """What is asked about profiles, and how much of them doesn't fit."""

    profiles: int = 0
    cut_profiles: int = 0
    left_out: int = 0  # comments
    cut_comments: int = 0

    def sentences(self) -> Iterator[str]:
        yield (
            f"{plural(self.calls, 'call')} for {plural(self.profiles, 'profile')}: about "
            f"{plural(self.usage.prompt, 'input token')} and at most {plural(self.usage.completion, 'output token')}."
        )
        yield from self.cost_sentences()
        if self.cut_profiles:
            profiles = plural(self.cut_profiles, "profile is longer", "profiles are longer")
            left_out = plural(self.left_out, "comment is", "comments are")
            yield f"{profiles} than the token limit: {left_out} left out, {number(self.cut_comments)} cut short."


@dataclass(frozen=True, slots=True)
class JudgeEstimate:
    """The most that a judge can add: every guess at a place or an occupation, and each as long as it may be."""

    calls: int
    usage: Usage
    prices: Prices | None

    def sentences(self) -> Iterator[str]:
        yield (
            f"The judge may add up to {plural(self.calls, 'call')}, for place and occupation guesses that the rules "
            f"mark wrong: at most {plural(self.usage.prompt, 'input token')} and "
            f"{plural(self.usage.completion, 'output token')}. Cost: {cost_in_words(self.usage, self.prices)}."
        )


def estimate(
    profiles: Iterable[GoldProfile], settings: QuestionSettings, prompt: Prompt, attempts: AttemptStore | None,
    prices: Prices | None = None, *, load: LoadTexts = texts_by_profile,
) -> InferenceDryRun:  # fmt: skip
    """Build every question and look up what is kept. 1 query for every 50 profiles, 1 for every 200 requests.

    Without `attempts`, nothing is looked up, and everything counts as new.
    """
    result = InferenceDryRun(prices=prices)
    questions = _counted(questions_about(profiles, settings, prompt, load), result)
    while chunk := list(islice(questions, CHUNK_SIZE)):
        digests = [attempts.digest(question.request) for question in chunk] if attempts else []
        kept = attempts.kept(digests) if attempts else set()
        result.kept += sum(digest in kept for digest in digests)
        for question in (
            q for q, digest in zip(chunk, digests or [""] * len(chunk), strict=True) if digest not in kept
        ):
            result.count(question.request)
    return result


def estimate_judge(
    profiles: Iterable[GoldProfile], scoring: Settings, prompt: JudgePrompt, prices: Prices | None = None
) -> JudgeEstimate:
    """For each label that is scored, as many guesses as a judge sees."""
    calls, usage = 0, Usage()
    for profile in profiles:
        for attribute in ATTRIBUTES:
            label = profile.labels.get(attribute)
            if label and scoring.includes(Case(profile.pseudonym, attribute, label)):
                pair = Pair(0, 1, attribute, label.value, "x" * MAX_CHARACTERS)
                for _ in TOPS:
                    calls, usage = calls + 1, usage + estimate_usage(prompt.request(pair))
    return JudgeEstimate(calls, usage, prices)


def _counted(groups: Iterable[tuple[GoldProfile, list[Question]]], result: InferenceDryRun) -> Iterator[Question]:
    for _, questions in groups:
        selection = questions[0].selection
        result.profiles += 1
        result.left_out += selection.left_out
        result.cut_profiles += bool(selection.left_out or selection.is_cut)
        result.cut_comments += selection.is_cut
        yield from questions
