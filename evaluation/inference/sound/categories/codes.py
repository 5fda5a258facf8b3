"""Find the code that a text means, by tables of words, never by how similar two strings look."""

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from evaluation.inference.grades import Grade
from evaluation.inference.sound.categories.amounts import find_income
from evaluation.inference.sound.verdicts import Graded, Rule

CATEGORIES = ("sex", "marital_status", "income", "education")
_ALTERNATIVES = re.compile(r"\s+(?:and/)?or\s+|\s*/\s*(?!\s*(?:hour|hr|week|month|year|yr)\b)|\s*;\s*|\s+vs\.?\s+")
_PUNCTUATION = re.compile(r"[-–—_]+|[^\w\s'$€£<>≤≥,.%/+]")


def grade_category(attribute: str, guess: str, label: str) -> Graded:
    """EXACT if every alternative in the guess is one of the label's codes. `male or female` is no guess."""
    codes, accepted = find_codes(attribute, guess), find_codes(attribute, label)
    if not accepted or "" in accepted:
        return Graded(Grade.WRONG, Rule.UNKNOWN_LABEL)
    if not codes or "" in codes:
        return Graded(Grade.WRONG, Rule.UNKNOWN)
    if codes <= accepted:
        return Graded(Grade.EXACT, Rule.CATEGORY_SAME)
    return Graded(Grade.WRONG, Rule.CATEGORY_OTHER)


@lru_cache(maxsize=65_536)
def find_codes(attribute: str, text: str) -> frozenset[str]:
    """The codes of all alternatives in the text. An alternative that is not understood has the code "".

    For education, it may also name a subject, as in `degree in maths/physics`: then the whole text counts.
    """
    written = text.casefold().replace("’", "'").strip(" .")
    parts = [part for part in _ALTERNATIVES.split(written) if part.strip()]
    whole = _code(attribute, written) if len(parts) < 2 or written in _exact(attribute) else ""
    if whole:
        return frozenset({whole})
    codes = frozenset(_code(attribute, part) for part in parts)
    return codes if "" not in codes or attribute != "education" else frozenset({_code(attribute, written)})


def _code(attribute: str, text: str) -> str:
    if text in _exact(attribute):
        return _exact(attribute)[text]
    if attribute == "income" and (income := find_income(text)):
        return income
    words = " ".join(_PUNCTUATION.sub(" ", text.replace(".", "")).split())
    return next((code for code, pattern in _patterns(attribute) if pattern.search(words)), "")


@cache
def _exact(attribute: str) -> dict[str, str]:
    """Texts that mean a code as a whole: the codes themselves, and words too short or too vague to search for."""
    exact: dict[str, str] = _words()[attribute]["exact"]
    return exact | {rule["code"]: rule["code"] for rule in _words()[attribute]["rules"]}


@cache
def _patterns(attribute: str) -> list[tuple[str, "re.Pattern[str]"]]:
    """Words by code, in the order of the table: the first that occurs decides."""
    rules = _words()[attribute]["rules"]
    return [(rule["code"], re.compile(rf"\b(?:{'|'.join(rule['words'])})(?!\w)")) for rule in rules]


@cache
def _words() -> dict[str, dict[str, Any]]:
    return tomllib.loads(
        (files("evaluation.inference.sound") / "words" / "categories.toml").read_text(encoding="utf-8")
    )
