"""What differs between two texts, line by line. Pure."""

from dataclasses import dataclass
from difflib import unified_diff
from functools import lru_cache
from itertools import islice
from typing import Literal

KINDS: dict[str, Literal["added", "removed", "same", "gap"]] = {"+": "added", "-": "removed", " ": "same", "@": "gap"}


@dataclass(frozen=True, slots=True)
class Line:
    """A gap stands for lines that are in both texts and are not shown."""

    kind: Literal["added", "removed", "same", "gap"]
    text: str = ""


@lru_cache(maxsize=16)
def line_diff(old: str, new: str) -> tuple[Line, ...]:
    """Lines that went and lines that came, with a line around them for orientation. Empty when nothing differs."""
    lines = unified_diff(old.splitlines(), new.splitlines(), n=1, lineterm="")
    shown = (
        Line("gap") if line.startswith("@@") else Line(KINDS[line[0]], line[1:]) for line in islice(lines, 2, None)
    )
    return tuple(shown)
