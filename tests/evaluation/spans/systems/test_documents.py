"""Documents come from gold files, JSON lines and folders; what has no text is named."""

import json

import pytest

from evaluation.spans.records import ProblemKind
from evaluation.spans.systems.documents import DocumentsUnusable, read_documents, texts_of


def write_lines(path, *documents):
    path.write_text("\n".join(map(json.dumps, documents)))
    return path


def test_a_folder_of_text_files(tmp_path):
    (tmp_path / "below").mkdir()
    (tmp_path / "b.txt").write_bytes("zwei\r\nZeilen ü".encode())
    (tmp_path / "below" / "a.txt").write_text("one")
    (tmp_path / "note.md").write_text("not a document")
    assert texts_of(read_documents(tmp_path)) == {"b": "zwei\r\nZeilen ü", "below/a": "one"}


def test_the_hash_of_a_folder_tells_its_contents(tmp_path):
    (tmp_path / "a.txt").write_text("one")
    first = read_documents(tmp_path).sha256
    assert read_documents(tmp_path).sha256 == first
    (tmp_path / "a.txt").write_text("two")
    assert read_documents(tmp_path).sha256 != first


def test_json_lines_with_texts(tmp_path):
    path = write_lines(tmp_path / "docs.jsonl", {"id": "a", "text": "one"}, {"id": 7, "text": ""})
    assert texts_of(read_documents(path)) == {"a": "one", "7": ""}


def test_lines_that_are_no_documents_are_named(tmp_path):
    path = write_lines(tmp_path / "docs.jsonl", {"id": "a", "text": "one"}, {"id": "b"}, [], {"id": "a", "text": "two"})
    documents = read_documents(path)
    assert texts_of(documents) == {"a": "one"}
    assert [problem.kind for problem in documents.problems] == [
        ProblemKind.UNREADABLE,
        ProblemKind.UNREADABLE,
        ProblemKind.DOCUMENT_REPEATED,
    ]


def test_a_gold_file_keeps_its_spans(tmp_path):
    span = {"start": 0, "end": 3, "label": "PERSON"}
    path = write_lines(tmp_path / "gold.jsonl", {"id": "a", "text": "Ada", "spans": [span]})
    (document,) = read_documents(path).documents.values()
    assert [(span.start, span.label) for span in document.all_spans] == [(0, "PERSON")]


def test_documents_without_a_text_are_named(tmp_path):
    path = write_lines(tmp_path / "gold.jsonl", {"id": "a", "text": "Ada", "spans": []}, {"id": "b", "spans": []})
    documents = read_documents(path)
    assert list(documents.documents) == ["a"]
    assert [(problem.kind, problem.document) for problem in documents.problems] == [(ProblemKind.NOT_ANALYSED, "b")]


def make_folder(path):
    path.mkdir()


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda path: None, "no file or folder"),
        (make_folder, "no .txt files"),
        (lambda path: path.write_text(""), "can't be read"),
        (lambda path: path.write_text("nonsense"), "can't be read"),
        (lambda path: write_lines(path, {"id": "a", "spans": []}), "has no texts"),
    ],
)
def test_refuses_what_is_no_documents(tmp_path, make, match):
    path = tmp_path / "docs"
    make(path)
    with pytest.raises(DocumentsUnusable, match=match):
        read_documents(path)


def test_refuses_text_files_that_are_not_utf_8(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(DocumentsUnusable, match="not UTF-8"):
        read_documents(tmp_path)
