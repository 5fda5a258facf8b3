"""Reddit's Markdown and HTML entities as highlights of the text as it was written. Pure, and linear in the text.

Nothing is removed or replaced: syntax becomes a highlight that the page hides, an entity one that shows its character.
So every character stays where it was, and offsets of detections and evidence stay true. Line breaks are kept as
written, too. Links are text with the address beside them, never something to click.
"""

import re
from collections.abc import Iterator
from html import unescape

from profiles.highlights import Highlight

OFF, SHOWN_AS, BLOCK = "md-off", "md-as-", "md-block-"
BOLD, ITALIC, STRUCK, CODE, RAISED, LINK = "md-b", "md-i", "md-s", "md-code", "md-sup", "md-link"
QUOTE, DEEP_QUOTE, ITEM, DEEP_ITEM, CODE_LINE, HEADING = "quote", "quote-deep", "item", "item-deep", "code", "heading"

SPECIAL = re.compile(r"[*_~`&\[\\>#^]|^ *+(?:[-+]|\d{1,9}[.)]) |^(?: {4}|\t)", re.MULTILINE)
QUOTED = re.compile(r" {0,3}(?:(?:&gt;|>)(?!!) ?)++")
LISTED = re.compile(r"( {0,12})(?:[*+-]|\d{1,9}[.)]) ++(?=\S)")
TITLED = re.compile(r"#{1,6} ++(?=\S)")
RULE = re.compile(r" *+(?:(?:\* *+){3,}|(?:- *+){3,}|(?:_ *+){3,})$")
INDENTED = re.compile(r" {4}|\t")
FENCE = re.compile(r"^ {0,3}``` *+\w*+ *+$", re.MULTILINE)
# Possessive quantifiers: no text makes these go back and try again.
TOKEN = re.compile(
    r"""(?P<escape>\\[\\`*_{}\[\]()\#+\-.!~^>|])
    |(?P<entity>&(?:amp;)?(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});)
    |(?P<url>https?://[^\s<>\[\]()*`]++(?:\([^\s<>\[\]()*`]*+\)[^\s<>\[\]()*`]*+)*+)
    |(?P<ticks>`++)|(?P<run>\*++|_++|(?<!~)~~(?!~))|(?P<open>\[)|(?P<close>\])
    |(?P<raise>\^++(?:\([^()\n]*+\)|[^\s^()*_~\[\]`\\&]++))""",
    re.VERBOSE,
)
ENTITY = re.compile(r"&(?:amp;)?(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,30});")
TARGET = re.compile(
    r"""\((?:https?://|www\.|mailto:|\#|/)[^\s()]*+(?:\([^\s()]*+\)[^\s()]*+)*+(?:\ "[^"\n]*+")?+\)""",
    re.VERBOSE,
)
STYLES = {"*": (ITALIC, BOLD), "_": (ITALIC, BOLD), "~": (STRUCK, STRUCK)}
LONGEST_RUN = 3


def markup(text: str) -> list[Highlight]:
    """What Reddit showed differently from what was written."""
    return list(_lines(text)) if SPECIAL.search(text) else []


def shown_as(meaning: str) -> str:
    """The characters that an entity stands for."""
    return "".join(chr(int(code, 16)) for code in meaning.removeprefix(SHOWN_AS).split("-"))


def _replace(start: int, end: int, shown: str) -> Iterator[Highlight]:
    """Hide a piece and show something else. It is attached to one character, because nothing can cut that in two."""
    yield Highlight(start, end, OFF)
    yield Highlight(start, start + 1, SHOWN_AS + "-".join(f"{ord(character):x}" for character in shown))


def _lines(text: str) -> Iterator[Highlight]:
    start, fenced, may_indent = 0, False, True
    fences = len(FENCE.findall(text))
    for number, line in enumerate(text.split("\n")):
        end = start + len(line)
        if FENCE.match(line) and (fenced or fences > 1):
            fenced, fences = not fenced, fences - 1
            yield from _block(start, start + len(line), text, number, CODE_LINE)
            yield Highlight(start, end, OFF)
        elif fenced or (may_indent and INDENTED.match(line) and line.strip()):
            yield from _block(start, end, text, number, CODE_LINE)
            yield Highlight(start, end, CODE)
        else:
            yield from _prose(text, line, start, number)
        may_indent = not line.strip() or (may_indent and bool(INDENTED.match(line)))
        start = end + 1


def _block(start: int, end: int, text: str, number: int, kind: str) -> Iterator[Highlight]:
    """A line on its own. It breaks the line, so the line break after it is hidden."""
    stop = min(end + 1, len(text))
    if start < stop:
        yield Highlight(start, stop, f"{BLOCK}{number}-{kind}")
    if end < stop:
        yield Highlight(end, stop, OFF)


