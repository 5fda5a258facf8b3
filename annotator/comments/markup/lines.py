"""Markdown line by line: quotes, lists, code, headings, rules and tables. A paragraph can go on over several lines."""

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

from annotator.comments.markup.inline import inline
from annotator.comments.markup.meanings import BLOCK, CELL, CODE, OFF, replace
from annotator.comments.markup.tables import LEFT, alignments, cells
from profiles.highlights import Highlight

QUOTE, DEEP_QUOTE, ITEM, DEEP_ITEM, MORE = "quote", "quote-deep", "item", "item-deep", "-more"
CODE_LINE, HEADING, RULE_LINE, HEAD_ROW, ROW = "code", "heading", "rule", "head", "row"

QUOTED = re.compile(r" {0,3}(?:(?:&gt;|>)(?!!) ?)++")
LISTED = re.compile(r"( {0,12})(?:[*+-]|\d{1,9}[.)]) ++(?=\S)")
TITLED = re.compile(r"#{1,6} ++(?=\S)")
UNDERLINE = re.compile(r" {0,3}(?:={3,}+|-{3,}+) *+$")
RULE = re.compile(r" *+(?:(?:\* *+){3,}|(?:- *+){3,}|(?:_ *+){3,})$")
INDENT = re.compile(r" {4}|\t")
DEEP_INDENT = re.compile(r" {8}|\t\t| {4}\t")
FENCE = re.compile(r" {0,3}``` *+\w*+ *+$")


@dataclass(frozen=True, slots=True)
class Line:
    number: int
    start: int
    end: int
    text: str


Reading = Generator[Highlight, None, int]


def read_lines(text: str) -> Iterator[Highlight]:
    return _Reader(text).read()


def _is_blank(line: Line) -> bool:
    return not line.text.strip()


def _split(text: str) -> list[Line]:
    lines, start = [], 0
    for number, line in enumerate(text.split("\n")):
        lines.append(Line(number, start, start + len(line), line))
        start += len(line) + 1
    return lines


