"""Markdown and entities inside a paragraph: emphasis, code, links, spoilers, superscript, characters with names."""

import re
from collections.abc import Container, Iterator, Sequence
from html import unescape
from html.entities import html5

from annotator.comments.markup.meanings import BOLD, CODE, ITALIC, LINK, OFF, RAISED, SPOILER, STRUCK, replace
from profiles.highlights import Highlight

# Possessive quantifiers: no text makes these go back and try again.
TOKEN = re.compile(
    r"""(?P<escape>\\[\\`*_{}\[\]()\#+\-.!~^>|])
    |(?P<spoil>(?:&gt;|>)!(?=\S))|(?P<reveal>!(?:&lt;|<))
    |(?P<entity>&(?:amp;)?(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});)
    |(?P<url>https?://[^\s<>\[\]()*`]++(?:\([^\s<>\[\]()*`]*+\)[^\s<>\[\]()*`]*+)*+)
    |(?P<ticks>`++)|(?P<run>\*++|_++|(?<!~)~~(?!~))|(?P<open>\[)|(?P<close>\])
    |(?P<raise>\^++(?:\([^()\n]*+\)|[^\s^()*_~\[\]`\\&]++))""",
    re.VERBOSE,
)
FIRST = re.compile(r"[\\&`*_~\[\]^h>!](?:(?<![h>!])|(?<=h)(?=ttps?://)|(?<=>)(?=!)|(?<=!)(?=&lt;|<))")  # of every token
ENTITY = re.compile(r"&(?:amp;)?(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});")
TARGET = re.compile(
    r"""\((?:https?://|www\.|mailto:|\#|/)[^\s()]*+(?:\([^\s()]*+\)[^\s()]*+)*+(?:\ "[^"\n]*+")?+\)""",
    re.VERBOSE,
)
Match = re.Match[str]
EMPHASIS = {"*": (ITALIC, BOLD), "_": (ITALIC, BOLD), "~": (STRUCK, STRUCK)}
LONGEST_RUN = 3


def inline(text: str, pieces: Sequence[tuple[int, int]]) -> Iterator[Highlight]:
    """The pieces are the lines of one paragraph: what opens in one can close in another.

    One pass. A delimiter is opened at most once and closed at most once, so the work is linear.
    """
    tokens = [token for piece in pieces for token in _tokens(text, *piece)]
    edges = {at for piece in pieces for at in piece}
    partners = _tick_partners(tokens)
    runs: list[Match] = []
    brackets: list[Match] = []
    spoilers: list[Match] = []
    done = 0
    for token in tokens:
        if token.start() < done:
            continue
        match token.lastgroup:
            case "escape":
                yield Highlight(token.start(), token.start() + 1, OFF)
            case "entity":
                yield from _entity(token.start(), token[0])
            case "spoil" | "reveal":
                yield from _spoiler(text, token, spoilers)
            case "url":
                yield from _entities(text, token.start(), token.end())
            case "ticks" if closing := partners.get(token.start()):
                yield from _between(token, closing, CODE)
                done = closing.end()
            case "raise":
                yield from _raised(token)
                done = token.end()
            case "run":
                yield from _emphasis(text, token, runs, edges)
            case "open":
                brackets.append(token)
            case "close" if brackets:
                target = TARGET.match(text, token.end(), pieces[-1][1])
                yield from _link(text, brackets.pop(), token, target)
                done = target.end() if target else done
    for opening in spoilers:
        yield from _entities(text, *opening.span())


def _tokens(text: str, start: int, end: int) -> Iterator[Match]:
    """Same as `TOKEN.finditer`. Looking for first characters takes a fifth of the time of trying all kinds of token."""
    while first := FIRST.search(text, start, end):
        token = TOKEN.match(text, first.start(), end)
        if token:
            yield token
        start = token.end() if token else first.end()


def _entities(text: str, start: int, end: int) -> Iterator[Highlight]:
    for entity in ENTITY.finditer(text, start, end):
        yield from _entity(entity.start(), entity[0])


def _entity(start: int, written: str) -> Iterator[Highlight]:
    """Reddit escaped what people wrote, so `&amp;nbsp;` was a space once it was shown. Unknown names stay."""
    name = written.removeprefix("&amp;").removeprefix("&")
    is_known = not name or name.startswith("#") or name in html5
    shown = unescape(unescape(written)) if is_known else written.replace("&amp;", "&", 1)
    if shown != written:
        yield from replace(start, start + len(written), shown)


def _tick_partners(tokens: Sequence[Match]) -> dict[int, Match]:
    """For each run of backticks, the next one of the same length."""
    partners, following = {}, dict[int, Match]()
    for token in reversed(tokens):
        if token.lastgroup == "ticks":
            length = len(token[0])
            if length in following:
                partners[token.start()] = following[length]
            following[length] = token
    return partners


def _between(opening: Match, closing: Match, *styles: str) -> Iterator[Highlight]:
    """Hide both ends, and style what lies between them."""
    yield Highlight(opening.start(), opening.end(), OFF)
    for style in styles:
        yield Highlight(opening.end(), closing.start(), style)
    yield Highlight(closing.start(), closing.end(), OFF)


def _raised(token: Match) -> Iterator[Highlight]:
    start, end = token.start(), token.end()
    carets = len(token[0]) - len(token[0].lstrip("^"))
    if token[0][carets] == "(":
        yield Highlight(start, start + carets + 1, OFF)
        yield Highlight(start + carets + 1, end - 1, RAISED)
        yield Highlight(end - 1, end, OFF)
    else:
        yield Highlight(start, start + carets, OFF)
        yield Highlight(start + carets, end, RAISED)


def _spoiler(text: str, token: Match, opened: list[Match]) -> Iterator[Highlight]:
    """Open or close a spoiler, or else show the characters."""
    is_opening = token.lastgroup == "spoil"
    if is_opening and not opened:
        opened.append(token)
    elif opened and not is_opening:
        yield from _between(opened.pop(), token, SPOILER)
    else:
        yield from _entities(text, *token.span())


def _link(text: str, opening: Match, closing: Match, target: Match | None) -> Iterator[Highlight]:
    """`[text](address)` is shown as `text (address)`. Brackets without an address stay."""
    if not target:
        return
    yield Highlight(opening.start(), opening.end(), OFF)
    yield Highlight(opening.end(), closing.start(), LINK)
    yield from replace(closing.start(), closing.end(), " ")
    yield from _entities(text, *target.span())


def _emphasis(text: str, token: Match, runs: list[Match], edges: Container[int]) -> Iterator[Highlight]:
    """Close the last run of the same characters and drop those opened since; otherwise open one."""
    before = " " if token.start() in edges else text[token.start() - 1]
    after = " " if token.end() in edges else text[token.end()]
    inside_word = token[0][0] == "_" and before.isalnum() and after.isalnum()
    if inside_word or len(token[0]) > LONGEST_RUN:
        return
    if not before.isspace() and any(run[0] == token[0] for run in runs[-LONGEST_RUN:]):
        while (opening := runs.pop())[0] != token[0]:
            pass
        single, double = EMPHASIS[token[0][0]]
        yield from _between(opening, token, *((single,), (double,), (single, double))[len(token[0]) - 1])
    elif not after.isspace():
        runs.append(token)
