"""Answers kept in Postgres, so that a killed run goes on where it stopped and nothing is paid for twice."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import connection, transaction
from django.db.models import Sum
from django.db.models.functions import Coalesce

from evaluation.llm.budget import Usage
from evaluation.llm.requests import ChatAnswer, ChatRequest
from evaluation.models import ModelAttempt

LOCK_SPACE = 7_260_417  # so that these locks are never taken for others
NUL, SURROGATE = "\\u0000", "\\ud"  # as JSON writes them; the second begins every emoji, too
INSERT = """
    INSERT INTO evaluation_modelattempt (digest, profile_id, run, base_url, model, request, text, finish_reason,
        problem, prompt_tokens, completion_tokens, seconds, logprobs, cost)
    SELECT digest, profile_id, run, base_url, model, request, text, finish_reason,
        problem, prompt_tokens, completion_tokens, seconds, logprobs, cost
    FROM jsonb_to_recordset(%s::jsonb) AS attempt (
        digest text, profile_id bigint, run text, base_url text, model text, request jsonb, text text,
        finish_reason text, problem text, prompt_tokens integer, completion_tokens integer, seconds float8,
        logprobs jsonb, cost numeric)
    ON CONFLICT DO NOTHING
"""
COLUMNS = ("text", "finish_reason", "prompt_tokens", "completion_tokens", "seconds", "logprobs", "problem")


@dataclass(frozen=True, slots=True)
class Attempt:
    """An answer to keep."""

    digest: str
    request: ChatRequest
    answer: ChatAnswer
    cost: Decimal | None = None


@dataclass(frozen=True, slots=True)
class AttemptStore:
    """The answers of one endpoint and model. `run` names who pays, for `spent`."""

    base_url: str
    model: str
    run: str = ""

    def digest(self, request: ChatRequest) -> str:
        return request.digest(self.model, self.base_url)

    def find(self, digests: Sequence[str]) -> dict[str, ChatAnswer]:
        """Answers that are kept already, by digest. 1 query."""
        if not digests:
            return {}
        rows = ModelAttempt.objects.filter(digest__in=digests).values_list("digest", *COLUMNS)
        return {digest: _answer(*columns) for digest, *columns in rows}

    def kept(self, digests: Sequence[str]) -> set[str]:
        """Those that are answered already. 1 query."""
        return set(ModelAttempt.objects.filter(digest__in=digests).values_list("digest", flat=True))

    def keep(self, digest: str, request: ChatRequest, answer: ChatAnswer, cost: Decimal | None) -> None:
        self.keep_all([Attempt(digest, request, answer, cost)])

    def keep_all(self, attempts: Sequence[Attempt]) -> None:
        """Keep answers; the first one to a digest stays. An answer about a profile that is gone is dropped. 2 queries.

        Locking the profiles makes a takedown either wait and delete the attempts, too, or come first and be seen.
        """
        with transaction.atomic():
            present = lock_profiles({a.request.profile_id for a in attempts if a.request.profile_id is not None})
            kept = [a for a in attempts if a.request.profile_id is None or a.request.profile_id in present]
            _insert([self._row(attempt) for attempt in kept])

    def _row(self, attempt: Attempt) -> dict[str, Any]:
        answer = attempt.answer
        return {
            "digest": attempt.digest, "profile_id": attempt.request.profile_id, "run": self.run,
            "base_url": self.base_url, "model": self.model, "request": attempt.request.payload(self.model),
            "text": answer.text, "finish_reason": answer.finish_reason[:40], "problem": answer.problem,
            "prompt_tokens": answer.prompt_tokens, "completion_tokens": answer.completion_tokens,
            "seconds": answer.seconds, "logprobs": answer.logprobs,
            "cost": None if attempt.cost is None else str(attempt.cost),
        }  # fmt: skip

    def spent(self) -> Usage:
        """Tokens of the answers that this run has paid for so far. 1 query."""
        if not self.run:
            return Usage()
        sums = ModelAttempt.objects.filter(run=self.run).aggregate(
            prompt=Coalesce(Sum("prompt_tokens"), 0), completion=Coalesce(Sum("completion_tokens"), 0)
        )
        return Usage(sums["prompt"], sums["completion"])

    def claim(self, digests: Sequence[str]) -> set[str]:
        """Take the sole right to ask these, and return those for which nobody else has it. 1 query.

        It ends with the database connection, so that a killed process leaves nothing behind.
        """
        statement = "SELECT digest FROM unnest(%s::text[]) AS digest WHERE pg_try_advisory_lock(%s, hashtext(digest))"
        with connection.cursor() as cursor:
            cursor.execute(statement, [list(digests), LOCK_SPACE])
            return {digest for (digest,) in cursor.fetchall()}

    def release(self, digests: Sequence[str]) -> None:
        """Give the right back, once for each claim. 1 query."""
        statement = "SELECT pg_advisory_unlock(%s, hashtext(digest)) FROM unnest(%s::text[]) AS digest"
        with connection.cursor() as cursor:
            cursor.execute(statement, [LOCK_SPACE, list(digests)])


def _insert(rows: list[dict[str, Any]]) -> None:
    """All rows as one JSON document: making a model and a statement for each takes half of the client's time."""
    text = json.dumps(rows)
    if NUL in text or SURROGATE in text:
        text = json.dumps(_storable(rows))
    with connection.cursor() as cursor:
        cursor.execute(INSERT, [text])


def lock_profiles(ids: set[int]) -> set[int]:
    """Those that still exist. The lock is the weakest that a deletion waits for, as a foreign key takes it."""
    if not ids:
        return set()
    statement = "SELECT id FROM profiles_profile WHERE id = ANY(%s) ORDER BY id FOR KEY SHARE"
    with connection.cursor() as cursor:
        cursor.execute(statement, [sorted(ids)])
        return {profile for (profile,) in cursor.fetchall()}


def _answer(text: str, finish_reason: str, prompt: int | None, completion: int | None, *rest: Any) -> ChatAnswer:
    seconds, logprobs, problem = rest
    kept = None if logprobs is None else tuple(logprobs)
    return ChatAnswer(text, finish_reason, prompt, completion, seconds, kept, problem)


def _storable(value: Any) -> Any:
    """The same without what Postgres can't hold: NUL characters, and halves of surrogate pairs."""
    match value:
        case str():
            return value.replace("\x00", "").encode(errors="replace").decode()
        case list() | tuple():
            return [_storable(item) for item in value]
        case dict():
            return {_storable(name): _storable(item) for name, item in value.items()}
        case _:
            return value