class _Reader:
    """Reads from top to bottom.

    `kind` is the quote or list item that the next plain line goes on with; `may_indent`, whether an indented one is
    code. `paragraph` collects pieces of text whose inline syntax belongs together, so that emphasis can span lines.
    """

    def __init__(self, text: str) -> None:
        self.text, self.lines = text, _split(text)
        self.fences = _partners([line for line in self.lines if FENCE.match(line.text)])
        self.following = _following(self.lines)
        self.kind, self.may_indent = "", True
        self.paragraph: list[tuple[int, int]] = []
        self.readers: tuple[tuple[Callable[[Line], object], Callable[[Line], Reading]], ...] = (
            (self._is_fence, self._fenced),
            (_is_blank, self._blank),
            (self._is_code, self._code),
            (self._sides, self._table),
            (self._is_heading, self._heading),
            (self._is_rule, self._rule),
            (self._is_quoted, self._quoted),
            (self._is_item, self._item),
        )

    def read(self) -> Iterator[Highlight]:
        number = 0
        while number < len(self.lines):
            number += yield from self._block(self.lines[number])
        yield from self._end_paragraph()

    def _block(self, line: Line) -> Reading:
        """One or more lines that belong together. Returns how many."""
        for applies, read in self.readers:
            if applies(line):
                return (yield from read(line))
        return (yield from self._plain(line))

    # ── Lines that show as written ───────────────────────────────────────────
    def _is_fence(self, line: Line) -> bool:
        return line.number in self.fences

    def _fenced(self, opening: Line) -> Reading:
        closing = self.fences[opening.number]
        yield from self._start("")
        yield self._hidden_line(opening)
        for line in self.lines[opening.number + 1 : closing.number]:
            yield from self._lone(line, CODE_LINE)
            yield Highlight(line.start, line.end, CODE)
        yield self._hidden_line(closing)
        return closing.number - opening.number + 1

    def _is_code(self, line: Line) -> bool:
        """In a list, four spaces only go on with an item."""
        pattern = DEEP_INDENT if self.kind.startswith(ITEM) else INDENT
        return self.may_indent and bool(pattern.match(line.text))

    def _code(self, line: Line) -> Reading:
        indent = (DEEP_INDENT if self.kind.startswith(ITEM) else INDENT).match(line.text)
        start = line.start + (indent.end() if indent else 0)
        yield from self._start(self.kind if self.kind.startswith(ITEM) else CODE_LINE, may_indent=True)
        yield from self._lone(line, CODE_LINE)
        yield Highlight(line.start, start, OFF)
        yield Highlight(start, line.end, CODE)
        return 1

    def _blank(self, line: Line) -> Reading:
        """Ends a paragraph. Between two pieces of code or of a quote it belongs to them."""
        kind, following = self.kind, self.following[line.number]
        pattern = {CODE_LINE: INDENT, QUOTE: QUOTED, DEEP_QUOTE: QUOTED}.get(kind)
        is_bridge = bool(pattern and pattern.match(following))
        is_in_list = kind.startswith(ITEM) and following.startswith((" ", "\t"))
        yield from self._start(kind if is_bridge or is_in_list else "", may_indent=True)
        if is_bridge:
            yield from self._lone(line, kind)
        return 1

    # ── Lines of their own ───────────────────────────────────────────────────
    def _is_rule(self, line: Line) -> bool:
        return bool(RULE.match(line.text))

    def _rule(self, line: Line) -> Reading:
        yield from self._start("")
        yield from self._lone(line, RULE_LINE)
        yield Highlight(line.start, line.end, OFF)
        return 1

    def _is_heading(self, line: Line) -> bool:
        return bool(TITLED.match(line.text)) or self._is_underlined(line)

    def _is_underlined(self, line: Line) -> bool:
        """A line of `===` or `---` below a paragraph of one line makes it a heading."""
        if self.paragraph or self.kind or line.number + 1 == len(self.lines):
            return False
        is_plain = not (RULE.match(line.text) or QUOTED.match(line.text) or LISTED.match(line.text))
        return is_plain and bool(UNDERLINE.match(self.lines[line.number + 1].text))

    def _heading(self, line: Line) -> Reading:
        titled = TITLED.match(line.text)
        start = line.start + (titled.end() if titled else 0)
        yield from self._start("")
        yield from self._lone(line, HEADING)
        yield Highlight(line.start, start, OFF)
        yield from inline(self.text, [(start, line.end)])
        if titled:
            return 1
        yield self._hidden_line(self.lines[line.number + 1])
        return 2

    # ── Paragraphs ───────────────────────────────────────────────────────────
    def _is_quoted(self, line: Line) -> bool:
        return bool(QUOTED.match(line.text))

    def _quoted(self, line: Line) -> Reading:
        quoted = QUOTED.match(line.text)
        assert quoted is not None  # noqa: S101 checked before
        is_deep = quoted[0].count(">") + quoted[0].count("&gt;") > 1
        kind, start = DEEP_QUOTE if is_deep else QUOTE, line.start + quoted.end()
        listed = LISTED.match(line.text, quoted.end())
        if kind != self.kind or listed or not line.text[quoted.end() :].strip():
            yield from self._start(kind)
        yield from self._lone(line, kind)
        yield Highlight(line.start, start, OFF)
        if listed:
            yield from _bullet(listed, line.start)
            start = line.start + listed.end()
        self.paragraph.append((start, line.end))
        return 1

    def _is_item(self, line: Line) -> bool:
        return bool(LISTED.match(line.text))

    def _item(self, line: Line) -> Reading:
        listed = LISTED.match(line.text)
        assert listed is not None  # noqa: S101 checked before
        kind = DEEP_ITEM if listed[1] else ITEM
        yield from self._start(kind)
        yield from self._lone(line, kind)
        yield from _bullet(listed, line.start)
        self.paragraph.append((line.start + listed.end(), line.end))
        return 1

    def _plain(self, line: Line) -> Reading:
        """Goes on with the paragraph, the quote or the list item before it, if there is one."""
        if self.kind == CODE_LINE:
            yield from self._start("")
        self.may_indent = False
        start = line.start
        if self.kind:
            yield from self._lone(line, self.kind + (MORE if self.kind.startswith(ITEM) else ""))
            start += len(line.text) - len(line.text.lstrip())
            yield Highlight(line.start, start, OFF)
        self.paragraph.append((start, line.end))
        return 1

    # ── Tables ───────────────────────────────────────────────────────────────
    def _sides(self, line: Line) -> list[str]:
        """The alignments of the columns, if a table starts here: a line with bars, and under it one of dashes."""
        if self.paragraph or "|" not in line.text or line.number + 1 == len(self.lines):
            return []
        return alignments(self.lines[line.number + 1].text)

    def _table(self, head: Line) -> Reading:
        sides = self._sides(head)
        yield from self._start("")
        yield from self._row(head, sides, HEAD_ROW)
        yield self._hidden_line(self.lines[head.number + 1])
        number = head.number + 2
        while number < len(self.lines) and "|" in self.lines[number].text:
            yield from self._row(self.lines[number], sides, ROW)
            number += 1
        return number - head.number

    def _row(self, line: Line, sides: Sequence[str], kind: str) -> Iterator[Highlight]:
        yield from self._lone(line, kind)
        for column, cell in enumerate(cells(line.text)):
            side = sides[column] if column < len(sides) else LEFT
            first, start, end, last = (line.start + at for at in cell)
            yield Highlight(first, last, f"{CELL}{column}-{side}")
            yield Highlight(first, start, OFF)
            yield Highlight(end, last, OFF)
            yield from inline(self.text, [(start, end)])

    # ── Shared ───────────────────────────────────────────────────────────────
    def _start(self, kind: str, *, may_indent: bool = False) -> Iterator[Highlight]:
        """Something else begins."""
        yield from self._end_paragraph()
        self.kind, self.may_indent = kind, may_indent

    def _end_paragraph(self) -> Iterator[Highlight]:
        if self.paragraph:
            yield from inline(self.text, self.paragraph)
            self.paragraph = []

    def _lone(self, line: Line, kind: str) -> Iterator[Highlight]:
        """A line that breaks the text by itself, so the line break after it is hidden."""
        stop = min(line.end + 1, len(self.text))
        if line.start < stop:
            yield Highlight(line.start, stop, f"{BLOCK}{line.number}-{kind}")
        if line.end < stop:
            yield Highlight(line.end, stop, OFF)

    def _hidden_line(self, line: Line) -> Highlight:
        return Highlight(line.start, min(line.end + 1, len(self.text)), OFF)


def _bullet(listed: re.Match[str], start: int) -> Iterator[Highlight]:
    first = start + listed.end(1)
    if listed[1]:
        yield Highlight(first - len(listed[1]), first, OFF)
    if listed[0].lstrip()[0] in "*+-":
        yield from replace(first, first + 1, "•")


def _partners(fences: Sequence[Line]) -> dict[int, Line]:
    """The closing line of each opening one. The last of an odd number opens nothing."""
    return {opening.number: closing for opening, closing in zip(fences[::2], fences[1::2], strict=False)}


def _following(lines: Sequence[Line]) -> list[str]:
    """For each line, the text of the next one that isn't blank."""
    following, after = [], ""
    for line in reversed(lines):
        following.append(after)
        after = after if _is_blank(line) else line.text
    return following[::-1]
