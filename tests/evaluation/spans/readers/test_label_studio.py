"""Label Studio: whole tasks and JSON_MIN."""

from typing import Any

from evaluation.spans.records import ProblemKind
from tests.evaluation.spans.readers.files import TEXT, kinds, read_json, spans_of


def region(start: int, end: int, *labels: str, **more: object) -> dict[str, Any]:
    value = {"start": start, "end": end, "text": TEXT[start:end], "labels": list(labels)}
    return {"type": "labels", "from_name": "label", "to_name": "text", "value": value, **more}


def task(*annotations: object, **more: object) -> dict[str, Any]:
    return {"id": 31, "data": {"text": TEXT, "doc_id": "a"}, "annotations": list(annotations), **more}


def test_annotators_are_layers_and_two_labels_are_two_spans(tmp_path):
    first = {"completed_by": 4, "result": [region(0, 3, "PERSON")]}
    second = {"completed_by": {"id": 5, "email": "x@example.org"}, "result": [region(14, 19, "LOC", "ORG")]}
    cancelled = {"completed_by": 6, "was_cancelled": True, "result": [region(0, 3, "LOC")]}
    file = read_json(tmp_path, [task(first, second, cancelled)])
    assert (file.format, list(file.documents["a"].layers)) == ("label-studio", ["4", "x@example.org"])
    assert spans_of(file) == [(0, 3, "PERSON"), (14, 19, "LOC"), (14, 19, "ORG")]


def test_other_results_than_regions_are_skipped(tmp_path):
    choice = {"type": "choices", "value": {"choices": ["good"]}}
    relation = {"type": "relation", "from_id": "x", "to_id": "y"}
    file = read_json(tmp_path, [task({"result": [choice, relation, region(0, 3, "PERSON")]})])
    assert (spans_of(file), file.problems) == ([(0, 3, "PERSON")], ())


def test_predictions_are_read_for_the_other_side(tmp_path):
    model = {"model_version": "m1", "result": [region(14, 19, "LOC", score=0.5)]}
    tasks = [task({"result": [region(0, 3, "PERSON")]}, predictions=[model]), {**task(), "data": {"text": TEXT}}]
    file = read_json(tmp_path, tasks, side="predictions")
    assert (spans_of(file), spans_of(file, "31")) == ([(14, 19, "LOC")], [])
    assert file.documents["a"].all_spans[0].score == 0.5


def test_without_predictions_the_annotations_are_the_predictions(tmp_path):
    file = read_json(tmp_path, [task({"completed_by": 1, "result": [region(0, 3, "PERSON")]})], side="predictions")
    assert dict(file.documents["a"].layers)[""][0].label == "PERSON"


def test_old_completions_other_fields_and_html_are_read(tmp_path):
    value = {
        "start": "/div[1]",
        "end": "/div[1]",
        "globalOffsets": {"start": 0, "end": 3},
        "hypertextlabels": ["PERSON"],
    }
    result = {"type": "hypertextlabels", "value": value}
    old = {"id": 7, "data": {"title": "T", "body": TEXT}, "completions": [{"result": [result]}]}
    file = read_json(tmp_path, [old])
    assert (spans_of(file, "7"), file.documents["7"].text) == ([(0, 3, "PERSON")], TEXT)


def test_broken_parts_leave_the_rest(tmp_path):
    tasks = [task(7, {"result": None}, {"result": [8, region(0, 3, "PERSON")]}), {"id": 9}]
    file = read_json(tmp_path, tasks)
    assert spans_of(file) == [(0, 3, "PERSON")]
    assert kinds(file) == {ProblemKind.UNREADABLE: 4}


def minimal(annotator: int, *regions: dict[str, Any]) -> dict[str, Any]:
    values = [item["value"] for item in regions]
    return {"id": 31, "text": TEXT, "annotator": annotator, "annotation_id": annotator, "entities": values}


def test_minimal_exports_have_one_object_per_annotator(tmp_path):
    rows = [minimal(1, region(0, 3, "PERSON")), minimal(2, region(14, 19, "LOC"))]
    file = read_json(tmp_path, rows)
    assert (file.format, list(file.documents["31"].layers)) == ("label-studio-min", ["1", "2"])
    assert file.problems == ()
    flat = read_json(tmp_path, rows, side="predictions")
    assert [len(layer) for layer in flat.documents["31"].layers.values()] == [2]


def test_the_same_annotator_twice_counts_once(tmp_path):
    file = read_json(tmp_path, [minimal(1, region(0, 3, "PERSON")), minimal(1, region(14, 19, "LOC"))])
    assert spans_of(file, "31") == [(0, 3, "PERSON")]
    assert kinds(file) == {ProblemKind.DOCUMENT_REPEATED: 1}
