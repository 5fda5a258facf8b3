"""The demo's own gold standard: well-formed, readable, and with something of everything in it."""

import json

import pytest

from evaluation.spans.demo.cases import PREDICTIONS, BadMarkup, load_cases, read_case
from evaluation.spans.readers import read_spans


def test_takes_the_brackets_out_and_keeps_the_places():
    case = read_case("x", " Ask [[PERSON:D:eve|Eve]] in [[LOC:Q:town|Bonn]]. ", ["a"])
    assert case.text == "Ask Eve in Bonn."
    assert [case.text[m.start : m.end] for m in case.mentions] == ["Eve", "Bonn"]
    assert [(m.label, m.identifier, m.entity) for m in case.mentions] == [
        ("PERSON", "DIRECT", "eve"),
        ("LOC", "QUASI", "town"),
    ]


def test_annotators_may_mark_different_boundaries():
    case = read_case("x", "[[PERSON:D:eve:b|Ms [[PERSON:D:eve:a|Eve]]]] left", ["a", "b"])
    layers = case.as_tab()["annotations"]
    assert {name: [m["span_text"] for m in layer["entity_mentions"]] for name, layer in layers.items()} == {
        "a": ["Eve"],
        "b": ["Ms Eve"],
    }


@pytest.mark.parametrize("text", ["[[PERSON:D:eve|Eve", "Eve]]"])
def test_refuses_brackets_without_a_partner(text):
    with pytest.raises(BadMarkup):
        read_case("x", text, ["a"])


def test_there_is_something_of_everything():
    cases = load_cases()
    mentions = [mention for case in cases for mention in case.mentions]
    assert len(cases) >= 12
    assert sum(len(case.annotators) == 2 for case in cases) >= 3
    assert {m.label for m in mentions} == {
        "PERSON", "LOC", "ORG", "DATETIME", "CODE", "DEM", "QUANTITY", "MISC",
    }  # fmt: skip
    assert {m.identifier for m in mentions} == {"DIRECT", "QUASI", "NO_MASK"}
    assert not any("[[" in case.text or "]]" in case.text for case in cases)


def test_the_readers_find_nothing_to_complain_about(tmp_path):
    path = tmp_path / "gold.json"
    path.write_text(json.dumps([case.as_tab() for case in load_cases()]))
    gold = read_spans(path)
    predictions = read_spans(PREDICTIONS, texts={case.id: case.text for case in load_cases()})
    assert (gold.format, gold.problems) == ("tab", ())
    assert [problem for problem in predictions.problems if problem.kind != "overlapping"] == []
    assert list(gold.documents) == list(predictions.documents) == [case.id for case in load_cases()]
