"""The subreddit list as a CSV file: written so that a spreadsheet runs nothing, read so that nothing is lost."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from profiles.hints.rules import HintRow, Refused, checked

if TYPE_CHECKING:
    from _csv import Reader

COLUMNS = ("subreddit", "attribute", "value", "reason")
MOST_BYTES = 5_000_000
MOST_ROWS = 20_000
# A spreadsheet takes a cell that starts like this for a formula. Apostrophes before it count, so that undoing is exact.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")


class Unreadable(Exception):
    """The file as a whole cannot be read. The text says why, and what to do."""


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """A row that was set aside."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class HintFile:
    rows: list[HintRow]
    refused: list[RefusedLine]


def write_hints(rows: Iterable[HintRow]) -> Iterator[str]:
    """The file, line by line."""
    yield _line(COLUMNS)
    for row in rows:
        yield _line([defused(cell) for cell in (row.subreddit, row.attribute.value, row.value, row.reason)])


def read_hints(data: bytes) -> HintFile:
    """Good rows, and those set aside. UTF-8 with or without its mark; commas or semicolons. Raises Unreadable."""
    reader, columns = _opened(_decoded(data))
    rows: dict[tuple[str, str, str], HintRow] = {}
    lines: dict[tuple[str, str, str], int] = {}
    refused = []
    for line, cells in _numbered(reader):
        try:
            row = _row(cells, columns)
            if row.key in rows:
                raise Refused({"value": f"Line {lines[row.key]} says this already."})
        except Refused as refusal:
            refused.append(RefusedLine(line, _shown(cells), str(refusal)))
        else:
            rows[row.key], lines[row.key] = row, line
        if len(rows) + len(refused) > MOST_ROWS:
            raise Unreadable(f"The file has more than {MOST_ROWS:,} rows. Nothing was imported. Split it.")
    return HintFile(list(rows.values()), refused)


def defused(cell: str) -> str:
    """With an apostrophe before what a spreadsheet would run."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def restored(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def _line(cells: Iterable[str]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow(cells)
    return written.getvalue()


def _decoded(data: bytes) -> str:
    if len(data) > MOST_BYTES:
        raise Unreadable(f"The file is larger than {MOST_BYTES // 1_000_000} MB. Nothing was imported. Split it.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("The file is not UTF-8. Nothing was imported. Save it as “CSV UTF-8”.") from error


def _opened(text: str) -> "tuple[Reader, list[str]]":
    """Behind its first line, which says how the cells are divided and what they are."""
    for delimiter in (",", ";"):
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        try:
            columns = [cell.strip().lower() for cell in next(reader, [])]
        except csv.Error:
            continue
        if all(columns.count(name) == 1 for name in COLUMNS):
            return reader, columns
    raise Unreadable(f"The first line must name the columns {', '.join(COLUMNS)}. Nothing was imported.")


def _numbered(reader: "Reader") -> Iterator[tuple[int, list[str] | str]]:
    """Each row that is not empty with the line it starts on. In place of a row's cells, why they could not be read."""
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield line, _explained(error)
            continue
        if any(cell.strip() for cell in cells):
            yield line, cells


def _explained(error: csv.Error) -> str:
    if "unexpected end" in str(error):
        return "A quotation mark is opened here and never closed. Nothing after it was read."
    if "field limit" in str(error):
        return "A cell is far too long; perhaps a quotation mark is never closed."
    return "Quotation marks are in the wrong place. Put them around the whole cell, and double those inside it."


def _row(cells: list[str] | str, columns: list[str]) -> HintRow:
    if isinstance(cells, str):
        raise Refused({"row": cells})
    if len(cells) != len(columns):
        raise Refused({"row": f"The row has {len(cells)} cells, the first line has {len(columns)}."})
    named = dict(zip(columns, cells, strict=True))
    return checked(**{name: restored(named[name]) for name in COLUMNS})


def _shown(cells: list[str] | str) -> str:
    """Enough of a row to find it again."""
    return "" if isinstance(cells, str) else ", ".join(cells).replace("\x00", "�")[:300]
