"""Load the invented people from personas/*.toml.

A key under `handwritten` is a date, a subreddit and, when it is not English, a language:
"2013-04-15 Switzerland de". For the clues in the text, see `marks`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from profiles.demo.marks import ATTRIBUTES, Clue, extract_clues
from profiles.demo.voice import Voice

FOLDER = Path(__file__).parent / "personas"


class BadPersona(ValueError):
    """A persona's answers do not match the clues marked in its comments, or its dates are wrong."""


@dataclass(frozen=True, slots=True)
class HandwrittenComment:
    """A comment written by hand for one persona."""

    on: date
    subreddit: str
    language: str
    body: str
    clues: tuple[Clue, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """What is true of a persona, without the evidence for it."""

    attribute: str
    value: str
    hardness: int
    certainty: int
    why: str
    required_subreddit: bool = False


@dataclass(frozen=True, slots=True)
class Persona:
    account: str
    active: tuple[date, date]
    comments: int
    subreddits: Mapping[str, int]
    voice: Voice
    handwritten: tuple[HandwrittenComment, ...]
    facts: tuple[Fact, ...]


@cache
def load_personas() -> tuple[Persona, ...]:
    """All personas, by file name and then in the order of the file."""
    files = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml"))]
    return tuple(_read_persona(data) for file in files for data in file["persona"])


def _read_persona(data: dict[str, Any]) -> Persona:
    persona = Persona(
        account=data["account"],
        active=(data["active"][0], data["active"][1]),
        comments=data["comments"],
        subreddits=data["subreddits"],
        voice=_read_voice(data.get("voice", {})),
        handwritten=tuple(_read_comment(key, text) for key, text in data.get("handwritten", {}).items()),
        facts=_read_facts(data.get("answers", {})),
    )
    _check_clues(persona)
    return persona


def _read_voice(data: dict[str, Any]) -> Voice:
    lists = {name: tuple(data.get(name, ())) for name in ("openers", "closers")}
    return Voice(**{**data, **lists})


def _read_comment(key: str, text: str) -> HandwrittenComment:
    day, subreddit, *language = key.split()
    body, clues = extract_clues(text.strip())
    return HandwrittenComment(date.fromisoformat(day), subreddit, language[0] if language else "en", body, clues)


def _read_facts(answers: dict[str, dict[str, Any]]) -> tuple[Fact, ...]:
    ordered = sorted(answers, key=ATTRIBUTES.index)
    return tuple(Fact(attribute=attribute, **answers[attribute]) for attribute in ordered)


def _check_clues(persona: Persona) -> None:
    marked = {clue.attribute for comment in persona.handwritten for clue in comment.clues}
    answered = {fact.attribute for fact in persona.facts}
    if marked != answered:
        raise BadPersona(f"{persona.account}: {sorted(marked ^ answered)} marked or answered, but not both")
    first, last = persona.active
    outside = [comment.on for comment in persona.handwritten if not first <= comment.on <= last]
    if outside:
        raise BadPersona(f"{persona.account}: wrote on {outside[0]}, outside the active time")
