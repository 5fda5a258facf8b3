"""Spreadsheets: a row for each document, or a row for each mention."""

import io
import json
from typing import Any

import pytest
from openpyxl import Workbook

from evaluation.spans.readers import UnreadableSpans
from evaluation.spans.records import ProblemKind, SpanFile
from tests.evaluation.spans.readers.files import TEXT, kinds, read_bytes, spans_of

ADA = {"start_offset": 0, "end_offset": 3, "entity_type": "PERSON", "span_text": "Ada"}


def packed(*rows: Any, first: Any = ()) -> bytes:
    book, file = Workbook(), io.BytesIO()
    for row in first:
        book.active.append(row)
    sheet = book.create_sheet() if first else book.active
    for row in rows:
        sheet.append(row)
    book.save(file)
    return file.getvalue()


def read(folder: Any, *rows: Any, **options: Any) -> SpanFile:
    return read_bytes(folder, packed(*rows), **options)


@pytest.mark.parametrize("column", ["annotations", "entity_mentions", "Entity Mentions"])
@pytest.mark.parametrize("write", [json.dumps, str])
def test_a_row_for_each_document(tmp_path, column, write):
    """`str` is what pandas puts into a cell."""
    file = read(tmp_path, ["doc_id", "text", column], ["a", TEXT, write([ADA])], ["b", TEXT, None], [None] * 3)
    assert (file.format, list(file.documents), file.has_texts) == ("spreadsheet", ["a", "b"], True)
    assert spans_of(file) == [(0, 3, "PERSON")]


def test_annotations_by_annotator(tmp_path):
    annotations = {"annotator1": {"entity_mentions": [ADA]}, "annotator2": {"entity_mentions": []}}
    file = read(tmp_path, ["doc_id", "text", "annotations"], ["a", TEXT, json.dumps(annotations)])
    assert list(file.documents["a"].layers) == ["annotator1", "annotator2"]


def test_a_row_for_each_mention(tmp_path):
    header = ["Document ID", "Start Offset", "end_offset", "Entity type", "text", "annotator"]
    rows = [["a", 0, 3, "PERSON", "Ada", "x"], [7, 8.0, "10", "PERSON", "Bo", "x"], ["a", 14, 19, "LOC", "Paris", "y"]]
    file = read(tmp_path, header, *rows, ["b", None, None, None, None, None])
    assert list(file.documents) == ["a", "7", "b"]
    assert (spans_of(file), spans_of(file, "7")) == ([(0, 3, "PERSON"), (14, 19, "LOC")], [(8, 10, "PERSON")])
    assert list(file.documents["a"].layers) == ["x", "y"]
    assert file.documents["a"].all_spans[0].text == "Ada"


def test_a_text_for_the_document_and_one_for_the_mention(tmp_path):
    for document_text, quote in (("text", "span_text"), ("document_text", "text")):
        file = read(
            tmp_path, ["id", document_text, "start", "end", "label", quote], ["007", TEXT, 1, 4, "PERSON", "Ada"]
        )
        assert (file.documents["007"].text, spans_of(file, "007")) == (TEXT, [(0, 3, "PERSON")])
        assert kinds(file) == {ProblemKind.REPAIRED: 1}


def test_the_sheet_that_has_the_columns_is_read(tmp_path):
    data = packed(["doc_id", "start", "end"], ["a", 0, 3], first=[["Notes"], ["none"]])
    assert spans_of(read_bytes(tmp_path, data)) == [(0, 3, "")]


def test_a_cell_that_excel_cut_off_keeps_its_good_part(tmp_path):
    cell = json.dumps([ADA, {**ADA, "start_offset": 8, "end_offset": 10, "span_text": "Bo"}])[:-30]
    file = read(tmp_path, ["doc_id", "annotations"], ["a", cell])
    assert spans_of(file) == [(0, 3, "PERSON")]
    assert kinds(file) == {ProblemKind.UNREADABLE: 1}


def test_wrong_cells_are_set_aside(tmp_path):
    file = read(
        tmp_path, ["doc_id", "annotations"], ["a", "[]"], ["b", "none"], ["c", 7], [None, "[]"], ["e", "[" * 999]
    )
    assert list(file.documents) == ["a"]
    assert kinds(file) == {ProblemKind.UNREADABLE: 4}
    mentions = read(tmp_path, ["doc_id", "start", "end"], ["a", 0.5, 3], ["a", "x", 3], ["a", True, 3], [None, 0, 3])
    assert kinds(mentions) == {ProblemKind.UNREADABLE: 4}


def test_missing_columns_are_named(tmp_path):
    with pytest.raises(UnreadableSpans, match=r"lacks the columns document id, end; it has start, type"):
        read(tmp_path, ["start", "label"], [0, "PERSON"])
    with pytest.raises(UnreadableSpans, match="none that is known"):
        read(tmp_path)


def test_a_damaged_one_is_refused(tmp_path):
    data = packed(["doc_id", "start", "end"], ["a", 0, 3])
    for broken in (data[:100], data[: len(data) // 2], data[:50] + bytes(1000) + data[1050:]):
        with pytest.raises(UnreadableSpans):
            read_bytes(tmp_path, broken)
