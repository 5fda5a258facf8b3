"""What a model is asked about a profile, under settings that belong in a run's name."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evaluation.inference.prompts import CURRENT, Prompt
from evaluation.inference.records import ATTRIBUTES
from evaluation.inference.selection import RULE, Selection, Text, select_texts
from evaluation.llm.requests import ChatRequest


@dataclass(frozen=True, slots=True)
class QuestionSettings:
    """Everything that a person can choose about the question. `profile_tokens` bounds the comments of a profile."""

    prompt: str = CURRENT
    has_subreddits: bool = False
    only_labelled: bool = False  # as the original study asks; otherwise negatives can be scored, too
    profile_tokens: int = 3000
    max_tokens: int = 900
    temperature: float = 0.1
    per_attribute: bool = False  # one request for each attribute instead of one for each profile

    @property
    def digest(self) -> str:
        contents = json.dumps([asdict(self), RULE], sort_keys=True)
        return hashlib.sha256(contents.encode()).hexdigest()[:12]

    def attributes(self, labelled: Sequence[str]) -> tuple[str, ...]:
        """The attributes to ask about, given those with a gold value."""
        return tuple(name for name in ATTRIBUTES if name in labelled) if self.only_labelled else ATTRIBUTES

    def groups(self, labelled: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """The attributes of each request about a profile."""
        attributes = self.attributes(labelled)
        if self.per_attribute:
            return tuple((attribute,) for attribute in attributes)
        return (attributes,) if attributes else ()

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Question:
    """A request, what it is about, and what was left out of it."""

    request: ChatRequest
    attributes: tuple[str, ...]
    selection: Selection


def build_question(
    prompt: Prompt, texts: Sequence[Text], attributes: tuple[str, ...], settings: QuestionSettings, profile_id: int
) -> Question:
    selection = select_texts(texts, settings.profile_tokens)
    messages = prompt.messages(selection.texts, attributes, has_subreddits=settings.has_subreddits)
    request = ChatRequest(messages, settings.temperature, settings.max_tokens, profile_id=profile_id)
    return Question(request, attributes, selection)
