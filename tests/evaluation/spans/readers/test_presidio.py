"""Presidio's results, by document or by line."""

import pytest

from tests.evaluation.spans.readers.files import read_json, read_lines, spans_of

ADA = {"entity_type": "PERSON", "start": 0, "end": 3, "score": 0.85, "analysis_explanation": None}


@pytest.mark.parametrize("key", ["results", "analyzer_results", "recognizer_results"])
def test_lines_with_an_id_and_results(tmp_path, key):
    file = read_lines(tmp_path, {"doc_id": "a", key: [ADA]}, {"doc_id": "b", key: []})
    assert (file.format, list(file.documents), spans_of(file)) == ("presidio", ["a", "b"], [(0, 3, "PERSON")])


def test_results_by_document(tmp_path):
    file = read_json(tmp_path, {"b": [], "a": [ADA]})
    assert (file.format, list(file.documents)) == ("presidio", ["b", "a"])
    assert [span.score for span in file.documents["a"].all_spans] == [0.85]


def test_bare_lists_go_by_their_number(tmp_path):
    assert list(read_lines(tmp_path, [ADA], [], [ADA]).documents) == ["1", "2", "3"]
    assert list(read_json(tmp_path, [[ADA], []]).documents) == ["1", "2"]
