"""The subreddit list as a CSV file: safe to open in a spreadsheet, and read back without loss."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from profiles.hints.rules import HintRow, InvalidHint, check_hint

if TYPE_CHECKING:
    from _csv import Reader

COLUMNS = ("subreddit", "attribute", "value", "reason")
MAX_BYTES = 5_000_000
MAX_ROWS = 20_000
NOT_UTF8 = "The file is not UTF-8. Nothing was imported. Save it as “CSV UTF-8”."
TOO_LARGE = "The file is larger than {megabytes} MB. Nothing was imported. Split it."
TOO_MANY_ROWS = "The file has more than {rows:,} rows. Nothing was imported. Split it."
WRONG_COLUMNS = f"The first line must name the columns {', '.join(COLUMNS)}. Nothing was imported."
DUPLICATE = "This row repeats line {line}."
WRONG_CELL_COUNT = "The row has {cells} cells, but the header has {columns}."
UNCLOSED_QUOTE = "A quotation mark is opened here and never closed. Nothing after it was read."
CELL_TOO_LONG = "A cell is far too long. A quotation mark may be missing."
MISPLACED_QUOTE = "Quotation marks are in the wrong place. Put them around the whole cell, and double those inside it."
# A spreadsheet takes a cell that starts like this for a formula. Allow apostrophes, so that unescaping is exact.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")


class UnreadableFile(Exception):
    """The file as a whole cannot be read. The message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class InvalidLine:
    """A row that was not imported."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class HintFile:
    rows: list[HintRow]
    invalid_lines: list[InvalidLine]


def write_hints(rows: Iterable[HintRow]) -> Iterator[str]:
    """Yield the file line by line."""
    yield _line(COLUMNS)
    for row in rows:
        yield _line([escape_formula(cell) for cell in (row.subreddit, row.attribute.value, row.value, row.reason)])


def read_hints(data: bytes) -> HintFile:
    """Read valid and invalid rows. UTF-8 with or without a BOM; commas or semicolons. Raises UnreadableFile."""
    reader, columns = _read_header(_decode(data))
    rows: dict[tuple[str, str, str], HintRow] = {}
    lines: dict[tuple[str, str, str], int] = {}
    invalid_lines = []
    for line, cells in _numbered_rows(reader):
        try:
            row = _read_row(cells, columns)
            if row.key in rows:
                raise InvalidHint({"value": DUPLICATE.format(line=lines[row.key])})
        except InvalidHint as error:
            invalid_lines.append(InvalidLine(line, _excerpt(cells), str(error)))
        else:
            rows[row.key], lines[row.key] = row, line
        if len(rows) + len(invalid_lines) > MAX_ROWS:
            raise UnreadableFile(TOO_MANY_ROWS.format(rows=MAX_ROWS))
    return HintFile(list(rows.values()), invalid_lines)


def escape_formula(cell: str) -> str:
    """Put an apostrophe before a cell that a spreadsheet would run as a formula."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unescape_formula(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def _line(cells: Iterable[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(cells)
    return buffer.getvalue()


def _decode(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise UnreadableFile(TOO_LARGE.format(megabytes=MAX_BYTES // 1_000_000))

    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile(NOT_UTF8) from error


def _read_header(text: str) -> "tuple[Reader, list[str]]":
    """Read the first line, which shows the delimiter and names the columns. Return a reader for the rest."""
    for delimiter in (",", ";"):
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        try:
            columns = [cell.strip().lower() for cell in next(reader, [])]
        except csv.Error:
            continue
        if all(columns.count(name) == 1 for name in COLUMNS):
            return reader, columns
    raise UnreadableFile(WRONG_COLUMNS)


def _numbered_rows(reader: "Reader") -> Iterator[tuple[int, list[str] | str]]:
    """Non-empty rows with the line they start on. An unreadable row has the reason instead of its cells."""
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield line, _explain(error)
            continue
        if any(cell.strip() for cell in cells):
            yield line, cells


def _explain(error: csv.Error) -> str:
    if "unexpected end" in str(error):
        return UNCLOSED_QUOTE
    return CELL_TOO_LONG if "field limit" in str(error) else MISPLACED_QUOTE


def _read_row(cells: list[str] | str, columns: list[str]) -> HintRow:
    if isinstance(cells, str):
        raise InvalidHint({"row": cells})
    if len(cells) != len(columns):
        raise InvalidHint({"row": WRONG_CELL_COUNT.format(cells=len(cells), columns=len(columns))})
    named = dict(zip(columns, cells, strict=True))
    return check_hint(**{name: unescape_formula(named[name]) for name in COLUMNS})


def _excerpt(cells: list[str] | str) -> str:
    """Enough of a row to recognize it."""

    return "" if isinstance(cells, str) else ", ".join(cells).replace("\x00", "�")[:300]
