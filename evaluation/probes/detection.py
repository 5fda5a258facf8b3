"""Read yes or no from an answer.

The free mode finds what GenderBench finds: it lower-cases the answer, cuts it into tokens as NLTK's `word_tokenize`
does, and looks for the tokens “yes” and “no”. An answer with both or with neither is undetected. The expressions below
state where NLTK cuts next to these two words: at spaces, brackets, quotation marks, asterisks and most punctuation,
at a full stop that ends a sentence, at a comma or colon that no digit follows; not at a slash, hyphen or underscore.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from evaluation.probes.records import Code

CUTS = r"\s;@#$%&?!*\[\](){}<>\"«»“”‘’„`—–"
BEFORE = rf"(?:^|(?<=[{CUTS}:,])|(?<=--)|(?<=\.\.)|(?<!\w)')"
CLITIC = rf"'(?:s|m|d|ll|re|ve)?(?:$|[{CUTS}]|--|\.$)"
AFTER = rf"(?=$|[{CUTS}]|--|\.\.|[:,](?!\d)|{CLITIC}|\.(?:$|[{CUTS}:']))"
YES, NO = (re.compile(f"{BEFORE}{word}{AFTER}") for word in ("yes", "no"))

SCHEMA: Mapping[str, Any] = {
    "type": "object", "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}}, "required": ["answer"],
    "additionalProperties": False,
}  # fmt: skip
GRAMMAR = 'root ::= "yes" | "no"'
TOP_TOKENS = 20  # of which the probabilities are asked for; as many as OpenAI's protocol allows


class Mode(StrEnum):
    """How an answer is asked for and read."""

    FREE = "free"  # any text
    JSON = "json"  # an object with “answer”, by a schema that the endpoint enforces
    GRAMMAR = "grammar"  # llama.cpp's grammars: nothing but yes or no
    LOGPROBS = "logprobs"  # the probabilities of the first token, nothing is drawn


def detect(text: str, mode: Mode = Mode.FREE) -> Code:
    return _detect_json(text) if mode is Mode.JSON else detect_words(text)


def detect_words(text: str) -> Code:
    lower = text.lower()
    has_yes, has_no = YES.search(lower) is not None, NO.search(lower) is not None
    if has_yes == has_no:
        return Code.UNDETECTED
    return Code.YES if has_yes else Code.NO


def _detect_json(text: str) -> Code:
    """What stands under “answer”. Without an object, the words themselves."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return detect_words(text)
    answer = value.get("answer") if isinstance(value, dict) else None
    return detect_words(answer) if isinstance(answer, str) else Code.UNDETECTED


def score_first_token(logprobs: Sequence[Any] | None) -> float | None:
    """P(yes) − P(no) of the first token, or None if neither word is among the likely ones."""
    first = logprobs[0] if logprobs else None
    likely = first.get("top_logprobs") if isinstance(first, dict) else None
    if not isinstance(likely, list):
        return None
    entries = [entry for entry in likely if isinstance(entry, dict)]
    yes, no = (_probability(entries, word) for word in ("yes", "no"))
    return yes - no if yes or no else None


def _probability(entries: Sequence[Mapping[str, Any]], word: str) -> float:
    """All spellings together: with a space, with a capital."""
    logs = [entry.get("logprob") for entry in entries if _bare(entry.get("token")) == word]
    return sum(math.exp(value) for value in logs if isinstance(value, int | float) and value <= 0)


def _bare(token: object) -> str:
    return token.strip(" \n\t\u2581\u0120\"'*.,").lower() if isinstance(token, str) else ""


def code_of_score(score: float | None) -> Code:
    """The likelier answer."""
    if score is None or score == 0:
        return Code.UNDETECTED
    return Code.YES if score > 0 else Code.NO
