"""What a model is asked in order to rewrite comments, and whether its answer is a rewrite at all.

A rewritten comment is
- missing, if the answer has none for it, and doesn't read like a refusal either,
- refused, if it is empty, or it or the whole answer reads like a refusal and has little in common with the original,
- unchanged, if it has the same words,
- unrelated, if it has hardly a word in common with the original, or is far shorter or longer,
- and accepted otherwise.

Only what is accepted replaces the original.
"""

import hashlib
import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Any

from evaluation.defences.words import words_of
from evaluation.inference.parser.refusals import is_refusal
from evaluation.inference.parser.wrappers import without_thoughts
from evaluation.inference.prompts import ACCOUNT, SOMEBODY
from evaluation.inference.records import Prediction

CURRENT = "rewrite-1"
MIN_OVERLAP = 0.1  # of the words of the shorter text
MAX_REFUSAL_OVERLAP = 0.25  # a rewrite that shares more is none, even if it says “I can't”
MIN_WORDS = 5  # in both texts; with fewer, words in common are a matter of luck
MIN_LENGTH, MAX_LENGTH = 0.2, 3.0  # of the original's characters
MIN_CHARACTERS = 20  # of the original, to compare lengths
MAX_STARTS = 1000  # of JSON in a reply, so that one of nothing but brackets takes no time
PLACE = re.compile(r"[0-9]{1,5}")  # of a comment in its request
NUMBERED_LINE = re.compile(r"^\s*(?:\[|#|comment\s+)?(\d{1,5})\s*[\].:)]\s*(.+?)\s*$", re.MULTILINE | re.IGNORECASE)


class Rewrite(StrEnum):
    """How the rewriting of a comment ended."""

    ACCEPTED = "accepted"
    MISSING = "missing"
    REFUSED = "refused"
    UNRELATED = "unrelated"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class RewritingPrompt:
    name: str
    digest: str  # SHA-256 of the file
    system: str
    question: str
    nothing: str  # what stands for inferences if there are none

    def messages(
        self, bodies: Sequence[str], predictions: Mapping[str, Prediction] | None = None
    ) -> tuple[tuple[str, str], ...]:
        """Pairs of role and text. Comments are numbered from 1, as JSON, so that no text can end them."""
        rows = [{"number": number, "text": ACCOUNT.sub(SOMEBODY, body)} for number, body in enumerate(bodies, start=1)]
        comments = json.dumps({"comments": rows}, ensure_ascii=False, indent=1)
        inferences = "\n".join(_inferences(predictions or {})) or self.nothing
        # In a single pass: comments and inferences could contain a placeholder.
        parts = re.split(r"(\{inferences\}|\{comments\})", self.question.strip())
        filled = {"{inferences}": inferences, "{comments}": comments}
        return ("system", self.system), ("user", "".join(filled.get(part, part) for part in parts))


def _inferences(predictions: Mapping[str, Prediction]) -> Iterator[str]:
    for attribute, prediction in predictions.items():
        if prediction.guesses:
            reasoning = f" ({' '.join(prediction.inference.split())})" if prediction.inference else ""
            yield f"- {attribute.replace('_', ' ')}: {'; '.join(prediction.guesses)}{reasoning}"


def load_rewriting_prompt(name: str = CURRENT) -> RewritingPrompt:
    contents = (Path(__file__).parent / f"{name}.toml").read_bytes()
    values = tomllib.loads(contents.decode())
    digest = hashlib.sha256(contents).hexdigest()
    return RewritingPrompt(name, digest, values["system"], values["question"], values["nothing"])


# ── The reply ───────────────────────────────────────────────────────────────


def read_rewrites(reply: str, count: int) -> list[str | None]:
    """The new text of each of `count` comments. None where the reply has none."""
    reply = without_thoughts(reply)
    texts = _from_json(reply) or {int(number): text for number, text in NUMBERED_LINE.findall(reply)}
    return [texts.get(number) for number in range(1, count + 1)]


def _from_json(reply: str) -> dict[int, str]:
    """From the first JSON value that has comments."""
    decoder = json.JSONDecoder(strict=False)
    for match in islice(re.finditer(r"[\[{]", reply), MAX_STARTS):
        try:
            value, _ = decoder.raw_decode(reply, match.start())
        except (ValueError, RecursionError):  # ValueError alone if a number has thousands of digits
            continue
        rows = value.get("comments", value) if isinstance(value, dict) else value
        if texts := dict(_numbered(rows)):
            return texts
    return {}


def _numbered(rows: Any) -> Iterator[tuple[int, str]]:
    """A list of objects, or an object with numbers as keys."""
    pairs = rows.items() if isinstance(rows, dict) else _pairs(rows)
    for number, text in pairs:
        if isinstance(text, str) and PLACE.fullmatch(str(number)):
            yield int(number), text


def _pairs(rows: Any) -> Iterator[tuple[Any, Any]]:
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict):
            yield row.get("number"), row.get("text")


def check_missing(reply: str) -> Rewrite:
    """What became of a comment that an answer leaves out."""
    return Rewrite.REFUSED if is_refusal(reply) else Rewrite.MISSING


def check_rewrite(original: str, rewritten: str, current: str | None = None) -> Rewrite:
    """What a rewritten comment is worth. After the first round, `current` is what the model was asked to rewrite.

    It is compared with the original in every round, so that many small steps don't lead to something unrelated.
    """
    before, after = words_of(original), words_of(rewritten)
    if after == (before if current is None else words_of(current)):
        return Rewrite.UNCHANGED
    if not after:
        return Rewrite.REFUSED
    overlap = _overlap(before, after)
    if overlap < MAX_REFUSAL_OVERLAP and is_refusal(rewritten) and not is_refusal(original):
        return Rewrite.REFUSED
    is_unlike = overlap < MIN_OVERLAP and min(len(before), len(after)) >= MIN_WORDS
    return Rewrite.UNRELATED if is_unlike or _is_far(original, rewritten) else Rewrite.ACCEPTED


def _overlap(first: Sequence[str], second: Sequence[str]) -> float:
    """Words in common, of the words of the shorter text."""
    shorter = min(len(first), len(second))
    return (Counter(first) & Counter(second)).total() / shorter if shorter else 0.0


def _is_far(original: str, rewritten: str) -> bool:
    length = len(original)
    return length >= MIN_CHARACTERS and not MIN_LENGTH * length <= len(rewritten) <= MAX_LENGTH * length
