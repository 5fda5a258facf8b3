"""What a model is asked, and what it answered."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

DIGEST_FORMAT = 1  # a change makes every kept answer unknown


class Problem(StrEnum):
    """Why there is no usable answer."""

    NONE = ""
    CONTEXT_OVERFLOW = "context-overflow"  # the request is longer than the model can read
    REFUSED_BY_SERVER = "refused-by-server"  # a filter of the endpoint, or the model by the protocol's own field
    EMPTY = "empty"  # no choices, or no text
    TOO_LARGE = "too-large"  # more than any answer can have
    BAD_ANSWER = "bad-answer"  # not what the protocol says, again and again
    BAD_REQUEST = "bad-request"  # the endpoint doesn't accept something in the request
    GAVE_UP = "gave-up"  # 429, 5xx, timeouts or no connection, again and again
    WRONG_KEY = "wrong-key"
    UNKNOWN_MODEL = "unknown-model"
    REDIRECTED = "redirected"  # never followed: it could lead to a host that nobody allowed


# Asking again would give the same, or cost again.
KEPT = frozenset({Problem.NONE, Problem.CONTEXT_OVERFLOW, Problem.REFUSED_BY_SERVER, Problem.EMPTY, Problem.TOO_LARGE})
# Every other request would fail in the same way.
HOPELESS = frozenset({Problem.WRONG_KEY, Problem.UNKNOWN_MODEL, Problem.REDIRECTED})


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A conversation to continue. `messages` are pairs of role and text."""

    messages: tuple[tuple[str, str], ...]
    temperature: float = 0.1
    max_tokens: int = 600
    seed: int | None = None
    json_schema: Mapping[str, Any] | None = None
    grammar: str = ""
    logprobs: bool = False
    top_logprobs: int = 0  # the most likely tokens at each place; needs `logprobs`
    repetition: int = 0  # asks the same again: the server never sees it, but each has an answer of its own
    profile_id: int | None = None  # whom the texts are about; a takedown of the profile removes the attempt

    def __post_init__(self) -> None:
        if self.top_logprobs and not self.logprobs:
            raise ValueError("top_logprobs needs logprobs.")

    def digest(self, model: str, base_url: str) -> str:
        """SHA-256 over everything that can change an answer. The profile can't: the texts are in the messages."""
        parts: list[Any] = [DIGEST_FORMAT, normalise_url(base_url), self.payload(model)]
        parts += [{"repetition": self.repetition}] if self.repetition else []
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def payload(self, model: str) -> dict[str, Any]:
        """The body of the request in OpenAI's chat protocol; `grammar` is llama.cpp's addition to it."""
        body: dict[str, Any] = {
            "model": model,
            "messages": [{"role": role, "content": text} for role, text in self.messages],
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "stream": False,
        }
        return body | self._options()

    def _options(self) -> dict[str, Any]:
        """Only what was asked for: many endpoints refuse fields that they don't know."""
        schema = {"name": "answer", "strict": True, "schema": self.json_schema}
        options = {
            "seed": self.seed,
            "response_format": {"type": "json_schema", "json_schema": schema} if self.json_schema is not None else None,
            "grammar": self.grammar or None,
            "logprobs": self.logprobs or None,
            "top_logprobs": self.top_logprobs or None,
        }
        return {name: value for name, value in options.items() if value is not None}

    @property
    def characters(self) -> int:
        return sum(len(text) for _, text in self.messages)


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What came back. `problem` is empty, or says why `text` can't be used. Tokens are None if the server told none."""

    text: str
    finish_reason: str
    prompt_tokens: int | None
    completion_tokens: int | None
    seconds: float
    logprobs: tuple[Any, ...] | None
    problem: str = Problem.NONE

    @property
    def is_kept(self) -> bool:
        return self.problem in KEPT

    def after(self, seconds: float) -> "ChatAnswer":
        return replace(self, seconds=seconds)


def failure(problem: Problem) -> ChatAnswer:
    return ChatAnswer("", "", None, None, 0.0, None, problem)


def normalise_url(base_url: str) -> str:
    """The same address in one spelling."""
    parts = urlsplit(base_url.strip())
    return f"{parts.scheme.lower()}://{parts.netloc.lower()}{parts.path.rstrip('/')}"
