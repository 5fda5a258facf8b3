"""`{document: [[start, end, label, score], …]}` in JSON and JSON lines."""

import pytest

from evaluation.spans.records import ProblemKind
from tests.evaluation.spans.readers.files import TEXT, kinds, read_json, read_lines, read_text, spans_of


def test_label_and_score_may_be_missing(tmp_path):
    file = read_json(tmp_path, {"a": [[0, 3], [8, 10, "PERSON"], [14, 19, "LOC", 0.85]], "b": []})
    assert file.format == "plain"
    assert spans_of(file) == [(0, 3, ""), (8, 10, "PERSON"), (14, 19, "LOC")]
    assert [span.score for span in file.documents["a"].all_spans] == [None, None, 0.85]
    assert spans_of(file, "b") == []


def test_lines_hold_one_document_or_more(tmp_path):
    file = read_lines(tmp_path, {"a": [[0, 3, "PERSON"]]}, {"b": [], "c": [[8, 10]]})
    assert (file.format, list(file.documents)) == ("plain", ["a", "b", "c"])


def test_given_texts_set_the_range(tmp_path):
    file = read_json(tmp_path, {"a": [[0, 3], [14, 21]], "b": [[0, 99]]}, texts={"a": TEXT})
    assert (spans_of(file), spans_of(file, "b")) == ([(0, 3, "")], [(0, 99, "")])
    assert kinds(file) == {ProblemKind.OUT_OF_RANGE: 1}


def test_a_document_that_stands_twice_counts_once(tmp_path):
    file = read_text(tmp_path, '{"a": [[0, 3]], "b": [], "a": [[5, 9]], "a": []}')
    assert spans_of(file) == [(0, 3, "")]
    assert kinds(file) == {ProblemKind.DOCUMENT_REPEATED: 2}


@pytest.mark.parametrize("item", [[1], [0, 3, "A", 0.5, 9], "0-3", None, 7, [[0, 3]]])
def test_a_wrong_span_is_set_aside(tmp_path, item):
    file = read_json(tmp_path, {"z": [[0, 3]], "a": [item, [8, 10, "X"]]})
    assert spans_of(file) == [(8, 10, "X")]
    assert kinds(file) == {ProblemKind.UNREADABLE: 1}


def test_a_document_whose_spans_are_no_list_is_reported(tmp_path):
    file = read_json(tmp_path, {"a": [[0, 3]], "b": 7})
    assert spans_of(file, "b") == []
    assert kinds(file) == {ProblemKind.UNREADABLE: 1}
