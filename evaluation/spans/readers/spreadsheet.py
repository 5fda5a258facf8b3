"""Spreadsheets (.xlsx): a row for each document with its annotations as JSON, or a row for each mention.

The first sheet whose first row names the columns is read. Spellings are compared without case, spaces and underscores.
"""

import ast
import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluation.spans.readers import tab
from evaluation.spans.readers.contents import MAX_BYTES
from evaluation.spans.readers.json_text import parse, parse_json
from evaluation.spans.readers.jsonl import annotated_span
from evaluation.spans.readers.raw import RawDocument, RawSpan, RecordRefused, UnreadableSpans
from evaluation.spans.records import ONLY_LAYER

ZIP = b"PK\x03\x04"
CELL_LIMIT = 32_767  # characters; Excel cuts off longer ones

ID, TEXT, ANNOTATIONS, ANNOTATOR = "document id", "text", "annotations", "annotator"
START, END, LABEL, QUOTE, SCORE = "start", "end", "type", "quoted text", "score"
SPELLINGS = {  # the column that holds it: as files call it
    ID: "docid documentid document doc id fileid filename file caseid",
    TEXT: "documenttext doctext fulltext content body text",
    ANNOTATIONS: "annotations entitymentions mentions entities spans labels",
    ANNOTATOR: "annotator annotatorid user",
    START: "start startoffset begin beginoffset startchar startpos",
    END: "end endoffset stop endchar endpos",
    LABEL: "entitytype type label entitylabel tag category entity",
    QUOTE: "spantext quote mention mentiontext entitytext span",
    SCORE: "score confidence probability",
}

Cells = dict[str, object]
Item = tuple[str, RawDocument | str]


def recognises(data: bytes) -> bool:
    if not data.startswith(ZIP):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return "xl/workbook.xml" in archive.namelist()
    except zipfile.BadZipFile:
        return True  # begins like one, and is cut off


def read(data: bytes) -> Iterator[Item]:
    """Raises UnreadableSpans."""
    rows = _rows(data)
    columns = next((columns for sheet in rows for columns in [_columns(sheet[0])] if _is_enough(columns)), None)
    sheet = next((sheet for sheet in rows if columns is not None and _columns(sheet[0]) == columns), None)
    if sheet is None or columns is None:
        raise UnreadableSpans(_missing([_columns(sheet[0]) for sheet in rows]))
    table = [
        (number, _cells(row, columns)) for number, row in enumerate(sheet[1:], 2) if any(_has(cell) for cell in row)
    ]
    return _read_mentions(table) if {START, END} <= set(columns) else _read_documents(table)


def _rows(data: bytes) -> list[list[Sequence[object]]]:
    """The rows of all sheets that have any. Raises UnreadableSpans."""
    from openpyxl import load_workbook  # noqa: PLC0415 a fifth of a second that only spreadsheets pay for

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            size = sum(part.file_size for part in archive.infolist())
        if size > MAX_BYTES:
            raise UnreadableSpans(f"Decompressed, the spreadsheet is larger than {MAX_BYTES >> 30} GB. Split it.")
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheets = [list(sheet.iter_rows(values_only=True)) for sheet in book.worksheets]
    except (
        zipfile.BadZipFile,
        KeyError,
        ValueError,
        TypeError,
        AttributeError,
        SyntaxError,
        EOFError,
    ):
        raise UnreadableSpans("The spreadsheet is damaged. Save it again as .xlsx.") from None
    return [sheet for sheet in sheets if sheet]


# ── Columns ─────────────────────────────────────────────────────────────────


def _columns(header: Sequence[object]) -> dict[str, int]:
    """The place of each column that is known; where several spellings fit, the one named first."""
    places = {_plain(cell): place for place, cell in reversed(list(enumerate(header))) if isinstance(cell, str)}
    columns = {}
    for column, spellings in SPELLINGS.items():
        place = next((places[spelling] for spelling in spellings.split() if spelling in places), None)
        if place is not None:
            columns[column] = place
    if START in columns and QUOTE not in columns and "text" in places:  # the mention's text, not the document's
        columns[QUOTE] = places["text"]
        return {name: place for name, place in columns.items() if name != TEXT or place != places["text"]}
    return columns


