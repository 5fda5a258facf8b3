"""Finding the words that somebody marked in a page again in the comment they come from. Pure.

A page shows every line break as one character, whatever it was written with. So positions from a page are read
first as they are, then in the text as the page shows it. The marked words decide; positions only tell which.
"""

import re

from profiles.spans import Span

LINE_BREAK = re.compile("\r\n?")


def locate(body: str, span: Span, text: str) -> Span | None:
    """The span of the body that holds the marked words, or None."""
    if not text or span.length <= 0 or not Span(0, len(body)).covers(span):
        return None
    if span.text_of(body) == text:
        return span
    return _as_shown(body, span, text)


def _as_shown(body: str, span: Span, text: str) -> Span | None:
    if span.text_of(LINE_BREAK.sub("\n", body)) != LINE_BREAK.sub("\n", text):
        return None
    return Span(_in_body(body, span.start), _in_body(body, span.end))


def _in_body(body: str, position: int) -> int:
    """A position in the shown text as a position in the body: every CR LF before it is one character more."""
    pairs = [match.start() for match in LINE_BREAK.finditer(body) if match.end() - match.start() == 2]
    for pair in pairs:
        if pair >= position:
            break
        position += 1
    return position
