"""The Text Anonymization Benchmark keeps annotators, identifier types and entities apart."""

from evaluation.spans.records import ProblemKind
from tests.evaluation.spans.readers.files import TEXT, kinds, read_json, spans_of

ADA = {
    "entity_type": "PERSON", "start_offset": 0, "end_offset": 3, "span_text": "Ada", "identifier_type": "DIRECT",
    "entity_id": "e1",
}  # fmt: skip
PARIS = {"entity_type": "LOC", "start_offset": 14, "end_offset": 19, "span_text": "Paris", "entity_id": "e2"}


def document(**annotations: object) -> dict[str, object]:
    return {"doc_id": "a", "text": TEXT, "annotations": annotations}


def test_each_annotator_is_a_layer_in_the_order_of_the_file(tmp_path):
    file = read_json(tmp_path, [document(b={"entity_mentions": [ADA]}, a={"entity_mentions": [PARIS, ADA]})])
    assert file.format == "tab"
    assert list(file.documents["a"].layers) == ["b", "a"]
    assert spans_of(file) == [(0, 3, "PERSON"), (14, 19, "LOC"), (0, 3, "PERSON")]
    assert file.has_texts


def test_details_are_kept(tmp_path):
    (span,) = read_json(tmp_path, [document(a={"entity_mentions": [ADA]})]).documents["a"].all_spans
    assert (span.text, span.identifier, span.entity) == ("Ada", "DIRECT", "e1")


def test_an_annotator_without_mentions_stays(tmp_path):
    file = read_json(tmp_path, [document(a={"entity_mentions": []})])
    assert dict(file.documents["a"].layers) == {"a": ()}


def test_as_predictions_it_has_one_layer(tmp_path):
    file = read_json(
        tmp_path, [document(b={"entity_mentions": [ADA]}, a={"entity_mentions": [PARIS]})], side="predictions"
    )
    assert {name: len(spans) for name, spans in file.documents["a"].layers.items()} == {"": 2}


def test_what_is_wrong_in_one_annotator_leaves_the_other(tmp_path):
    broken = {"entity_mentions": "none"}
    file = read_json(tmp_path, [document(a={"entity_mentions": [ADA, 7, None]}, b=broken, c=[])])
    assert list(file.documents["a"].layers) == ["a"]
    assert kinds(file) == {ProblemKind.UNREADABLE: 4}


def test_a_document_without_annotators_is_set_aside(tmp_path):
    file = read_json(tmp_path, [document(a={"entity_mentions": [ADA]}), {"doc_id": "b", "text": TEXT}])
    assert list(file.documents) == ["a"]
    assert "Record 2" in file.problems[0].detail
