"""Reads the invented people from personas/*.toml.

A key under `said` is a date, a subreddit and, when it is not English, a language:
"2013-04-15 Switzerland de". Clues are marked inside the text, see `marks`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from profiles.demo.marks import ATTRIBUTES, Clue, take_marks
from profiles.demo.voice import Voice

FOLDER = Path(__file__).parent / "personas"


class BadPersona(ValueError):
    """A persona's answers and the clues marked in its comments do not belong together."""


@dataclass(frozen=True, slots=True)
class Said:
    """A comment written by hand for one persona."""

    on: date
    subreddit: str
    language: str
    body: str
    clues: tuple[Clue, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """What is true of a persona, before its evidence is looked up."""

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
    said: tuple[Said, ...]
    known: tuple[Known, ...]


@cache
def load_personas() -> tuple[Persona, ...]:
    """Everyone, in the order of the files and inside them."""
    files = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.glob("*.toml"))]
    return tuple(_read_persona(data) for file in files for data in file["persona"])


def _read_persona(data: dict[str, Any]) -> Persona:
    persona = Persona(
        account=data["account"],
        active=(data["active"][0], data["active"][1]),
        comments=data["comments"],
        subreddits=data["subreddits"],
        voice=_read_voice(data.get("voice", {})),
        said=tuple(_read_said(key, text) for key, text in data.get("said", {}).items()),
        known=_read_known(data.get("answers", {})),
    )
    _check_clues(persona)
    return persona


def _read_voice(data: dict[str, Any]) -> Voice:
    lists = {name: tuple(data.get(name, ())) for name in ("openers", "closers")}
    return Voice(**{**data, **lists})


def _read_said(key: str, text: str) -> Said:
    day, subreddit, *language = key.split()
    body, clues = take_marks(text.strip())
    return Said(date.fromisoformat(day), subreddit, language[0] if language else "en", body, clues)


def _read_known(answers: dict[str, dict[str, Any]]) -> tuple[Known, ...]:
    ordered = sorted(answers, key=ATTRIBUTES.index)
    return tuple(Known(attribute=attribute, **answers[attribute]) for attribute in ordered)


def _check_clues(persona: Persona) -> None:
    marked = {clue.attribute for said in persona.said for clue in said.clues}
    known = {answer.attribute for answer in persona.known}
    if marked != known:
        raise BadPersona(f"{persona.account}: {sorted(marked ^ known)} marked or known, but not both")
    late = [said.on for said in persona.said if not persona.active[0] <= said.on <= persona.active[1]]
    if late:
        raise BadPersona(f"{persona.account}: wrote on {late[0]}, outside the active time")
