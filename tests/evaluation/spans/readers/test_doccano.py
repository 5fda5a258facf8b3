"""doccano's JSON lines, old and new."""

import pytest

from evaluation.spans.records import ProblemKind
from tests.evaluation.spans.readers.files import TEXT, kinds, read_lines, spans_of

ENTITY = {"id": 5, "label": "PERSON", "start_offset": 0, "end_offset": 3}


@pytest.mark.parametrize(
    "record",
    [
        {"text": TEXT, "label": [[0, 3, "PERSON"]]},
        {"data": TEXT, "label": [[0, 3, "PERSON"]], "Comments": []},
        {"text": TEXT, "labels": [[0, 3, "PERSON"]], "meta": {}, "annotation_approver": None},
        {"text": TEXT, "entities": [ENTITY], "relations": [], "Comments": []},
    ],
)
def test_every_form_is_read(tmp_path, record):
    file = read_lines(tmp_path, {"id": 12, **record}, {"id": 13, **record})
    assert (file.format, list(file.documents), file.has_texts) == ("doccano", ["12", "13"], True)
    assert spans_of(file, "12") == [(0, 3, "PERSON")]


def test_the_oldest_form_has_users_and_numbers_for_labels(tmp_path):
    spans = [{"label": 3, "start_offset": 0, "end_offset": 3, "user": user} for user in (1, 2)]
    file = read_lines(tmp_path, {"id": 1, "text": TEXT, "annotations": spans, "meta": {}})
    assert {name: len(layer) for name, layer in file.documents["1"].layers.items()} == {"1": 1, "2": 1}
    assert spans_of(file, "1")[0] == (0, 3, "3")


def test_without_ids_documents_go_by_their_line(tmp_path):
    file = read_lines(tmp_path, {"text": TEXT, "label": []}, {"text": TEXT, "label": [[0, 3, "PERSON"]]})
    assert list(file.documents) == ["1", "2"]


def test_a_line_without_labels_is_set_aside(tmp_path):
    file = read_lines(tmp_path, {"text": TEXT, "label": []}, {"text": TEXT}, {"text": 7, "label": []})
    assert kinds(file) == {ProblemKind.UNREADABLE: 2}
