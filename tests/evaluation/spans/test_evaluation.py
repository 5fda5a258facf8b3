"""One call, one report: every definition, what was wrong with the files, and what to read with care."""

import pytest

from evaluation.spans import tables
from evaluation.spans.errors.lists import list_errors
from evaluation.spans.evaluation import NothingToScore, evaluate
from evaluation.spans.label_files import load_preset
from evaluation.spans.settings import FORMAT, Settings
from tests.evaluation.spans.files import make_file, make_layered_file

TEXT = "Ada Lovelace met Karl in Oslo on 3 May 1843. The court in Bergen was closed."
GOLD_SPANS = [(0, 12, "PERSON"), (17, 21, "PERSON"), (25, 29, "LOC"), (33, 43, "DATETIME"), (49, 64, "ORG")]
STUDY = Settings(load_preset("echr-study"), bootstrap=50)


def gold_file(documents=12, **fields):
    names = [f"d{number}" for number in range(documents)]
    return make_file(dict.fromkeys(names, GOLD_SPANS), texts=dict.fromkeys(names, TEXT), name="gold", **fields)


def predictions(spans, documents=12, name="system"):
    return make_file({f"d{number}": spans for number in range(documents)}, name=name)


def result_of(spans, settings=STUDY):
    return evaluate(gold_file(), [predictions(spans)], settings)["results"][0]


def by_key(result):
    return {definition["key"]: definition for definition in result["definitions"]}


def test_a_report_says_what_was_scored_and_how():
    report = evaluate(gold_file(), [predictions([(0, 12, "PERSON")])], STUDY, code_version="1.2")
    assert (report["format"], report["version"]) == (FORMAT, "1.2")
    assert report["gold"] | {"documents": 12, "spans": 60, "scored_spans": 48, "has_texts": True} == report["gold"]
    assert report["signature"] == report["systems"][0]["signature"]
    assert "labels:echr-study@" in report["signature"]


def test_perfect_predictions_score_one_by_every_definition():
    result = result_of(GOLD_SPANS)
    values = [definition[metric]["value"] for definition in result["definitions"] for metric in ("precision", "recall")]
    assert values == [1.0] * len(values)
    assert result["leakage"]["rate"]["value"] == 0
    assert result["tab"]["entity_recall"]["value"] == 1.0


def test_labels_are_mapped_by_the_scheme():
    spans = [(0, 12, "PERSON"), (17, 21, "PERSON"), (25, 29, "LOCATION"), (33, 43, "DATE_TIME")]
    assert by_key(result_of(spans))["r1-strict"]["f1"]["value"] == 1.0
    assert by_key(result_of(spans, Settings(bootstrap=0)))["r1-strict"]["f1"]["value"] < 1.0


def test_the_studys_phases_are_all_there():
    result = result_of([(0, 12, "PERSON"), (17, 21, "PERSON"), (25, 29, "LOCATION"), (58, 64, "LOCATION")])
    strict, relaxed, phase1 = (result["compat"][name] for name in ("strict", "relaxed", "phase1"))
    assert [strict[name] for name in ("tp", "fp", "fn")] == [36, 12, 12]
    assert [relaxed[name] for name in ("tp", "fp", "fn", "relaxed_matches")] == [48, 0, 12, 12]
    assert relaxed["denominator_growth"] == 12
    assert [phase1[name] for name in ("tp", "fp", "fn")] == [24, 24, 24]


def test_the_artefact_of_relaxed_recall_is_told():
    report = evaluate(gold_file(), [predictions([(58, 64, "LOCATION")])], STUDY)
    assert "relaxed-recall" in [warning["key"] for warning in report["warnings"]]


def test_nothing_predicted_is_undefined_not_zero():
    result = result_of([])
    assert result["micro"]["precision"]["value"] is None
    assert result["micro"]["precision"]["reason"]
    assert result["micro"]["recall"]["value"] == 0.0


def test_each_annotator_counts_and_the_study_puts_them_in_one_list():
    layers = {"ann": [(0, 6, "LOC")], "bob": [(0, 6, "LOC")]}
    gold = make_layered_file({f"d{number}": layers for number in range(3)})
    report = evaluate(gold, [predictions([(0, 6, "LOC")], documents=3)], STUDY)
    definitions = by_key(report["results"][0])
    assert [definitions["r1-strict"][name] for name in ("gold", "matched", "predicted", "used")] == [6, 6, 6, 6]
    assert [definitions["compat-strict"][name] for name in ("gold", "matched")] == [6, 3]
    assert "several-annotators" in [warning["key"] for warning in report["warnings"]]


