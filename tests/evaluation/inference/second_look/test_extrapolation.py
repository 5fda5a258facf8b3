"""From reviewed claims to all that could have been drawn: worked examples, and how often the interval is right."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.inference.second_look.extrapolation import Stratum, extrapolate, wilson
from evaluation.inference.second_look.incompleteness import measure_incompleteness
from evaluation.inference.second_look.sections import second_look_section
from tests.evaluation.inference.second_look.test_incompleteness import FACTS, forty


def test_each_reviewed_claim_stands_for_those_of_its_attribute():
    """60 × 3 ÷ 10 + 40 × 1 ÷ 5 = 26 of 100; with 74 known answers, 26 of 100 were missing."""
    estimate = extrapolate([Stratum(60, 10, 3), Stratum(40, 5, 1)], known=74)
    assert estimate["confirmed"]["value"] == pytest.approx(26)
    assert estimate["missing"]["value"] == pytest.approx(0.26)
    assert estimate["confirmed"]["low"] < 26 < estimate["confirmed"]["high"]


def test_the_interval_is_wilsons_for_the_effective_number_of_claims():
    """A fifth of one attribute: 1 ÷ n × (1 − n ÷ N) = 0.08, so 12.5 claims instead of ten."""
    estimate = extrapolate([Stratum(50, 10, 5)], known=0)
    assert (estimate["confirmed"]["low"], estimate["confirmed"]["high"]) == pytest.approx((12.88, 37.12), abs=0.005)


def test_wilsons_interval_is_the_published_one():
    """Newcombe 1998, method 3: 81 of 263 is 0.2553 to 0.3662, and 0 of 20 is 0 to 0.1611."""
    assert wilson(81 / 263, 1 / 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 1 / 20) == pytest.approx((0, 0.1611), abs=5e-5)


def test_nothing_is_left_to_estimate_once_all_were_reviewed():
    estimate = extrapolate([Stratum(10, 10, 3), Stratum(5, 5, 0)], known=7)
    assert estimate["confirmed"] == {"value": 3, "low": 3, "high": 3}
    assert estimate["missing"] == {"value": 0.3, "low": 0.3, "high": 0.3}


def test_attributes_without_a_reviewed_claim_are_left_out():
    estimate = extrapolate([Stratum(60, 10, 3), Stratum(40, 0, 0)], known=0)
    assert (estimate["eligible"], estimate["left_out"]) == (60, 40)
    assert extrapolate([Stratum(60, 0, 0)], known=3) is None


strata = st.integers(1, 80).flatmap(
    lambda n: st.integers(0, n).flatmap(lambda k: st.builds(Stratum, st.just(n), st.just(k), st.integers(0, k)))
)


@given(st.lists(strata, min_size=1, max_size=8), st.integers(0, 500))
def test_the_interval_holds_the_estimate_and_never_contradicts_what_was_reviewed(members, known):
    estimate = extrapolate(members, known)
    if estimate is None:
        return
    sampled = [stratum for stratum in members if stratum.reviewed]
    confirmed, reviewed = sum(s.confirmed for s in sampled), sum(s.reviewed for s in sampled)
    low, value, high = (estimate["confirmed"][name] for name in ("low", "value", "high"))
    assert confirmed <= low <= value + 1e-9
    assert value <= high + 1e-9
    assert high <= estimate["eligible"] - (reviewed - confirmed) + 1e-9


@pytest.mark.parametrize("shares", [(0.1, 0.1, 0.1), (0.02, 0.3, 0.6)])
def test_the_interval_is_right_about_as_often_as_it_says(shares):
    """400 seeded draws of 50 claims from populations that are known."""
    rng, sizes, drawn = np.random.default_rng(1), (120, 60, 20), (30, 15, 5)
    hits = 0
    for _ in range(400):
        claims = [rng.random(size) < share for size, share in zip(sizes, shares, strict=True)]
        members = [
            Stratum(len(own), count, int(rng.permutation(own)[:count].sum()))
            for own, count in zip(claims, drawn, strict=True)
        ]
        bounds = extrapolate(members, known=0)["confirmed"]
        hits += bounds["low"] <= sum(own.sum() for own in claims) <= bounds["high"]
    assert hits >= 0.92 * 400


# ── In the report ───────────────────────────────────────────────────────────


def test_the_report_estimates_all_claims_that_could_be_drawn():
    """12 of 40 reviewed claims, all about income: 30 of 100. Controls are no part of the sample."""
    facts = replace(FACTS, eligible_by_attribute={"income": 100})
    measured = measure_incompleteness(forty(), facts)
    assert measured["extrapolated"]["confirmed"]["value"] == pytest.approx(30)
    remarks = " ".join(second_look_section(measured).remarks)
    assert "people would confirm 30 (" in remarks
    assert "income-100" in measured["signature"]


def test_second_looks_of_earlier_versions_have_no_estimate():
    measured = measure_incompleteness(forty(), FACTS)
    assert measured["extrapolated"] is None
    assert "Estimate" not in " ".join(second_look_section(measured).remarks)
