"""Parse the subset of Markdown that guidelines use. The result is plain data; templates turn it into HTML.

`#` title, `##` section, `###` subsection, paragraphs, `- ` lists whose items continue in indented lines, `**strong**`,
`*emphasis*` and `` `code` ``. An item that starts with `**3**` is step 3 of a scale. Everything else is a paragraph.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

# Each alternative can match in only one way at a given position, so a long line of stars can't cause backtracking.
INLINE = re.compile(r"\*\*(?!\s)(?P<strong>[^*]+)(?<!\s)\*\*|\*(?!\s)(?P<emphasis>[^*]+)(?<!\s)\*|`(?P<code>[^`]+)`")
STEP = re.compile(r"\*\*(?P<number>[0-9])\*\*\s+")
RESERVED_IDS = ("main", "guidelines-text", "contents", "versions", "changes")  # used by the pages themselves

Style = Literal["plain", "strong", "emphasis", "code"]


@dataclass(frozen=True, slots=True)
class Run:
    """Text in one style."""

    text: str
    style: Style = "plain"


@dataclass(frozen=True, slots=True)
class Item:
    """A paragraph or a list item. `number` is the step of the scale that it explains."""

    runs: tuple[Run, ...]
    number: int | None = None

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph has one item. A scale is a list in which every item is a step."""

    kind: Literal["paragraph", "list", "scale"]
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Section:
    slug: str
    title: str
    blocks: tuple[Block, ...] = ()
    subsections: tuple["Section", ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    intro: tuple[Block, ...]
    sections: tuple[Section, ...]


def parse(text: str) -> Document:
    """Parse a text. Never fails: anything unrecognized becomes a paragraph."""
    lines = text.splitlines()
    first = next((number for number, line in enumerate(lines) if line.strip()), 0)
    title = lines.pop(first)[2:].strip() if lines and lines[first].startswith("# ") else ""
    intro, chapters = _split_at_headings(lines, "## ")
    taken = Counter(RESERVED_IDS)
    return Document(title, _blocks(intro), tuple(_section(name, body, taken) for name, body in chapters))


def _section(title: str, lines: Sequence[str], taken: Counter[str]) -> Section:
    slug = _slug(title, taken)
    own, parts = _split_at_headings(lines, "### ")
    subsections = tuple(Section(_slug(f"{slug} {name}", taken), name, _blocks(body)) for name, body in parts)
    return Section(slug, title, _blocks(own), subsections)


def _split_at_headings(lines: Sequence[str], prefix: str) -> tuple[Sequence[str], list[tuple[str, Sequence[str]]]]:
    """The lines before the first heading, and each heading with the lines below it."""
    starts = [n for n, line in enumerate(lines) if line.startswith(prefix) and line.removeprefix(prefix).strip()]
    ends = pairwise([*starts, len(lines)])
    parts = [(lines[n].removeprefix(prefix).strip(), lines[n + 1 : end]) for n, end in ends]
    return lines[: starts[0] if starts else len(lines)], parts


def _slug(title: str, taken: Counter[str]) -> str:
    """An HTML id for a heading, unique within the text."""
    plain = re.sub(r"[\W_]+", "-", title.lower()).strip("-") or "section"
    slug = plain
    while slug in taken:
        taken[plain] += 1
        slug = f"{plain}-{taken[plain]}"
    taken[slug] = 1
    return slug


def _blocks(lines: Sequence[str]) -> tuple[Block, ...]:
    """Paragraphs and lists. An empty line between items does not end a list."""
    pieces = groupby(_pieces(lines), key=lambda piece: piece[0])
    return tuple(
        block
        for is_list, group in pieces
        for block in ([_list([text for _, text in group])] if is_list else [_paragraph(text) for _, text in group])
    )


def _pieces(lines: Sequence[str]) -> Iterator[tuple[bool, str]]:
    """Each paragraph or list item joined into one line, and whether it is an item."""
    piece: list[str] = []
    is_item = False
    for line in [*lines, ""]:
        begins_item = line.startswith("- ")
        continues = piece and line.strip() and not begins_item and (line.startswith("  ") or not is_item)
        if continues:
            piece.append(line.strip())
            continue
        if piece:
            yield is_item, " ".join(piece)
        piece, is_item = [line.removeprefix("- ").strip()] if line.strip() else [], begins_item


def _paragraph(text: str) -> Block:
    return Block("paragraph", (Item(_runs(text)),))


def _list(texts: Sequence[str]) -> Block:
    items = tuple(_item(text) for text in texts)
    return Block("scale" if all(item.number is not None for item in items) else "list", items)


def _item(text: str) -> Item:
    step = STEP.match(text)
    return Item(_runs(text[step.end() :]), int(step["number"])) if step else Item(_runs(text))


def _runs(text: str) -> tuple[Run, ...]:
    return tuple(run for run in _split_runs(text) if run.text)


def _split_runs(text: str) -> Iterator[Run]:
    end = 0
    for match in INLINE.finditer(text):
        style: Style = match.lastgroup  # type: ignore[assignment]
        yield Run(text[end : match.start()])
        yield Run(match[style], style)
        end = match.end()
    yield Run(text[end:])
