"""When evidence counts as masked."""

import pytest

from evaluation.spans.evidence.coverage import Masking, measure_coverage
from tests.evaluation.spans.evidence.spans import covered, mark

CASES = {
    # case: (text, detections, characters that count, masked, masking)
    "nothing detected": ("Houston", [], 7, 0, Masking.LEFT),
    "whole": ("Houston", [mark(0, 7)], 7, 7, Masking.FULL),
    "longer than the span": ("Houston", [mark(0, 20)], 7, 7, Masking.FULL),
    "spaces and punctuation don't count": ("in (Houston)!", [mark(0, 2), mark(4, 11)], 9, 9, Masking.FULL),
    "all but one letter": ("Houston", [mark(0, 6)], 7, 6, Masking.PARTLY),
    "only punctuation": ("(Houston)", [mark(0, 1)], 7, 0, Masking.LEFT),
    "two detections together": ("New York", [mark(0, 3), mark(4, 8, "PERSON")], 7, 7, Masking.FULL),
    "overlapping detections count once": ("Houston", [mark(0, 4), mark(2, 5)], 7, 5, Masking.PARTLY),
    "digits": ("I am 19", [mark(5, 7, "AGE")], 5, 2, Masking.PARTLY),
    "letters of any script": ("Zürich 東京", [mark(0, 6)], 8, 6, Masking.PARTLY),
    "no letter or digit": ("👶 !", [mark(0, 1)], 2, 1, Masking.PARTLY),
    "white space only": ("  ", [mark(0, 2)], 2, 2, Masking.FULL),
    "beside the span": ("Houston", [mark(7, 12)], 7, 0, Masking.LEFT),
}


@pytest.mark.parametrize(("text", "detections", "characters", "masked", "masking"), CASES.values(), ids=CASES)
def test_counts_letters_and_digits_under_the_union_of_detections(text, detections, characters, masked, masking):
    coverage = measure_coverage(covered(text, *detections))
    assert (coverage.characters, coverage.masked, coverage.masking) == (characters, masked, masking)


def test_offsets_are_those_of_the_comment():
    coverage = measure_coverage(covered("Houston", mark(10, 17), start=10))
    assert coverage.masking is Masking.FULL


def test_names_the_types_that_mask_and_those_that_mask_alone():
    coverage = measure_coverage(covered("New York", mark(0, 8), mark(4, 8, "PERSON")))
    assert coverage.by_type == {"LOCATION": 7, "PERSON": 4}
    assert coverage.is_masked_by("LOCATION")
    assert not coverage.is_masked_by("PERSON")
    assert not coverage.is_masked_by("NRP")


def test_a_detection_of_punctuation_touches_nothing():
    coverage = measure_coverage(covered("(Houston)", mark(0, 1), mark(1, 8)))
    assert coverage.touching == {mark(1, 8)}
