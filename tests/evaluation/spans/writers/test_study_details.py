"""The study's detailed evaluation agrees with its counts, and names who made each match."""

from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans.alignment import AlignedDocument
from evaluation.spans.label_files import load_preset
from evaluation.spans.labels import LabelMode
from evaluation.spans.records import LabelledSpan
from evaluation.spans.study import StudyCounts, count_as_study
from evaluation.spans.tables import build_tables, find_overlaps
from evaluation.spans.writers import detailed_evaluation, summarise

STUDY = load_preset("echr-study")
TEXT = "Ada Lovelace met Bo at Acme in Paris."

Written = tuple[int, int, str]


def aligned(
    gold: list[Written], predicted: list[Written], *, key: str = "a", text: str | None = TEXT
) -> AlignedDocument:
    first, second = (tuple(LabelledSpan(*span) for span in spans) for spans in (gold, predicted))
    return AlignedDocument(key, text, {"": first}, second)


def evaluated(gold: list[Written], predicted: list[Written], labels: LabelMode = LabelMode.STRICT) -> dict:
    (entry,) = detailed_evaluation([aligned(gold, predicted)], STUDY, labels)
    return entry["evaluation"]


def test_a_match_made_of_two_predictions_joins_their_texts():
    evaluation = evaluated([(0, 12, "PERSON")], [(0, 3, "PERSON"), (4, 12, "PERSON")])
    assert evaluation["true_positives"] == [
        {
            "start": 0, "end": 12, "label": "PERSON", "ground_truth_text": "Ada Lovelace",
            "presidio_spanned_text": "Ada + Lovelace", "presidio_labels": ["PERSON", "PERSON"],
            "coverage": 11 / 12, "match_type": "exact",
        }
    ]  # fmt: skip
    assert (evaluation["false_negatives"], evaluation["false_positives"]) == ([], [])


def test_missed_and_spurious_spans_are_listed_and_ignored_ones_are_not():
    evaluation = evaluated([(31, 36, "LOC"), (23, 27, "ORG")], [(17, 19, "PERSON"), (0, 3, "MISC")])
    assert evaluation["true_positives"] == []
    assert evaluation["false_negatives"] == [{"start": 31, "end": 36, "label": "LOC", "ground_truth_text": "Paris"}]
    assert evaluation["false_positives"] == [{"start": 17, "end": 19, "label": "PERSON", "presidio_spanned_text": "Bo"}]


def test_a_match_by_another_label_is_relaxed():
    evaluation = evaluated([(23, 27, "ORG")], [(23, 27, "LOC")], LabelMode.RELAXED)
    assert [entry["match_type"] for entry in evaluation["true_positives"]] == ["relaxed_org_loc"]


def test_a_prediction_belongs_to_the_first_gold_span_that_takes_it():
    evaluation = evaluated([(0, 5, "PERSON"), (3, 12, "PERSON")], [(0, 6, "PERSON"), (6, 12, "PERSON")])
    assert [entry["presidio_spanned_text"] for entry in evaluation["true_positives"]] == ["Ada Lo", "velace"]


def test_without_texts_the_quotes_stand_for_them():
    gold = LabelledSpan(0, 3, "PERSON", text="Ada")
    document = AlignedDocument("a", None, {"": (gold,)}, (LabelledSpan(0, 3, "PERSON"),))
    ((entry,),) = (
        item["evaluation"]["true_positives"] for item in detailed_evaluation([document], STUDY, LabelMode.STRICT)
    )
    assert (entry["ground_truth_text"], entry["presidio_spanned_text"]) == ("Ada", "")


def spans() -> st.SearchStrategy[list[Written]]:
    places = st.tuples(st.integers(0, 30), st.integers(1, 7), st.sampled_from(["PERSON", "LOC", "ORG", "MISC", "URL"]))
    return st.lists(places.map(lambda place: (place[0], place[0] + place[1], place[2])), max_size=8)


@given(st.lists(st.tuples(spans(), spans()), max_size=3), st.sampled_from([LabelMode.STRICT, LabelMode.RELAXED]))
def test_the_lists_are_as_long_as_the_counts(sides, labels):
    documents = [aligned(*side, key=str(number)) for number, side in enumerate(sides)]
    gold, predicted = build_tables([d.all_gold for d in documents], [d.predicted for d in documents])
    counts = count_as_study(gold, predicted, find_overlaps(gold, predicted), STUDY, labels=labels, threshold=0.3)
    entries = [entry["evaluation"] for entry in detailed_evaluation(documents, STUDY, labels)]
    lengths = [sum(len(e[key]) for e in entries) for key in ("true_positives", "false_positives", "false_negatives")]
    assert lengths == [counts.tp, counts.fp, counts.fn]
    matches = [match for entry in entries for match in entry["true_positives"]]
    assert all(match["coverage"] >= 0.3 and match["presidio_labels"] for match in matches)
    assert sum(match["match_type"] == "relaxed_org_loc" for match in matches) == counts.relaxed_matches


def test_the_summary_has_four_digits():
    text = summarise(StudyCounts(49_993, 7_679, 11_521, 2_270), 1014)
    assert text.splitlines() == [
        "Documents: 1014", "True positives: 49993 (relaxed: 2270)", "False positives: 7679", "False negatives: 11521",
        "Precision: 0.8669", "Recall: 0.8127", "F1: 0.8389",
    ]  # fmt: skip


def test_nothing_to_count_is_undefined():
    assert "Precision: undefined" in summarise(StudyCounts(0, 0, 0), 1)
