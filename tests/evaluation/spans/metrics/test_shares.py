"""Shares: sums first, quotients last, and intervals from shared weights."""

import numpy as np
import pytest

from evaluation.spans.metrics.shares import NOTHING_TO_COUNT, Share, f_share
from evaluation.stats.bootstrap import draw_weights

WEIGHTS = draw_weights(40, 200, np.random.default_rng(1))


def share(part: list[float], whole: list[float]) -> Share:
    return Share(np.array(part, np.float64), np.array(whole, np.float64))


def test_documents_add_up_before_they_are_divided():
    assert share([1, 0], [1, 9]).value == 0.1


def test_nothing_to_count_is_undefined_and_says_so():
    report = share([0], [0]).as_json(WEIGHTS[:, :1])
    assert (report["value"], report["reason"]) == (None, NOTHING_TO_COUNT)
    assert share([0], [0]).as_json()["reason"] == NOTHING_TO_COUNT


def test_both_intervals_lie_around_the_value():
    report = share([1, 0, 1, 1] * 10, [1] * 40).as_json(WEIGHTS)
    assert report["low"] < report["value"] == 0.75 < report["high"]
    assert report["bca_low"] < report["value"] < report["bca_high"]


def test_few_documents_have_no_interval():
    report = share([1, 0, 1] + [0] * 37, [1, 1, 1] + [0] * 37).as_json(WEIGHTS)
    assert report["value"] == pytest.approx(2 / 3)
    assert report["low"] is None
    assert "Too few" in report["reason"]


@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_f_is_the_weighted_harmonic_mean(beta):
    precision, recall = share([3], [4]), share([3], [10])
    p, r = precision.value, recall.value
    assert f_share(precision, recall, beta).value == pytest.approx((1 + beta**2) * p * r / (beta**2 * p + r))