def _plain(name: str) -> str:
    return "".join(character for character in name.casefold() if character.isalnum())


def _is_enough(columns: dict[str, int]) -> bool:
    return ID in columns and (ANNOTATIONS in columns or {START, END} <= set(columns))


def _missing(headers: list[dict[str, int]]) -> str:
    best = max(headers, key=len, default={})
    missing = [name for name in (ID, START, END) if name not in best]
    present = ", ".join(best) or "none that is known"
    return (
        f"The spreadsheet lacks the columns {', '.join(missing)}; it has {present}. Name the columns in its first row: "
        "doc_id, text and annotations (as JSON), or doc_id, start, end, type and text for a row per mention."
    )


def _cells(row: Sequence[object], columns: dict[str, int]) -> Cells:
    return {name: row[place] for name, place in columns.items() if place < len(row)}


def _has(cell: object) -> bool:
    return cell is not None and cell != ""


# ── A row for each document ─────────────────────────────────────────────────


def _read_documents(table: list[tuple[int, Cells]]) -> Iterator[Item]:
    for number, cells in table:
        try:
            yield f"row {number}", _document(cells)
        except RecordRefused as refused:
            yield f"row {number}", str(refused)


def _document(cells: Cells) -> RawDocument:
    value, defects = _annotations(cells.get(ANNOTATIONS))
    if isinstance(value, dict):
        document = tab.read_annotations(_id(cells), cells.get(TEXT), value)
        return RawDocument(document.id, document.spans, document.text, document.layers, document.defects + defects)
    return RawDocument(_id(cells), [annotated_span(item) for item in value], cells.get(TEXT), defects=defects)


def _annotations(cell: object) -> tuple[list[object] | dict[str, object], tuple[str, ...]]:
    """The annotations in a cell: JSON, or as Python prints them. What a cut-off cell still has is kept."""
    if not _has(cell):
        return [], ()
    text = cell if isinstance(cell, str) else ""
    for read_value in (parse, ast.literal_eval):
        try:
            value = read_value(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(value, list | dict):
            return value, ()
    return _part(text)


def _part(text: str) -> tuple[list[object], tuple[str, ...]]:
    parsed = parse_json(text)
    if parsed is None or not parsed.values or not text.lstrip().startswith("["):
        raise RecordRefused("Its annotations are not JSON.")
    cut = " Excel cuts cells off there." if len(text) >= CELL_LIMIT else ""
    return [value for _, value in parsed.values], (f"Its annotations end after {len(text):,} characters.{cut}",)


def _id(cells: Cells) -> object:
    """Numbers come as 7 or 7.0; a text such as "007" stays."""
    value = cells.get(ID)
    return value if isinstance(value, str) else _whole(value)


# ── A row for each mention ──────────────────────────────────────────────────


@dataclass(slots=True)
class MentionRows:
    id: object
    text: object
    spans: list[RawSpan]


def _read_mentions(table: list[tuple[int, Cells]]) -> Iterator[Item]:
    """Rows of one document need not follow each other."""
    documents: dict[object, MentionRows] = {}
    for number, cells in table:
        key = _id(cells)
        if not isinstance(key, str | int):
            yield f"row {number}", "It has no document id."
            continue
        rows = documents.setdefault(key, MentionRows(key, cells.get(TEXT), []))
        rows.spans += _mention(cells)
    for rows in documents.values():
        yield "document", RawDocument(rows.id, rows.spans, rows.text)


def _mention(cells: Cells) -> list[RawSpan]:
    """Nothing, for a row that only names a document without mentions."""
    if not _has(cells.get(START)) and not _has(cells.get(END)):
        return []
    annotator = cells.get(ANNOTATOR)
    layer = str(_whole(annotator)) if _has(annotator) else ONLY_LAYER
    start, end = _whole(cells.get(START)), _whole(cells.get(END))
    return [RawSpan(start, end, cells.get(LABEL), cells.get(QUOTE), cells.get(SCORE), layer=layer)]


def _whole(value: object) -> object:
    """Cells have no integers of their own: 3.0 and "3" are 3."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16 else value
