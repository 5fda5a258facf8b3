"""Read a judge's answer: JSON, a word, or a word with reasons around it. Change VERSION with every rule."""

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

VERSION = 1  # of these rules; belongs in the signature
MAX_CHARACTERS = 20_000
MAX_STARTS = 20  # places at which JSON is tried


class Verdict(StrEnum):
    """The values of evaluation.models.Verdict, which needs Django. A test holds them together."""

    MATCH = "match"
    LESS_PRECISE = "less-precise"
    NO_MATCH = "no-match"


THOUGHTS = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
KEYS = {
    "verdict",
    "answer",
    "decision",
    "result",
    "judgement",
    "judgment",
    "label",
    "match",
    "score",
    "urteil",
    "veredicto",
}
# In this order: what is found is taken out, so that the “match” in “no match” doesn't count.
WORDS = (
    (
        Verdict.LESS_PRECISE,
        r"less[\s_-]*(?:precise|specific|exact|detailed)|partial(?:ly)?(?:[\s_-]+(?:match(?:es)?|correct|right))?|"
        r"too (?:broad|general|vague)|imprecise|(?:more general|broader) than|weniger (?:genau|präzise)|"
        r"menos precis[oa]|moins précise?|meno precis[oa]|不太?精确|不够精确|部分匹配",
    ),
    (
        Verdict.NO_MATCH,
        r"no[\s_-]*match(?:es)?|not (?:a |an |exactly a )?(?:match|the same|equivalent|correct|equal)|"
        r"(?:does|do|did)(?:n't| not) match|(?:is|are)(?:n't| not) (?:the same|a match|correct|equivalent)|mis-?match|"
        r"non-?match|unmatched|incorrect|wrong|different|false|no|none|"
        r"keine? übereinstimmung|stimmt nicht(?: überein)?|nein|"
        r"no coinciden?|non|ne correspond pas|不匹配|不是|不同|否|нет",
    ),
    (
        Verdict.MATCH,
        r"more[\s_-]*(?:precise|specific|exact)|match(?:es|ed|ing)?|yes|correct|right|same|equivalent|equal|exact(?:ly)?|"
        r"identical|true|übereinstimmung|stimmt(?: überein)?|ja|sí|coinciden?|oui|correspond|匹配|相同|是|да",
    ),
)
PATTERNS = tuple((verdict, re.compile(rf"(?<![\w'])(?:{words})(?![\w'])", re.IGNORECASE)) for verdict, words in WORDS)
BOTH = re.compile(r"\byes (?:and|or) no\b|\bno and yes\b|\byes ?/ ?no\b|\bmatch or no", re.IGNORECASE)
STATED = re.compile(
    r"^[\s*_#>-]*(?:final |my |the )?(?:verdict|answer|decision|conclusion|result|judge?ment|urteil|antwort|veredicto|"
    r"respuesta|réponse|答案|结论)\b[\s*_]*(?:is|:|：|=|-|ist|es|est)[\s*_:\"'`]*(?P<rest>[^\n]{1,80})",
    re.IGNORECASE | re.MULTILINE,
)
FIRST = re.compile(r"^[\W_]*(?P<first>[^\n.!,;:]{1,40})")


def parse_verdict(text: str) -> Verdict | None:
    """The verdict of an answer, or None if it has none or more than one. Never raises."""
    plain = THOUGHTS.sub("", text[:MAX_CHARACTERS]).replace("’", "'").strip()
    stated = [verdict for value in _json_values(plain) if (verdict := _of_value(value)) is not None]
    if stated:
        return stated[-1] if len(set(stated)) == 1 else None
    if BOTH.search(plain):
        return None
    for match in reversed(list(STATED.finditer(plain))):
        if verdict := _only_verdict(match["rest"]) or _leading_verdict(match["rest"]):
            return verdict
    return _leading_verdict(plain) or _only_verdict(plain) or _only_verdict(plain.splitlines()[-1] if plain else "")


def _json_values(text: str) -> Iterator[Any]:
    """What stands under the name of a verdict in the JSON objects of the text."""
    decoder, position = json.JSONDecoder(strict=False), 0
    for _ in range(MAX_STARTS):
        start = text.find("{", position)
        if start < 0:
            return
        try:
            value, position = decoder.raw_decode(re.sub(r",\s*}", "}", text[start:]))
            position = start + max(position, 1)
        except (json.JSONDecodeError, RecursionError):
            position, value = start + 1, _cut_object(text[start : start + 2000])
        if isinstance(value, dict):
            yield from (item for key, item in value.items() if str(key).strip().lower() in KEYS)


def _cut_object(text: str) -> dict[str, str]:
    """The verdict of an object that isn't JSON: cut off, with single quotes, or with none."""
    match = re.search(r"[\"'“]?\b(?:verdict|answer)\b[\"'”]?\s*[:=]\s*[\"'“]?([\w -]{2,30})", text, re.IGNORECASE)
    return {"verdict": match[1]} if match else {}


def _of_value(value: Any) -> Verdict | None:
    if isinstance(value, list) and value:
        return _of_value(value[0])
    if isinstance(value, bool | int | float):
        return {1.0: Verdict.MATCH, 0.5: Verdict.LESS_PRECISE, 0.0: Verdict.NO_MATCH}.get(float(value))
    return _only_verdict(str(value)[:200]) or _leading_verdict(str(value)[:200]) if isinstance(value, str) else None


def _only_verdict(text: str) -> Verdict | None:
    """The verdict, if all words in the text mean the same one."""
    verdicts = set()
    for verdict, pattern in PATTERNS:
        if pattern.search(text):
            verdicts.add(verdict)
            text = pattern.sub(" ", text)
    return verdicts.pop() if len(verdicts) == 1 else None


def _leading_verdict(text: str) -> Verdict | None:
    """The verdict that an answer begins with: `No. They are not in the same country, but the same continent.`"""
    first = FIRST.match(text)
    if first is None:
        return None
    return next((verdict for verdict, pattern in PATTERNS if pattern.match(first["first"])), None)
