"""The small template language of filler comments.

The innermost `{...}` is replaced first, until none is left. With a `|` inside, it is a choice. Without
one, it names a slot of the same theme, whose values may contain braces too.
"""

import random
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
FOLDERS = (HERE / "themes", HERE / "talk")
INNERMOST = re.compile(r"\{([^{}]*)\}")


class UnknownSlot(ValueError):
    """A template names a slot its theme does not have."""


@dataclass(frozen=True, slots=True)
class Theme:
    name: str
    language: str
    comments: tuple[str, ...]
    slots: Mapping[str, tuple[str, ...]]


@cache
def load_themes() -> dict[str, Theme]:
    """All themes by name, sorted."""
    paths = [path for folder in FOLDERS for path in folder.glob("*.toml")]
    return {path.stem: _read_theme(path) for path in sorted(paths, key=lambda path: path.stem)}


def _read_theme(path: Path) -> Theme:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    slots = {name: tuple(values) for name, values in data.get("slots", {}).items()}
    comments = tuple(text.strip() for text in data["comments"])
    return Theme(path.stem, data.get("language", "en"), comments, slots)


def expand(template: str, slots: Mapping[str, tuple[str, ...]], rng: random.Random) -> str:
    """Choose one expansion of a template."""

    def fill(match: re.Match[str]) -> str:
        inside: str = match[1]
        if "|" in inside:
            return rng.choice(inside.split("|"))
        if inside not in slots:
            raise UnknownSlot(f"no slot {inside!r} for {template!r}")
        return rng.choice(slots[inside])

    while INNERMOST.search(template):
        template = INNERMOST.sub(fill, template)
    return re.sub(r"(?<=\S)  +(?=\S)", " ", template).strip()
