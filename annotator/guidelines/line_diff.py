"""Compare two texts line by line. Pure."""

from dataclasses import dataclass
from difflib import unified_diff
from functools import lru_cache
from itertools import islice
from typing import Literal

KINDS: dict[str, Literal["added", "removed", "same", "gap"]] = {"+": "added", "-": "removed", " ": "same", "@": "gap"}


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a comparison. A gap stands for omitted unchanged lines."""

    kind: Literal["added", "removed", "same", "gap"]
    text: str = ""


@lru_cache(maxsize=16)
def line_diff(old: str, new: str) -> tuple[DiffLine, ...]:
    """Removed and added lines with one line of context. Empty if the texts are equal."""
    lines = unified_diff(old.splitlines(), new.splitlines(), n=1, lineterm="")
    diff = (
        DiffLine("gap") if line.startswith("@@") else DiffLine(KINDS[line[0]], line[1:])
        for line in islice(lines, 2, None)
    )
    return tuple(diff)
