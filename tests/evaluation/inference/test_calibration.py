"""Calibration: by hand, and on data that is calibrated by construction."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.inference.calibration import BINS, NOT_STATED, StatedConfidence, calibrate
from evaluation.inference.settings import Settings

SETTINGS = Settings(bootstrap=100)


def stated(*pairs: tuple[float, bool]) -> list[StatedConfidence]:
    return [StatedConfidence(f"p{place:03}", *pair) for place, pair in enumerate(pairs)]


def test_by_hand():
    """Two bins: 0.9 and right half of the time, 0.2 and right never."""
    report = calibrate(stated((0.9, True), (0.9, False), (0.2, False), (0.2, False)), 5, SETTINGS)
    assert report["ece"]["value"] == pytest.approx((2 * 0.4 + 2 * 0.2) / 4)
    assert report["brier"]["value"] == pytest.approx((0.01 + 0.81 + 0.04 + 0.04) / 4)
    assert (report["stated"], report["predictions"], report["accuracy"]["value"]) == (4, 5, 0.25)
    filled = {(row["low"], row["n"], row["accuracy"]["value"]) for row in report["bins"] if row["n"]}
    assert filled == {(0.2, 2, 0.0), (0.9, 2, 0.5)}


def test_calibrated_guesses_have_no_error():
    """Right in 7 of 10 cases at 0.7, in 3 of 10 at 0.3."""
    pairs = [(share / 10, place < share) for share in (3, 7) for place in range(10)]
    report = calibrate(stated(*pairs), 20, SETTINGS)
    assert report["ece"]["value"] == pytest.approx(0, abs=1e-9)


def test_errors_of_different_bins_do_not_cancel():
    """Too modest at 0.1, too sure at 0.9."""
    assert calibrate(stated((0.1, True), (0.9, False)), 2, SETTINGS)["ece"]["value"] == pytest.approx(0.9)


@pytest.mark.parametrize(("is_right", "confidence", "error"), [(True, 1.0, 0), (False, 0.0, 0), (False, 1.0, 1)])
def test_extremes(is_right, confidence, error):
    report = calibrate(stated(*[(confidence, is_right)] * 12), 12, SETTINGS)
    assert (report["ece"]["value"], report["brier"]["value"]) == (error, error)
    assert report["ece"]["low"] == error


def test_without_a_stated_confidence_it_is_undefined_with_a_reason():
    report = calibrate([], 7, SETTINGS)
    assert (report["ece"]["value"], report["brier"]["value"], report["stated"]) == (None, None, 0)
    assert report["reason"] == report["ece"]["reason"] == NOT_STATED
    assert len(report["bins"]) == BINS


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=30), st.randoms(use_true_random=False))
def test_lies_between_0_and_1_whatever_the_order(pairs, rng: random.Random):
    items = stated(*pairs)
    report = calibrate(items, len(items), Settings(bootstrap=5))
    rng.shuffle(items)
    again = calibrate(items, len(items), Settings(bootstrap=5))
    for name in ("ece", "brier", "accuracy", "confidence"):
        value = report[name]["value"]
        assert value is None or -1e-9 <= value <= 1 + 1e-9
        assert again[name]["value"] == (None if value is None else pytest.approx(value))
    assert sum(row["n"] for row in report["bins"]) == len(items)