def _prose(text: str, line: str, start: int, number: int) -> Iterator[Highlight]:
    end = start + len(line)
    if RULE.match(line):
        return
    if quoted := QUOTED.match(line):
        is_deep = quoted[0].count(">") + quoted[0].count("&gt;") > 1
        yield from _block(start, end, text, number, DEEP_QUOTE if is_deep else QUOTE)
        yield Highlight(start, start + quoted.end(), OFF)
        yield from _inline(text, start + quoted.end(), end)
    elif listed := LISTED.match(line):
        yield from _block(start, end, text, number, DEEP_ITEM if listed[1] else ITEM)
        yield from _bullet(listed, start)
        yield from _inline(text, start + listed.end(), end)
    elif titled := TITLED.match(line):
        yield from _block(start, end, text, number, HEADING)
        yield Highlight(start, start + titled.end(), OFF)
        yield from _inline(text, start + titled.end(), end)
    else:
        yield from _inline(text, start, end)


def _bullet(listed: re.Match[str], start: int) -> Iterator[Highlight]:
    first = start + listed.end(1)
    if listed[1]:
        yield Highlight(start, first, OFF)
    if listed[0].lstrip()[0] in "*+-":
        yield from _replace(first, first + 1, "•")


# ── Inside a line ────────────────────────────────────────────────────────────
def _inline(text: str, start: int, end: int) -> Iterator[Highlight]:
    """One pass. A delimiter is opened at most once and closed at most once, so the work is linear."""
    tokens = list(TOKEN.finditer(text, start, end))
    partners = _tick_partners(tokens)
    runs: list[re.Match[str]] = []
    brackets: list[re.Match[str]] = []
    done = start
    for token in tokens:
        if token.start() < done:
            continue
        match token.lastgroup:
            case "escape":
                yield Highlight(token.start(), token.start() + 1, OFF)
            case "entity":
                yield from _entity(token.start(), token[0])
            case "url":
                yield from _entities(text, *token.span())
            case "ticks" if closing := partners.get(token.start()):
                yield from _code(token, closing)
                done = closing.end()
            case "raise":
                yield from _raised(token)
                done = token.end()
            case "run":
                yield from _emphasis(text, token, runs, start, end)
            case "open":
                brackets.append(token)
            case "close" if brackets:
                if target := TARGET.match(text, token.end(), end):
                    yield from _link(text, brackets[-1], token, target)
                    done = target.end()
                brackets.pop()


def _entities(text: str, start: int, end: int) -> Iterator[Highlight]:
    for entity in ENTITY.finditer(text, start, end):
        yield from _entity(entity.start(), entity[0])


def _entity(start: int, written: str) -> Iterator[Highlight]:
    """Reddit escaped what people wrote, so `&amp;nbsp;` was a space once it was shown."""
    shown = unescape(unescape(written))
    if shown != written:
        yield from _replace(start, start + len(written), shown)


def _tick_partners(tokens: list[re.Match[str]]) -> dict[int, re.Match[str]]:
    """For each run of backticks, the next one of the same length."""
    partners, following = {}, dict[int, re.Match[str]]()
    for token in reversed(tokens):
        if token.lastgroup == "ticks":
            length = len(token[0])
            if length in following:
                partners[token.start()] = following[length]
            following[length] = token
    return partners


def _code(opening: re.Match[str], closing: re.Match[str]) -> Iterator[Highlight]:
    yield Highlight(*opening.span(), OFF)
    yield Highlight(opening.end(), closing.start(), CODE)
    yield Highlight(*closing.span(), OFF)


def _raised(token: re.Match[str]) -> Iterator[Highlight]:
    start, end = token.span()
    carets = len(token[0]) - len(token[0].lstrip("^"))
    if token[0][carets] == "(":
        yield Highlight(start, start + carets + 1, OFF)
        yield Highlight(start + carets + 1, end - 1, RAISED)
        yield Highlight(end - 1, end, OFF)
    else:
        yield Highlight(start, start + carets, OFF)
        yield Highlight(start + carets, end, RAISED)


def _link(text: str, opening: re.Match[str], closing: re.Match[str], target: re.Match[str]) -> Iterator[Highlight]:
    """`[text](address)` is shown as `text (address)`."""
    yield Highlight(*opening.span(), OFF)
    yield Highlight(opening.end(), closing.start(), LINK)
    yield from _replace(*closing.span(), " ")
    yield from _entities(text, *target.span())


def _emphasis(text: str, token: re.Match[str], runs: list[re.Match[str]], start: int, end: int) -> Iterator[Highlight]:
    """Close the last run of the same characters and drop those opened since; otherwise open one."""
    before = text[token.start() - 1] if token.start() > start else " "
    after = text[token.end()] if token.end() < end else " "
    inside_word = token[0][0] == "_" and before.isalnum() and after.isalnum()
    if inside_word or len(token[0]) > LONGEST_RUN:
        return
    if not before.isspace() and any(run[0] == token[0] for run in runs[-LONGEST_RUN:]):
        while (opening := runs.pop())[0] != token[0]:
            pass
        yield from _emphasised(opening, token)
    elif not after.isspace():
        runs.append(token)


def _emphasised(opening: re.Match[str], closing: re.Match[str]) -> Iterator[Highlight]:
    yield Highlight(*opening.span(), OFF)
    single, double = STYLES[opening[0][0]]
    styles = {1: (single,), 2: (double,), LONGEST_RUN: (single, double)}[len(opening[0])]
    for style in styles:
        yield Highlight(opening.end(), closing.start(), style)
    yield Highlight(*closing.span(), OFF)
