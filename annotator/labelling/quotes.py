"""Finding the words that somebody marked in a page again in the comment they come from. Pure.

A page shows every line break as one character, whatever it was written with. So positions from a page are read
first as they are, then in the text as the page shows it. The marked words decide; positions only tell which.
"""

import re

LINE_BREAK = re.compile("\r\n?")


def place_in(body: str, start: int, end: int, text: str) -> tuple[int, int] | None:
    """Where in the body the marked words stand, `[start, end)` in code points; None when they do not."""
    if not text or start < 0 or end > len(body) or end <= start:
        return None
    if body[start:end] == text:
        return start, end
    return _as_shown(body, start, end, text)


def _as_shown(body: str, start: int, end: int, text: str) -> tuple[int, int] | None:
    shown = LINE_BREAK.sub("\n", body)
    wanted = LINE_BREAK.sub("\n", text)
    if shown[start:end] != wanted:
        return None
    return _in_body(body, start), _in_body(body, end)


def _in_body(body: str, position: int) -> int:
    """A position in the shown text as a position in the body: every CR LF before it is one character more."""
    pairs = [match.start() for match in LINE_BREAK.finditer(body) if match.end() - match.start() == 2]
    for pair in pairs:
        if pair >= position:
            break
        position += 1
    return position
