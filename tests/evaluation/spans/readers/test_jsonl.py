"""Our own JSON lines: one document a line."""

from evaluation.spans.records import ProblemKind
from tests.evaluation.spans.readers.files import TEXT, kinds, read_json, read_lines, read_text, spans_of

ADA = {"start": 0, "end": 3, "label": "PERSON", "score": 0.9, "text": "Ada"}


def test_documents_are_read_with_and_without_texts(tmp_path):
    file = read_lines(tmp_path, {"id": "a", "text": TEXT, "spans": [ADA]}, {"doc_id": 7, "spans": []})
    assert (file.format, list(file.documents)) == ("jsonl", ["a", "7"])
    assert spans_of(file) == [(0, 3, "PERSON")]
    assert not file.has_texts


def test_a_single_line_and_a_list_are_read_alike(tmp_path):
    document = {"id": "a", "text": TEXT, "spans": [ADA]}
    assert read_lines(tmp_path, document).documents == read_json(tmp_path, [document]).documents


def test_spans_may_name_their_annotator(tmp_path):
    spans = [{**ADA, "annotator": "x"}, {**ADA, "annotator": "y"}]
    file = read_lines(tmp_path, {"id": "a", "text": TEXT, "annotators": ["w", "x"], "spans": spans})
    assert {name: len(layer) for name, layer in file.documents["a"].layers.items()} == {"w": 0, "x": 1, "y": 1}


def test_lines_that_cannot_be_read_are_set_aside(tmp_path):
    good = '{"id": "a", "spans": []}\n'
    file = read_text(tmp_path, good + '{"id": "b", "spa\n\n7\n"x"\n{"id": "c"}\n{"spans": []}\n{"id": [], "spans": []}')
    assert list(file.documents) == ["a"]
    assert [problem.detail.partition(":")[0] for problem in file.problems] == [
        "Line 2", "Line 4", "Line 5", "Line 6", "Line 7", "Line 8",
    ]  # fmt: skip
    assert kinds(file) == {ProblemKind.UNREADABLE: 6}


def test_an_id_that_stands_twice_counts_once(tmp_path):
    file = read_lines(tmp_path, {"id": "1", "spans": [ADA]}, {"id": 1, "spans": []})
    assert spans_of(file, "1") == [(0, 3, "PERSON")]
    assert kinds(file) == {ProblemKind.DOCUMENT_REPEATED: 1}
