"""The ECHR study's own files: annotations, and Presidio's output beside them."""

from evaluation.spans.records import ProblemKind
from tests.evaluation.spans.readers.files import TEXT, kinds, read_json, spans_of

ADA = {"start_offset": 0, "end_offset": 3, "entity_type": "PERSON", "span_text": "Ada", "identifier_type": "DIRECT"}
PARIS = {"start_offset": 14, "end_offset": 19, "entity_type": "LOC"}
DETECTED = {"label": "LOCATION", "text": "Paris", "start": 14, "end": 19}


def document(*annotations: object, **more: object) -> dict[str, object]:
    return {"doc_id": "a", "text": TEXT, "annotations": list(annotations), **more}


def test_annotations_are_one_layer_in_the_order_of_the_file(tmp_path):
    file = read_json(tmp_path, [document(PARIS, ADA, PARIS)])
    assert file.format == "echr-annotations"
    assert dict.fromkeys(file.documents["a"].layers) == {"": None}
    assert spans_of(file) == [(14, 19, "LOC"), (0, 3, "PERSON"), (14, 19, "LOC")]
    assert kinds(file) == {ProblemKind.DUPLICATE: 1}


def test_named_annotators_are_layers(tmp_path):
    file = read_json(tmp_path, [document({**PARIS, "annotator": "y"}, {**ADA, "annotator": "x"})])
    assert list(file.documents["a"].layers) == ["y", "x"]
    assert file.documents["a"].all_spans[1].identifier == "DIRECT"


def test_annotators_who_take_turns_keep_the_order_of_the_list(tmp_path):
    turns = [{**PARIS, "annotator": "y"}, {**ADA, "annotator": "x"}, {**ADA, "annotator": "y"}]
    assert spans_of(read_json(tmp_path, [document(*turns)])) == [(14, 19, "LOC"), (0, 3, "PERSON"), (0, 3, "PERSON")]


def test_the_output_holds_both_sides(tmp_path):
    output = [document(ADA, presidio_detected_pii=[DETECTED], presidio_anonymized_text="…")]
    assert spans_of(read_json(tmp_path, output, side="gold")) == [(0, 3, "PERSON")]
    predictions = read_json(tmp_path, output, side="predictions")
    assert (predictions.format, spans_of(predictions)) == ("echr-output", [(14, 19, "LOCATION")])


def test_a_document_that_presidio_never_saw_is_no_document_without_detections(tmp_path):
    output = [document(ADA, presidio_detected_pii=[]), {**document(ADA), "doc_id": "b"}]
    file = read_json(tmp_path, output, side="predictions")
    assert list(file.documents) == ["a"]
    assert "presidio_detected_pii" in file.problems[0].detail


def test_annotations_alone_can_be_scored_as_predictions(tmp_path):
    assert spans_of(read_json(tmp_path, [document(ADA)], side="predictions")) == [(0, 3, "PERSON")]
