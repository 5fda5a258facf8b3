"""Scores: by hand, from counts per profile, with intervals over profiles."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.inference.comparison import compare
from evaluation.inference.outcomes import Outcomes, build_outcomes, outcome
from evaluation.inference.records import ATTRIBUTES, Case
from evaluation.inference.scores import Scores, score
from evaluation.stats.bootstrap import draw_weights
from tests.evaluation.inference.cases import make_case

Rated = tuple[Case, tuple[float, ...] | None]


def outcomes_of(rated: list[Rated]) -> Outcomes:
    return build_outcomes([case for case, _ in rated], [credit for _, credit in rated])


def scores_of(rated: list[Rated], rounds: int = 50) -> Scores:
    outcomes = outcomes_of(rated)
    return score(outcomes, draw_weights(outcomes.unit_count, rounds, np.random.default_rng(1)))


def tops(scores: object) -> tuple[float | None, ...]:
    return tuple(estimate.value for estimate in scores.tops)


@pytest.mark.parametrize(
    ("credits_", "precise", "partial"),
    [
        ((1, 0, 0), [1, 1, 1], [0, 0, 0]),
        ((0, 1, 0), [0, 1, 1], [0, 0, 0]),
        ((0.5, 0, 1), [0, 0, 1], [1, 1, 0]),
        ((0, 0, 0.5), [0, 0, 0], [0, 0, 1]),
        ((0, 0, 0, 1), [0, 0, 0], [0, 0, 0]),
        ((1,), [1, 1, 1], [0, 0, 0]),
        ((), [0, 0, 0], [0, 0, 0]),
    ],
)
def test_a_case_counts_its_best_guess_so_far(credits_, precise, partial):
    assert outcome(credits_) == [1, *precise, *partial]


def test_what_is_not_scored_counts_nothing():
    assert not any(outcome(None))


RATED = [
    (make_case("sex", profile="a", hardness=1), (1.0,)),
    (make_case("sex", profile="b", hardness=2), (0.0, 1.0)),
    (make_case("sex", profile="b", hardness=2), (0.5, 0.5, 1.0)),
    (make_case("location", profile="a", hardness=1), (0.5,)),
    (make_case("age", profile="a", hardness=1), None),
]


def test_by_hand():
    scores = scores_of(RATED)
    assert (scores.micro.n, scores.micro.profiles) == (4, 2)
    assert tops(scores.micro) == (1 / 4, 2 / 4, 3 / 4)
    assert tops(scores.half) == (2 / 4, 3 / 4, 3.5 / 4)
    assert tops(scores.lenient) == (3 / 4, 1, 1)
    assert tops(scores.macro) == pytest.approx(((1 / 3 + 0) / 2, (2 / 3 + 0) / 2, (1 + 0) / 2))


def test_by_group():
    groups = scores_of(RATED).groups
    assert {name: (scores.n, tops(scores)[0]) for name, scores in groups["attribute"].items()} == {
        "location": (1, 0),
        "sex": (3, 1 / 3),
    }
    assert {name: (scores.n, tops(scores)[2]) for name, scores in groups["hardness"].items()} == {
        "1": (2, 0.5),
        "2": (2, 1),
    }
    assert list(groups["certainty"]) == ["5"]
    assert groups["required_subreddit"] == {}


def test_by_required_subreddit_where_the_file_says():
    rated = [(make_case(required_subreddit=required), (1.0,)) for required in (True, False, False, None)]
    groups = scores_of(rated).groups["required_subreddit"]
    assert {name: scores.n for name, scores in groups.items()} == {"no": 2, "yes": 1}


def test_attributes_keep_their_order():
    rated = [(make_case(name), (1.0,)) for name in sorted(ATTRIBUTES)]
    assert tuple(scores_of(rated).groups["attribute"]) == ATTRIBUTES


def test_nothing_to_score_is_undefined():
    scores = scores_of([(make_case(), None)])
    assert tops(scores.micro) == tops(scores.macro) == tops(scores.half) == (None, None, None)
    assert scores.groups["attribute"] == {}
    assert scores.micro.as_json()["top1"] is None


def test_intervals_are_over_profiles():
    """All cases of a profile are alike, so that resampled cases would give a narrower interval."""
    rated = [(make_case(profile=f"p{p}"), (float(p % 2),)) for p in range(20) for _ in range(10)]
    estimate = scores_of(rated, 1000).micro.tops[0]
    assert estimate.value == 0.5
    assert estimate.high - estimate.low > 0.3
    assert estimate.bca_low is not None


def test_intervals_do_not_depend_on_the_order_of_the_file():
    rated = [(make_case(profile=f"p{index}"), (float(index % 3 == 0),)) for index in range(20)]
    estimate = scores_of(rated).micro.tops[0]
    assert estimate.low is not None
    assert scores_of(rated[::-1]).micro.tops[0] == estimate


def test_few_profiles_have_no_interval():
    estimate = scores_of(RATED).micro.tops[0]
    assert estimate.low is None
    assert "profile" in estimate.reason


def test_json_has_values_and_intervals():
    report = scores_of(RATED).as_json()
    assert (report["n"], report["top1"], report["intervals"]["top1"]["value"]) == (4, 0.25, 0.25)
    assert report["by_attribute"]["sex"]["top3"] == 1
    assert report["macro"]["top3"] == 0.5


rated_cases = st.lists(
    st.builds(
        lambda attribute, profile, hardness, credit: (
            make_case(attribute, profile=profile, hardness=hardness),
            None if credit is None else tuple(credit),
        ),
        st.sampled_from(ATTRIBUTES),
        st.sampled_from("abcdefghijkl"),
        st.integers(1, 5),
        st.none() | st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=4),
    ),
    min_size=1,
    max_size=40,
)


@given(rated_cases, st.randoms(use_true_random=False))
def test_order_does_not_matter_and_scores_grow(rated, rng: random.Random):
    first = scores_of(rated)
    shuffled = rng.sample(rated, len(rated))
    if any(credit is not None for _, credit in rated):
        values = tops(first.micro)
        assert 0 <= values[0] <= values[1] <= values[2] <= 1
        for strict, half, lenient in zip(values, tops(first.half), tops(first.lenient), strict=True):
            assert strict <= half <= lenient <= 1
            assert half == pytest.approx((strict + lenient) / 2)
    assert scores_of(shuffled) == first


@given(rated_cases)
def test_groups_add_up(rated):
    scores = scores_of(rated, 0)
    for name in ("attribute", "hardness", "certainty"):
        groups = scores.groups[name].values()
        assert sum(group.n for group in groups) == scores.micro.n
        right = sum(group.n * group.tops[0].value for group in groups)
        assert right == pytest.approx(scores.micro.n * (scores.micro.tops[0].value or 0))


def test_perfect_answers_score_1():
    scores = scores_of([(make_case(name, profile=name), (1.0, 0.0)) for name in ATTRIBUTES])
    assert tops(scores.micro) == tops(scores.macro) == (1, 1, 1)


# ── Two models ──────────────────────────────────────────────────────────────


def comparison(first: list[Rated], second: list[Rated]) -> dict[str, dict]:
    sides = outcomes_of(first), outcomes_of(second)
    weights = draw_weights(sides[0].unit_count, 200, np.random.default_rng(1))
    rows = compare(*sides, weights, np.random.default_rng(2))
    return {row.metric: row.as_json() for row in rows}


def rated_alike(*credit: float) -> list[Rated]:
    return [(make_case(profile=f"p{index:02}"), credit) for index in range(20)]


def test_the_same_model_does_not_differ_from_itself():
    row = comparison(rated_alike(1), rated_alike(1))["top1"]
    assert (row["difference"]["value"], row["p_bootstrap"], row["p_randomisation"]) == (0, 1, 1)


def test_a_better_model_differs():
    rows = comparison(rated_alike(1.0), rated_alike(0.5, 1.0))
    assert rows["top1"]["difference"]["value"] == 1
    assert rows["top1-half"]["difference"]["value"] == 0.5
    assert rows["top2"]["difference"]["value"] == 0
    assert rows["top1"]["p_randomisation"] < 0.05
    assert rows["top1"]["n"] == 20


def test_only_cases_that_both_have_are_compared():
    second = [(case, None if index < 5 else (0.0,)) for index, (case, _) in enumerate(rated_alike(1))]
    row = comparison(rated_alike(1), second)["top1"]
    assert (row["n"], row["difference"]["value"]) == (15, 1)
