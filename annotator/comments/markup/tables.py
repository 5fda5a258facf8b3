"""Tables: `a | b` over `:--|--:`. Every character of a row is in a cell, with the bar before it."""

import re
from collections.abc import Iterator
from itertools import pairwise

DELIMITERS = re.compile(r" {0,3}\|?+ *+:?+-++:?+ *+(?:\| *+:?+-++:?+ *+)*+\|?+ *+$")
BAR = re.compile(r"\\.|(\|)")
LEFT, CENTRE, RIGHT = "start", "center", "end"


def alignments(line: str) -> list[str]:
    """One for each column, or none if the line isn't the second one of a table."""
    if "|" not in line or not DELIMITERS.match(line):
        return []
    return [_alignment(part.strip()) for part in line.strip().strip("|").split("|")]


def _alignment(dashes: str) -> str:
    if not dashes.endswith(":"):
        return LEFT
    return CENTRE if dashes.startswith(":") else RIGHT


def cells(line: str) -> Iterator[tuple[int, int, int, int]]:
    """Of each cell: where its bar starts, where its contents start and end, and where the next bar starts.

    A bar at the start of the line is the first cell's, one at its end the last cell's.
    """
    edges = len(line) - len(line.lstrip()), len(line.rstrip()) - 1
    inner = [bar.start() for bar in BAR.finditer(line) if bar[1] and bar.start() not in edges]
    for first, last in pairwise([0, *inner, len(line)]):
        text = line[first:last]
        start = first + len(text) - len(text.lstrip(" \t").removeprefix("|").lstrip())
        end = first + len(_without_last_bar(text) if last == len(line) else text.rstrip())
        yield first, start, max(start, end), last


def _without_last_bar(text: str) -> str:
    text = text.rstrip()
    return text[:-1].rstrip() if text.endswith("|") and not text.endswith("\\|") else text
