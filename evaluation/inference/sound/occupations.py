"""Occupations: normalize the text, then compare whole words, with the last one as head."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from evaluation.inference.grades import Grade
from evaluation.inference.sound.verdicts import Graded, Rule, mirror, rank
from profiles.gazetteer.normalization import fold

# Guess and label as `decision_key` gives them, and what a person decided about them.
Decisions = Mapping[tuple[str, str], Grade]
_ALTERNATIVES = re.compile(r"\s*/\s*|\s+(?:and/)?or\s+|\s*;\s*|\s*,\s*")
_EMPLOYER = re.compile(r"\s+(?:at|for|with|from|in (?:a|an|the)|within|who|that)\b.*$")
_ASIDE = re.compile(r"\s*[(\[][^)\]]*[)\]]")
_SUBJECT = re.compile(r"^(.+?)\s+(?:of|in)\s+(.+)$")
_NOT_WORDS = re.compile(r"[^\w\s]+")
_SINGULAR = re.compile(r"(?<=\w{3})(?<![su])(?<!\bic)s$")


@dataclass(frozen=True, slots=True)
class Occupation:
    """Normalized words. The head says what somebody is; a field or a way to work (`retail`, `retired`) has none."""

    words: frozenset[str]
    head: str

    def is_part_of(self, other: "Occupation") -> bool:
        """`engineer` is part of `software engineer`, but `student` is not part of `student advisor`."""
        return self.words < other.words and self.head in ("", other.head)


def grade_occupation(guess: str, label: str, decisions: Decisions | None = None) -> Graded:
    """A person's decision wins. Then, the same words are EXACT, and some of them LESS or MORE_PRECISE."""
    if decision := _find_decision(guess, label, decisions or {}):
        return Graded(decision, Rule.DECISION)
    accepted = _alternatives(label)
    grades = [max((_compare(part, other) for other in accepted), key=rank) for part in _alternatives(guess)]
    return _of_alternatives(sorted(grades, key=rank))


def decision_key(guess: str, label: str) -> tuple[str, str]:
    """The key of a person's decision: case, accents and spaces make no difference."""
    return fold(guess), fold(label)


def _find_decision(guess: str, label: str, decisions: Decisions) -> Grade | None:
    """The decision about this pair, or about the same two the other way round, mirrored."""
    if not decisions:
        return None
    first, second = decision_key(guess, label)
    if (first, second) in decisions:
        return decisions[first, second]
    return mirror(decisions[second, first]) if (second, first) in decisions else None


def _of_alternatives(grades: list[Graded]) -> Graded:
    """The worst, but a guess that also names the label is LESS_PRECISE: `woodworker/carpenter` for a carpenter."""
    worst, best = grades[0], grades[-1]
    if worst.grade is Grade.WRONG and best.grade in (Grade.EXACT, Grade.MORE_PRECISE) and len(grades) == 2:
        return Graded(Grade.LESS_PRECISE, best.rule)
    return worst


def _compare(guess: str, label: str) -> Graded:
    """The better of two comparisons: with synonyms, and as written. An engineer may be a software engineer."""
    with_synonyms = _compare_words(read_occupation(guess), read_occupation(label))
    as_written = _compare_words(read_occupation(guess, synonyms=False), read_occupation(label, synonyms=False))
    return max(with_synonyms, as_written, key=_strength)


def _strength(graded: Graded) -> tuple[bool, bool]:
    """Symmetric, unlike `rank`: guess and label may be swapped."""
    return graded.grade is Grade.EXACT, graded.grade is not Grade.WRONG


def _compare_words(guess: Occupation, label: Occupation) -> Graded:
    if guess.words == label.words:
        return Graded(Grade.EXACT, Rule.OCCUPATION_SAME)
    if guess.is_part_of(label):
        return Graded(Grade.LESS_PRECISE, Rule.OCCUPATION_WORDS)
    if label.is_part_of(guess):
        return Graded(Grade.MORE_PRECISE, Rule.OCCUPATION_WORDS)
    return Graded(Grade.WRONG, Rule.OCCUPATION_OTHER)


@lru_cache(maxsize=65_536)
def _alternatives(text: str) -> list[str]:
    """What is named, at slashes, commas and `or`."""
    written = _ASIDE.sub("", text).casefold()
    parts = [part for part in _ALTERNATIVES.split(written) if part.strip()] or [written]
    return list(dict.fromkeys(_with_heads(parts) if "/" in text else parts))


def _with_heads(parts: list[str]) -> list[str]:
    """`taxi/uber driver` → `taxi driver`, `uber driver`; `bartender/barista` stays."""
    *first, last = parts
    *modifiers, head = last.split() or [""]
    return [f"{part} {head}" if modifiers and not _is_head(part) else part for part in first] + [last]


def _is_head(part: str) -> bool:
    return len(part.split()) > 1 or bool(
        re.search(r"(?:er|or|ist|ian|ant|ent|ive|man|ic|chef|nurse|clerk|coach)s?$", part)
    )


@lru_cache(maxsize=65_536)
def read_occupation(text: str, *, synonyms: bool = True) -> Occupation:
    words = _canonical(_words(text)) if synonyms else _words(text)
    status = set(_table()["status"]["words"])
    kept = [word for word in words if word not in _table()["fillers"]["words"]] or words
    has_head = kept == words or words[-1] == kept[-1]
    return Occupation(frozenset(kept), kept[-1] if kept and has_head and kept[-1] not in status else "")


def _words(text: str) -> list[str]:
    """Singular words without the employer; `professor of physics` → `physics professor`."""
    head = _EMPLOYER.sub("", fold(_ASIDE.sub("", text)))
    head = _SUBJECT.sub(r"\2 \1", head)
    words = [_SINGULAR.sub("", word) for word in _NOT_WORDS.sub(" ", head).split()]
    return " ".join(_table()["words"].get(word, word) for word in words).split()


def _canonical(words: list[str]) -> list[str]:
    """Replace the longest tail that has a synonym."""
    for start in range(len(words)):
        if name := _synonyms().get(" ".join(words[start:])):
            return words[:start] + name.split()
    return words


@cache
def _synonyms() -> dict[str, str]:
    """Every name in normalized words, and the first of its group."""
    groups = _table()["synonyms"]["groups"]
    return {" ".join(_words(name)): " ".join(_words(group[0])) for group in groups for name in group}


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(
        (files("evaluation.inference.sound") / "words" / "occupations.toml").read_text(encoding="utf-8")
    )
