"""Agreement of a judge with people, by hand."""

import pytest

from evaluation.inference.judge.agreement import AuditedVerdict, measure_agreement
from evaluation.inference.judge.verdicts import Verdict

YES, LESS, NO = Verdict.MATCH, Verdict.LESS_PRECISE, Verdict.NO_MATCH


def audits(*counts):
    """(judge, person, how often), every audit of another profile."""
    verdicts = [(judge, person) for judge, person, count in counts for _ in range(count)]
    return [AuditedVerdict(f"profile {at}", judge, person) for at, (judge, person) in enumerate(verdicts)]


def test_kappa_by_hand():
    """Observed 35 / 50 = 0.7; expected 0.5 · 0.6 + 0.5 · 0.4 = 0.5, so kappa is 0.4 (Cohen's own kind of example)."""
    agreement = measure_agreement(audits((YES, YES, 20), (YES, NO, 5), (NO, YES, 10), (NO, NO, 15)))
    assert agreement.kappa.value == pytest.approx(0.4)
    assert (agreement.pairs, agreement.agreeing, agreement.share) == (50, 35, 0.7)
    assert agreement.confusion == ((15, 0, 10), (0, 0, 0), (5, 0, 20))
    assert agreement.kappa.low < 0.4 < agreement.kappa.high


def test_quadratic_weights_forgive_near_misses():
    """Weights 1, ¾, 0. Observed (20 + ¾ · 10) / 30 = 0.9167; expected 0.5 · (⅔ + ¾ · ⅓) + 0.5 · (¾ · ⅓ + …)."""
    near = measure_agreement(audits((YES, YES, 10), (YES, LESS, 10), (NO, NO, 10)))
    far = measure_agreement(audits((YES, YES, 10), (YES, NO, 10), (NO, NO, 10)))
    assert near.quadratic.value > far.quadratic.value
    # Squared distances: observed 10 · ¼ / 30; expected over the marginals (⅔ yes, ⅓ no) and (⅓, ⅓, ⅓).
    expected = 2 / 3 * (1 / 3 * 0.25 + 1 / 3) + 1 / 3 * (1 / 3 + 1 / 3 * 0.25)
    assert near.quadratic.value == pytest.approx(1 - (10 * 0.25 / 30) / expected)


def test_perfect_agreement_is_one():
    agreement = measure_agreement(audits((YES, YES, 10), (LESS, LESS, 5), (NO, NO, 10)))
    assert (agreement.kappa.value, agreement.quadratic.value) == (pytest.approx(1.0), pytest.approx(1.0))


def test_says_why_there_is_no_kappa():
    assert measure_agreement([]) is None
    assert "Too few" in measure_agreement(audits((YES, YES, 3), (NO, NO, 3))).kappa.reason
    assert "No variation" in measure_agreement(audits((NO, NO, 20))).kappa.reason


def test_resamples_draw_profiles():
    """Twenty audits of two people are two observations, so the interval is far wider than for twenty people."""
    verdicts = [(YES, YES), (NO, NO), (YES, NO), (NO, NO)] * 10
    alone = measure_agreement([AuditedVerdict(str(at), *pair) for at, pair in enumerate(verdicts)])
    shared = measure_agreement([AuditedVerdict(str(at % 4), *pair) for at, pair in enumerate(verdicts)])
    assert alone.kappa.value == shared.kappa.value
    assert shared.kappa.high - shared.kappa.low > alone.kappa.high - alone.kappa.low
