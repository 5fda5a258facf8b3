"""Matching: examples worked out by hand. A case gives (true positives, false positives, false negatives)."""

import pytest

from evaluation.spans.labels import IgnorePolicy, LabelMode
from evaluation.spans.matching import GoldState, Matching, Method, PredictionState
from tests.evaluation.spans.cases import match_text, rule

COMPAT_STRICT = rule(Method.COMPAT)
COMPAT_RELAXED = rule(Method.COMPAT, LabelMode.RELAXED)
R1_STRICT = rule()
CASES = {  # gold, predicted, compat strict, compat relaxed, R1 strict
    "boundary": ("PERSON 253-271", "PERSON 256-271", (1, 0, 0), (1, 0, 0), (1, 0, 0)),
    "overlong": ("DATETIME 0-10", "DATETIME 0-40", (1, 0, 0), (1, 0, 0), (0, 1, 1)),
    "one over two": ("PERSON 0-5, PERSON 9-14", "PERSON 0-14", (1, 0, 1), (1, 0, 1), (1, 0, 1)),
    "compound": ("PERSON 0-20", "PERSON 0-4, PERSON 5-9", (1, 0, 0), (1, 0, 0), (1, 0, 0)),
    "duplicate predictions": ("PERSON 0-20", "PERSON 0-4, PERSON 0-4", (1, 0, 0), (1, 0, 0), (0, 1, 1)),
    "two annotators in one list": ("LOC 0-6, LOC 0-6", "LOC 0-6", (1, 0, 1), (1, 0, 1), (1, 0, 1)),
    "one of two annotators": ("LOC 0-6", "LOC 0-6", (1, 0, 0), (1, 0, 0), (1, 0, 0)),
    "ORG and LOC": ("ORG 0-10", "LOC 0-10", (0, 1, 0), (1, 0, 0), (0, 0, 0)),
    "ORG missed": ("ORG 0-10", "", (0, 0, 0), (0, 0, 0), (0, 0, 0)),
    "unmapped": ("", "URL 0-5", (0, 1, 0), (0, 1, 0), (0, 1, 0)),
}


def counts(matching: Matching) -> tuple[int, int, int]:
    missed, spurious = matching.gold == GoldState.MISSED, matching.predicted == PredictionState.SPURIOUS
    return int(matching.is_matched.sum()), int(spurious.sum()), int(missed.sum())


@pytest.mark.parametrize(("gold", "predicted", "strict", "relaxed", "r1"), CASES.values(), ids=CASES)
def test_worked_examples(gold, predicted, strict, relaxed, r1):
    assert counts(match_text(gold, predicted, COMPAT_STRICT)) == strict
    assert counts(match_text(gold, predicted, COMPAT_RELAXED)) == relaxed
    assert counts(match_text(gold, predicted, R1_STRICT)) == r1


def test_ignored_gold_is_missed_when_nothing_is_ignored():
    assert counts(match_text("ORG 0-10", "", rule(ignore=IgnorePolicy.NONE))) == (0, 0, 1)


def test_a_prediction_over_two_gold_spans_is_merged():
    assert match_text("PERSON 0-5, PERSON 9-14", "PERSON 0-14", R1_STRICT).merged == 1
    assert match_text("PERSON 0-5, PERSON 9-14", "PERSON 0-10", R1_STRICT).merged == 0  # a character of the second


def test_a_compound_uses_all_its_predictions():
    matching = match_text("PERSON 0-20", "PERSON 0-4, PERSON 5-9", R1_STRICT)
    assert matching.gold.tolist() == [GoldState.COMPOUND]
    assert matching.predicted.tolist() == [PredictionState.CONTRIBUTED] * 2
    assert matching.partners.tolist() == [0]


def test_relaxed_compat_takes_what_a_later_gold_span_needs():
    """How 12 locations of the study were lost: an ORG listed earlier took their prediction."""
    gold, predicted = "ORG 0-10, LOC 2-8", "LOC 0-10"
    strict, relaxed = match_text(gold, predicted, COMPAT_STRICT), match_text(gold, predicted, COMPAT_RELAXED)
    assert strict.gold.tolist() == [GoldState.IGNORED, GoldState.MATCHED]
    assert relaxed.gold.tolist() == [GoldState.MATCHED, GoldState.MISSED]
    assert relaxed.relaxed.tolist() == [True, False]


def test_a_compat_match_is_relaxed_if_any_contributor_has_another_label():
    matching = match_text("LOC 0-10", "LOC 0-5, ORG 6-10", COMPAT_RELAXED)
    assert matching.relaxed.tolist() == [True]
    assert matching.partners.tolist() == [0]


