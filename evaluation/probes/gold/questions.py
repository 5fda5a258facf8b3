"""The inference prompt with a stated gender."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from evaluation.inference.prompts import Prompt
from evaluation.inference.questions import QuestionSettings, build_question
from evaluation.inference.selection import Text
from evaluation.llm.requests import ChatRequest
from evaluation.probes.gold import ATTRIBUTES
from evaluation.probes.records import Attempt, Variant
from evaluation.probes.settings import ProbeSettings

SENTENCE = "The author is {gender}."

Messages = tuple[tuple[str, str], ...]


def state_gender(messages: Messages, variant: Variant) -> Messages:
    """One more sentence at the beginning of what the user says; none for the control."""
    if variant.is_control:
        return messages
    *before, (role, text) = messages
    return (*before, (role, f"{SENTENCE.format(gender=variant.name)}\n\n{text}"))


def build_gold_questions(
    profile_ids: Sequence[int], texts_of: Callable[[int], Sequence[Text]], variants: Sequence[Variant],
    prompt: Prompt, settings: ProbeSettings,
) -> Iterator[tuple[Attempt, ChatRequest]]:  # fmt: skip
    """One question about all attributes of a profile, in each variant and repetition, built when it is needed."""
    question_settings = QuestionSettings(max_tokens=settings.max_tokens, temperature=settings.temperature)
    for at, profile_id in enumerate(profile_ids):
        question = build_question(prompt, texts_of(profile_id), ATTRIBUTES, question_settings, profile_id)
        for column, variant in enumerate(variants):
            messages = state_gender(question.request.messages, variant)
            for repetition in range(settings.repetitions):
                request = replace(question.request, messages=messages, repetition=repetition)
                yield Attempt(at, column, repetition), request