def test_several_annotators_of_different_documents_need_no_caution():
    gold = make_layered_file({"a": {"ann": []}, "b": {"bob": []}})
    report = evaluate(gold, [make_file({"a": [], "b": []})], STUDY)
    assert "several-annotators" not in [warning["key"] for warning in report["warnings"]]


def test_two_systems_are_compared_on_the_same_documents():
    systems = [predictions(GOLD_SPANS, name="good"), predictions(GOLD_SPANS[:1], name="poor")]
    report = evaluate(gold_file(), systems, STUDY)
    f1 = next(item for item in report["comparisons"] if item["metric"] == "micro_f1")
    assert (f1["first"], f1["second"]) == ("good", "poor")
    assert f1["difference"]["value"] > 0


def test_files_of_one_name_stay_apart():
    report = evaluate(gold_file(), [predictions([]), predictions([]), predictions([])], STUDY)
    assert [system["name"] for system in report["systems"]] == ["system", "system (2)", "system (3)"]
    assert [result["system"] for result in report["results"]] == ["system", "system (2)", "system (3)"]


def test_what_is_on_one_side_only_is_named():
    report = evaluate(gold_file(), [predictions([], documents=11)], STUDY)
    (problem,) = [problem for problem in report["problems"] if problem["kind"] == "only-in-gold"]
    assert (problem["count"], problem["examples"][0]["document"]) == (1, "d11")
    assert report["gold"]["documents"] == 12


def test_skipping_scores_what_all_systems_have():
    systems = [predictions([], documents=11), predictions([], documents=10, name="other")]
    report = evaluate(gold_file(), systems, Settings(missing="skip", bootstrap=0))
    assert report["gold"]["documents"] == 10


def test_labels_that_gold_never_uses_are_named():
    report = evaluate(gold_file(), [predictions([(0, 3, "URL")])], STUDY)
    assert report["systems"][0]["unmapped"] == {"URL": 12}
    assert "unknown-label" in [problem["kind"] for problem in report["problems"]]


@pytest.mark.parametrize(
    ("gold", "systems"),
    [(make_file({}), [make_file({"a": []})]), (make_file({"a": []}), [])],
    ids=["no gold", "no predictions"],
)
def test_nothing_to_score_is_said(gold, systems):
    with pytest.raises(NothingToScore):
        evaluate(gold, systems, STUDY)


def test_no_document_in_common_is_said():
    with pytest.raises(NothingToScore):
        evaluate(make_file({"a": []}), [make_file({"b": []})], Settings(missing="skip"))


def test_more_overlaps_than_can_be_compared_are_refused(monkeypatch):
    monkeypatch.setattr(tables.find_overlaps, "__kwdefaults__", {"max_pairs": 3})
    with pytest.raises(NothingToScore, match="at most 3"):
        evaluate(gold_file(), [predictions(GOLD_SPANS)], STUDY)


def test_without_texts_the_rest_is_scored():
    gold = make_file({"a": GOLD_SPANS})
    report = evaluate(gold, [make_file({"a": GOLD_SPANS})], STUDY)
    assert report["results"][0]["tab"] is None
    assert report["results"][0]["tab_reason"]
    assert report["results"][0]["tokens"]["unit"] == "characters"
    assert "no-texts" in [warning["key"] for warning in report["warnings"]]


def test_the_same_inputs_give_the_same_report():
    systems = [predictions([(0, 10, "PERSON")], name="one"), predictions([(25, 29, "LOC")], name="other")]
    assert evaluate(gold_file(), systems, STUDY) == evaluate(gold_file(), systems, STUDY)


def test_errors_are_counted_in_the_report_and_listed_with_their_context():
    gold, system = gold_file(), predictions([(0, 12, "PERSON"), (22, 24, "LOC"), (25, 29, "PERSON")])
    result = evaluate(gold, [system], STUDY)["results"][0]
    assert result["errors"]["counts"] == {"missed": 24, "spurious": 12, "wrong_type": 12, "boundary": 0}
    items = list_errors(gold, system, STUDY)
    assert {item["text"] for item in items if item["kind"] == "wrong_type"} == {"Oslo"}
    assert "Oslo" not in str(result["confusion"])


def test_suspects_are_listed_like_errors():
    names = [f"d{number}" for number in range(6)]
    gold = make_file(
        {name: [(0, 4, "LOC")] if name != "d5" else [] for name in names}, texts=dict.fromkeys(names, "Oslo is far.")
    )
    items = list_errors(gold, predictions([], documents=6), STUDY)
    suspects = [item for item in items if item["kind"] == "unlabelled"]
    assert [(item["document"], item["text"]) for item in suspects] == [("d5", "Oslo")]
    assert set(suspects[0]) == set(items[0])
