"""Subreddits in answers that are text: lists, headings and tables in Markdown, lines, and at last whole sentences."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from evaluation.proposals.names import LINK, PREFIX, clean_name, is_name, mentions

END = "\x1f"  # where bold, code or a link ends
BULLET = re.compile(r"(?P<indent>\s*)(?P<sign>[-*•·‣▪+–]|\(?\d{1,3}[.):]|\#{1,6}(?:\s*\d{1,3}[.):])?)\s+(?P<rest>\S.*)")
NUMBER = re.compile(r"^\W{0,3}\d{1,3}[.)]\s+")
DELIMITER = re.compile(rf"{END}|\s[-–—=]+>?\s|\s*[—–]\s*|:(?!/)|[;,|]|\s*\((?!/r)|\.(?=\s|$)|→")
EMPHASIS = re.compile(r"(\*\*\*|\*\*|__|`|(?<![\w*])\*(?=\S)|(?<!\w)_(?=\S))(?P<inner>.+?)\1")
SEPARATOR_ROW = re.compile(r"\s*\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?\s*)?")
SEPARATORS = re.compile(r"[\s,;&+/.|]|\b(?:and|or|und|et|y)\b", re.IGNORECASE)
LABELS = frozenset(
    "reason reasons why note notes description explanation subreddit subreddits name names members certain certainty"
    " confidence comments example examples topic summary answer here total focus audience kept removed list".split()
)
LABEL = re.compile(r"^\W*(?:reason(?:ing)?|why|description|explanation|note)\W*[:–—-]\s*", re.IGNORECASE)
DROPPED = re.compile(
    r"\b(?:remov\w*|exclud\w*|dropp\w*|discard\w*|omitt?\w*|left\ out|leave\ out|uncertain|unsure"
    r"|not\ (?:as\ )?(?:certain|sure)|less\ (?:certain|sure|confident)|low(?:er)?\ confidence|doubtful|no\ longer)\b",
    re.IGNORECASE | re.VERBOSE,
)
NAME_COLUMN = re.compile(r"sub(?:reddit)?|communit|^name", re.IGNORECASE)
REASON_COLUMN = re.compile(r"reason|why|descri|explan|rational|justif|note", re.IGNORECASE)
KEPT_COLUMN = re.compile(r"certain|keep|kept|sure|confiden", re.IGNORECASE)
NO_CELL = re.compile(r"\W*(?:no|false|low|unsure|uncertain|not)\b|^\W*[✗✘❌]", re.IGNORECASE)

Pair = tuple[str, str]


@dataclass(slots=True)
class _Item:
    name: str
    reason: str
    indent: int
    bullet: str = ""  # or the sign of a heading; empty for a line without one


@dataclass(slots=True)
class _Reader:
    """Reads line by line. `has_prefix`: the answer writes r/, so nothing without it is a name."""

    has_prefix: bool
    only_kept: bool
    items: list[_Item] = field(default_factory=list)
    is_dropping: bool = False
    after_blank: bool = False

    def read_line(self, line: str) -> None:
        if not line.strip():
            self.after_blank = True
            return
        names = self._items_of(line)
        if not names:
            self._read_other(line)
        elif not (self.is_dropping or (self.only_kept and "~~" in line)):
            self.items += names
        self.after_blank = False

    def _items_of(self, line: str) -> list[_Item]:
        bullet = BULLET.match(line)
        rest = bullet["rest"] if bullet else line.strip()
        indent = len(bullet["indent"]) if bullet else len(line) - len(line.lstrip())
        text = NUMBER.sub("", _plain(rest)).lstrip("\"'“‘(<~ ")
        if PREFIX.match(text):
            pairs = _several(text) or [_first(text)]
        elif bullet and not self.has_prefix and self._is_top(indent):
            pairs = _bare(text)
        else:
            return []
        return [_Item(name, reason, indent, bullet["sign"] if bullet else "") for name, reason in pairs]

    def _is_top(self, indent: int) -> bool:
        return not self.items or indent <= self.items[-1].indent

    def _read_other(self, line: str) -> None:
        """A heading, which may say that what follows was dropped, or the reason of the item above."""
        text = _plain(line).replace(END, "").strip()
        if self.only_kept and (text.endswith(":") or line.lstrip().startswith(("#", "**"))) and not mentions(text):
            self.is_dropping = bool(DROPPED.search(text))
            return
        item = self.items[-1] if self.items else None
        if item is None or item.reason or text.endswith(":"):
            return
        is_indented = len(line) - len(line.lstrip()) > item.indent
        if is_indented or item.bullet.startswith("#") or not self.after_blank:
            item.reason = LABEL.sub("", re.sub(r"^[-*•+]\s+", "", text))


def read_text(text: str, *, only_kept: bool = False) -> list[Pair]:
    """Pairs of name and reason as they are written: of tables, else of lists and lines, else of sentences."""
    lines = re.split(r"\r\n|\r|\n", text)
    if pairs := _read_tables(lines, only_kept=only_kept):
        return pairs
    reader = _Reader(bool(mentions(text)), only_kept)
    for line in lines:
        reader.read_line(re.sub(r"^\s*>\s?", "", line))
    pairs = [(item.name, item.reason) for item in reader.items]
    if any(item.bullet or is_name(clean_name(item.name)) for item in reader.items):
        return pairs
    return pairs + [(name, "") for name in _names_in_sentences(text, only_kept=only_kept)]


def _read_tables(lines: Sequence[str], *, only_kept: bool) -> list[Pair]:
    pairs, header = list[Pair](), list[str]()
    for line, following in zip(lines, [*lines[1:], ""], strict=False):
        if "|" not in line:
            header = []
        elif SEPARATOR_ROW.fullmatch(following):
            header = _cells(line)
        elif header and not SEPARATOR_ROW.fullmatch(line):
            pairs += _row(header, _cells(line), only_kept=only_kept)
    return pairs


def _row(header: Sequence[str], cells: Sequence[str], *, only_kept: bool) -> Iterator[Pair]:
    by_title = list(zip(header, cells, strict=False))
    if only_kept and any(KEPT_COLUMN.search(title) and NO_CELL.match(cell) for title, cell in by_title):
        return
    titled = [cell for title, cell in by_title if NAME_COLUMN.search(title)]
    names = [cell for cell in cells if mentions(cell)] or titled or [cell for cell in cells if not cell.isdecimal()]
    if not names or not names[0].strip():
        return
    others = [cell for cell in cells if cell != names[0]]
    reasons = [cell for title, cell in by_title if REASON_COLUMN.search(title) and cell != names[0]]
    yield names[0], (reasons or [max(others, key=len, default="")])[0]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _plain(text: str) -> str:
    """Without Markdown, but with a sign where bold, code or a link ends."""
    text = LINK.sub(lambda match: f"r/{clean_name(match[0])}{END}" if PREFIX.search(match[0]) else match["label"], text)
    return EMPHASIS.sub(lambda match: f"{match['inner']}{END}", text.replace("\\_", "_"))


def _several(text: str) -> list[Pair]:
    """A line of names only: “r/london, r/unitedkingdom and r/AskUK”."""
    names = mentions(text)
    rest = SEPARATORS.sub(
        "", re.sub(r"(?:https?://)?(?:\w+\.)?(?:reddit\.com)?/?\br/[\w-]+/?", "", text).replace(END, "")
    )
    return [(name, "") for name in names] if len(names) > 1 and not rest else []


def _first(text: str) -> Pair:
    """The name at the start of a line, and the rest as its reason.

    A name with a blank in it is one that doesn't exist, unless a sentence goes on behind the name.
    """
    head, reason = _split(text[PREFIX.match(text).end() :])  # type: ignore[union-attr]
    word, _, more = head.partition(" ")
    if more and len(more.split()) > 2:
        return word, f"{more} {reason}"
    return head, reason


def _bare(text: str) -> list[Pair]:
    """An item of a list without r/: a name alone, or before a dash, a colon or the end of bold."""
    head, reason = _split(text)
    is_label = head.lower() in LABELS or len(head.split()) > 4 or not head
    return [] if is_label else [(head, reason)]


def _split(text: str) -> Pair:
    match = DELIMITER.search(text)
    if match is None:
        return text.strip(), ""
    return text[: match.start()].strip(), text[match.end() :].replace(END, "")


def _names_in_sentences(text: str, *, only_kept: bool) -> Iterator[str]:
    for sentence in re.split(r"(?<=[.!?])\s+|\n", text):
        if not (only_kept and DROPPED.search(sentence)):
            yield from (name for name in mentions(sentence) if is_name(name))
