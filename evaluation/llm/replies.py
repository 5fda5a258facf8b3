"""What a server's response means."""

import json
from typing import Any

from evaluation.llm.requests import ChatAnswer, Problem, failure

OVERFLOW_WORDS = ("exceed_context_size", "context_length_exceeded", "context length", "context size", "context window")
FILTER_WORDS = ("content_filter", "content_policy", "content management policy")
PASSING = frozenset({408, 409, 425, 429})
BY_STATUS = {401: Problem.WRONG_KEY, 403: Problem.WRONG_KEY, 404: Problem.UNKNOWN_MODEL}


def is_passing(status: int) -> bool:
    """Another try may help."""
    return status in PASSING or status >= 500


def read_error(status: int, body: bytes) -> ChatAnswer:
    """A response that isn't 200 and won't change."""
    words = body[:4000].decode(errors="replace").lower()
    if 300 <= status < 400:
        return failure(Problem.REDIRECTED)
    if any(word in words for word in FILTER_WORDS):
        return failure(Problem.REFUSED_BY_SERVER)
    if status in (400, 413, 422) and any(word in words for word in OVERFLOW_WORDS):
        return failure(Problem.CONTEXT_OVERFLOW)
    return failure(BY_STATUS.get(status, Problem.BAD_REQUEST))


def read_answer(body: bytes) -> ChatAnswer:
    """A response with 200. BAD_ANSWER if it isn't what the protocol says."""
    try:
        reply = json.loads(body)
        return _read_reply(reply)
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
        return failure(Problem.BAD_ANSWER)


def _read_reply(reply: dict[str, Any]) -> ChatAnswer:
    choices, usage = reply["choices"], reply.get("usage") or {}
    choice = choices[0] if choices else {}
    message = choice.get("message") or {}
    refusal, reason = message.get("refusal") or "", choice.get("finish_reason") or ""
    text = message.get("content") or refusal
    if not isinstance(text, str) or not isinstance(reason, str):
        return failure(Problem.BAD_ANSWER)
    problem = Problem.NONE if text.strip() else Problem.EMPTY
    if refusal or reason == "content_filter":
        problem = Problem.REFUSED_BY_SERVER
    tokens = (_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))
    return ChatAnswer(text, reason, *tokens, 0.0, _logprobs(choice), problem)


def _count(value: object) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31
    return int(str(value)) if is_count else None


def _logprobs(choice: dict[str, Any]) -> tuple[Any, ...] | None:
    """The server's own entries, one per token: `{token, logprob, top_logprobs}`."""
    contents = (choice.get("logprobs") or {}).get("content")
    return tuple(contents) if isinstance(contents, list) else None