def test_compat_takes_useless_contributors_too():
    matching = match_text("PERSON 0-10, PERSON 10-20", "PERSON 0-10, PERSON 9-20", COMPAT_STRICT)
    assert matching.gold.tolist() == [GoldState.COMPOUND, GoldState.MISSED]


def test_compat_adds_up_shared_characters_twice():
    assert counts(match_text("PERSON 0-20", "PERSON 0-3, PERSON 0-4", COMPAT_STRICT)) == (1, 0, 0)


def test_compat_skips_empty_gold():
    assert match_text("PERSON 5-5", "PERSON 0-9", COMPAT_STRICT).gold.tolist() == [GoldState.IGNORED]


def test_compat_ignores_predictions_of_ignored_types_only_while_unused():
    matching = match_text("LOC 0-5", "ORG 0-5, ORG 20-25, CODE 30-35", COMPAT_RELAXED)
    assert matching.predicted.tolist() == [
        PredictionState.MATCHED, PredictionState.IGNORED, PredictionState.IGNORED
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("policy", "gold", "predicted"),
    [
        (
            IgnorePolicy.STUDY,
            [GoldState.MATCHED, GoldState.IGNORED],
            [PredictionState.MATCHED, PredictionState.SPURIOUS],
        ),
        (IgnorePolicy.SYMMETRIC, [GoldState.IGNORED] * 2, [PredictionState.IGNORED] * 2),
        (IgnorePolicy.NONE, [GoldState.MATCHED, GoldState.MISSED], [PredictionState.MATCHED, PredictionState.SPURIOUS]),
    ],
)
def test_policies_for_ignored_types(policy, gold, predicted):
    matching = match_text("ORG 0-10, ORG 20-30", "ORG 0-10, PERSON 25-35", rule(ignore=policy))
    assert (matching.gold.tolist(), matching.predicted.tolist()) == (gold, predicted)


@pytest.mark.parametrize(("end", "state"), [(30, PredictionState.IGNORED), (31, PredictionState.SPURIOUS)])
def test_a_zone_takes_predictions_that_lie_at_least_half_inside(end, state):
    assert match_text("ORG 10-20", f"PERSON 10-{end}", R1_STRICT).predicted.tolist() == [state]


def test_a_match_outweighs_a_zone():
    matching = match_text("ORG 0-10, PERSON 0-10", "PERSON 0-10", R1_STRICT)
    assert matching.predicted.tolist() == [PredictionState.MATCHED]
    assert matching.partners.tolist() == [-1, 0]


def test_duplicates_keep_the_highest_score_and_are_dropped():
    matching = match_text("PERSON 0-5", "PERSON 0-5, PERSON 0-5, LOC 8-9, LOC 8-9", R1_STRICT)
    assert sorted(matching.predicted.tolist()) == [
        PredictionState.SPURIOUS, PredictionState.MATCHED, PredictionState.IGNORED, PredictionState.IGNORED
    ]  # fmt: skip


def test_iou_and_exact_count_duplicates():
    for method in (Method.IOU, Method.EXACT):
        assert counts(match_text("PERSON 0-5", "PERSON 0-5, PERSON 0-5", rule(method))) == (1, 1, 0)


def test_the_number_of_pairs_comes_before_their_iou():
    """Taking the perfect pair first would leave the second gold span alone."""
    matching = match_text("PERSON 0-10, PERSON 4-16", "PERSON 0-10, PERSON 0-6", rule(Method.IOU, threshold=0.3))
    assert matching.partners.tolist() == [1, 0]


def test_ties_go_to_the_first_prediction():
    matching = match_text("PERSON 2-4", "PERSON 3-5, PERSON 1-3", rule(Method.IOU))
    assert matching.partners.tolist() == [1]


def test_a_single_prediction_below_the_iou_may_still_cover_both_ways():
    matching = match_text("PERSON 0-10", "PERSON 6-16", R1_STRICT)  # IoU 4/16, but 4/10 of both
    assert matching.gold.tolist() == [GoldState.COMPOUND]


def test_label_modes():
    gold, predicted = "LOC 0-5, PERSON 10-15", "ORG 0-5, LOC 10-15"
    matched = [match_text(gold, predicted, rule(labels=mode)).is_matched.sum() for mode in LabelMode]
    assert matched == [0, 1, 2]


def test_exact_forgives_not_even_one_of_thirty_characters():
    assert counts(match_text("PERSON 0-30", "PERSON 0-29", rule(Method.EXACT, threshold=0.3))) == (0, 1, 1)


def test_a_contributor_is_used_once():
    matching = match_text("PERSON 0-10, PERSON 12-22", "PERSON 6-16", R1_STRICT)  # 4/10 of all of them, IoU 4/16
    assert matching.gold.tolist() == [GoldState.COMPOUND, GoldState.MISSED]
