"""Gold and predictions brought together."""

from evaluation.spans.alignment import MissingPolicy, align, scored_ids
from evaluation.spans.labels import LabelScheme
from evaluation.spans.records import ProblemKind
from tests.evaluation.spans.files import make_file, make_layered_file, make_spans

SCHEME = LabelScheme("test", mapping={"LOCATION": "LOC"})


def test_documents_are_paired_by_id_in_the_order_of_gold():
    gold = make_file({"b": [(0, 3, "LOC")], "a": []})
    alignment = align(gold, make_file({"a": [(0, 1, "PER")], "b": [(0, 3, "LOCATION")]}), SCHEME)
    assert [document.id for document in alignment.documents] == ["b", "a"]
    assert alignment.documents[0].predicted == make_spans((0, 3, "LOC"))
    assert alignment.problems == ()


def test_both_sides_are_mapped():
    alignment = align(make_file({"a": [(0, 3, "LOCATION")]}), make_file({"a": [(0, 3, "PERSON")]}), SCHEME)
    assert alignment.documents[0].all_gold == make_spans((0, 3, "LOC"))
    assert alignment.documents[0].predicted == make_spans((0, 3, "PERSON"))


def test_a_gold_document_without_predictions_counts_as_one_with_nothing_detected():
    alignment = align(make_file({"a": [(0, 3, "LOC")], "b": []}), make_file({"b": []}), SCHEME)
    assert [document.predicted for document in alignment.documents] == [(), ()]
    assert [(problem.kind, problem.document) for problem in alignment.problems] == [(ProblemKind.ONLY_IN_GOLD, "a")]


def test_it_can_be_skipped_but_never_in_silence():
    gold, predictions = make_file({"a": [(0, 3, "LOC")], "b": []}), make_file({"b": []})
    ids = scored_ids(gold, [predictions], MissingPolicy.SKIP)
    alignment = align(gold, predictions, SCHEME, ids)
    assert [document.id for document in alignment.documents] == ["b"]
    assert [problem.document for problem in alignment.problems] == ["a"]


def test_a_document_without_annotators_counts_as_one_without_spans():
    alignment = align(make_layered_file({"a": {}}), make_file({"a": []}), SCHEME)
    assert [*alignment.documents[0].gold.values()] == [()]


def test_predictions_without_gold_are_named():
    alignment = align(make_file({"a": []}), make_file({"a": [], "c": [(0, 1, "LOC")]}), SCHEME)
    assert [document.id for document in alignment.documents] == ["a"]
    assert [(p.kind, p.document) for p in alignment.problems] == [(ProblemKind.ONLY_IN_PREDICTIONS, "c")]


def test_annotators_keep_their_layers_and_follow_one_another():
    gold = make_layered_file({"a": {"ann": [(5, 9, "PER")], "bob": [(0, 3, "LOC")]}, "b": {"bob": []}})
    alignment = align(gold, make_file({"a": [], "b": []}), SCHEME)
    assert alignment.annotators == ("ann", "bob")
    assert alignment.documents[0].all_gold == make_spans((5, 9, "PER"), (0, 3, "LOC"))


def test_the_text_may_come_from_either_side():
    gold = make_file({"a": []}, texts={"a": "Oslo"})
    assert align(gold, make_file({"a": []}), SCHEME).has_texts
    assert align(make_file({"a": []}), gold, SCHEME).documents[0].text == "Oslo"
    assert not align(make_file({"a": []}), make_file({"a": []}), SCHEME).has_texts
