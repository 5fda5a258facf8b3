"""The noise floor, paired tests and power: on fair coins, on known gaps, and where nothing varies."""

import numpy as np
import pytest

from evaluation.probes.noise import noise_floors, smallest_gap
from evaluation.probes.pairs import compare_pairs, control_pairs, stated_pairs
from evaluation.probes.resamples import draw_weights
from evaluation.stats.permutation import deal_all
from tests.evaluation.probes.answers import evaluate, simulate_model

RUNS = 200


def coins(items: int, repetitions: int, seed: int = 1):
    return evaluate(np.random.default_rng(seed).integers(0, 2, (items, 3, repetitions)))


def compared(evaluated, rounds: int = 400, seed: int = 1):
    weights = draw_weights(len(evaluated.items), 0, seed)
    return compare_pairs(evaluated, stated_pairs(evaluated), weights, rounds, seed)


@pytest.mark.parametrize(("repetitions", "simulated"), [(1, 0.018), (2, 0.009)])
def test_fair_coins_over_all_of_dreaddit(repetitions, simulated):
    """The largest of three differences of such rates is 1.693 standard deviations of one of them, on average.

    The study's own simulation is the mean of 8 runs, each with a standard deviation of 0.888, so that it is known to
    about 0.003 for one repetition and 0.002 for two.
    """
    deviation = 0.5 / np.sqrt(3553 * repetitions)
    floor = noise_floors(coins(3553, repetitions), "stress_rate", 400, 1)["max_diff_stress_rate"]
    assert floor.mean == pytest.approx(1.693 * deviation, rel=0.08)
    assert floor.mean == pytest.approx(simulated, abs=2 * 0.888 * deviation / np.sqrt(8))
    assert floor.p95 > floor.mean


def test_a_model_that_never_wavers_has_no_noise():
    codes = np.repeat(np.random.default_rng(1).integers(0, 2, (50, 1)), 3, axis=1)
    floor = noise_floors(evaluate(codes), "stress_rate", 50, 1)["max_diff_stress_rate"]
    assert (floor.observed, floor.mean, floor.p, floor.is_exceeded) == (0, 0, 1, False)
    assert smallest_gap(compared(evaluate(codes)))["value"] is None


def test_items_that_never_waver_count_although_they_are_not_dealt():
    """They keep the rates apart where one gender is read less often than another."""
    rng = np.random.default_rng(6)
    codes = rng.integers(0, 2, (300, 3, 2))
    codes[:150] = 1
    codes[:120, 0] = -1
    evaluated = evaluate(codes)
    yes, sizes = evaluated.yes, evaluated.yes + evaluated.no
    dealt = np.concatenate(list(deal_all(yes, sizes, 600, np.random.default_rng(1)))).sum(axis=1) / sizes.sum(axis=0)
    floor = noise_floors(evaluated, "stress_rate", 600, 2)["max_diff_stress_rate"]
    assert floor.mean == pytest.approx(np.ptp(dealt, axis=1).mean(), rel=0.08)


def test_without_answers_there_is_no_floor():
    floor = noise_floors(evaluate([[-1, 1, 0]] * 4), "stress_rate", 20, 1)["max_diff_stress_rate"]
    assert (floor.mean, floor.p) == (None, None)
    assert floor.reason
    (first, *_) = compared(evaluate([[-1, 1, 0]] * 4))
    assert (first.difference.value, first.p) == (None, None)


def test_a_gap_that_everybody_sees():
    evaluated = evaluate([[1, 1, 0]] * 60)
    floor = noise_floors(evaluated, "stress_rate", 200, 1)["max_diff_stress_rate"]
    assert (floor.observed, floor.is_exceeded) == (1, True)
    by_pair = {(test.first, test.second): test for test in compared(evaluated)}
    assert by_pair["male", "female"].p_holm == 1
    assert by_pair["male", "non-binary"].p_holm < 0.01
    assert by_pair["male", "non-binary"].p_mcnemar_holm < 1e-10
    assert (by_pair["male", "non-binary"].first_only, by_pair["male", "non-binary"].second_only) == (60, 0)
    assert by_pair["female", "non-binary"].difference.value == 1


def test_the_control_is_compared_with_every_gender():
    evaluated = evaluate(np.ones((20, 4), int), has_control=True)
    assert [pair[1] for pair in control_pairs(evaluated)] == [3, 3, 3]
    assert control_pairs(evaluate(np.ones((20, 3), int))) == []


def share_of_runs_that_find_a_gap(gap: float, items: int = 800, repetitions: int = 2) -> float:
    hits = 0
    for seed in range(RUNS):
        evaluated = simulate_model(np.random.default_rng([seed, 7]), items, repetitions, gap)
        hits += min(test.p_holm for test in compared(evaluated, 300, seed)) < 0.05
    return hits / RUNS


def test_a_known_gap_is_found_and_no_gap_is_not():
    """Over 200 simulated runs of 800 texts with two repetitions. The documentation quotes these rates."""
    assert share_of_runs_that_find_a_gap(0.05) >= 0.9
    assert share_of_runs_that_find_a_gap(0.0) <= 0.08


def test_the_smallest_gap_is_found_in_four_of_five_runs():
    evaluated = simulate_model(np.random.default_rng(1), 800, 2, 0.0)
    gap = smallest_gap(compared(evaluated, 1000))["value"]
    assert 0.7 <= share_of_runs_that_find_a_gap(gap) <= 0.95
