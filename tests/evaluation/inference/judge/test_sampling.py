"""The sample for an audit: seeded, stratified, and silent about verdicts."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from evaluation.inference.judge.sampling import draw_sample


def test_strata_have_their_shares_and_at_least_one():
    strata = dict.fromkeys(range(160), ("location", "no-match"))
    strata |= dict.fromkeys(range(160, 200), ("location", "match")) | {200: ("occupation", "match")}
    counts = Counter(strata[number] for number in draw_sample(strata, 50))
    assert sum(counts.values()) == 50
    assert counts["occupation", "match"] == 1
    assert 36 <= counts["location", "no-match"] <= 42


def test_a_pair_that_is_taken_down_hardly_changes_the_sample():
    strata = {at: at % 3 for at in range(300)}
    sample = draw_sample(strata, 50)
    gone = {at: stratum for at, stratum in strata.items() if at != sample[0]}
    assert len(set(sample) & set(draw_sample(gone, 50))) >= 48


@given(st.dictionaries(st.integers(1, 10_000), st.integers(0, 6), max_size=120), st.integers(0, 60), st.integers(0, 9))
def test_chooses_as_many_as_there_are_and_no_order_matters(strata, size, seed):
    sample = draw_sample(strata, size, seed)
    assert len(sample) == len(set(sample)) == min(size, len(strata))
    assert draw_sample(dict(reversed(strata.items())), size, seed) == sample
    assert set(sample) <= set(strata)


def test_another_seed_chooses_others():
    strata = dict.fromkeys(range(200), 0)
    assert draw_sample(strata, 50, 1) != draw_sample(strata, 50, 2)
