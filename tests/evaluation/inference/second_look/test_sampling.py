"""Which claims are drawn, and where the controls stand."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from evaluation.inference.second_look.sampling import count_controls, draw_claims, draw_controls, mix

AGES = dict.fromkeys(range(100, 200), "age")
PLACES = dict.fromkeys(range(200, 300), "location")
numbers = st.lists(st.integers(0, 10_000), unique=True, max_size=40)


def test_one_control_for_four_claims_and_at_least_five():
    assert [count_controls(claims) for claims in (1, 20, 24, 50)] == [5, 5, 6, 12]


def test_every_attribute_has_its_share():
    pool = {n: "age" if n % 4 else "location" for n in range(400)}
    drawn = draw_claims(pool, 40)
    assert Counter(pool[n] for n in drawn) == {"age": 30, "location": 10}


def test_controls_are_about_what_the_claims_are_about():
    controls = draw_controls(AGES | PLACES, ["age"] * 30 + ["location"] * 10, 12)
    assert Counter((AGES | PLACES)[n] for n in controls) == {"age": 9, "location": 3}


def test_controls_come_from_elsewhere_if_there_are_too_few():
    controls = draw_controls({1: "age", 2: "age", 3: "sex"}, ["income"] * 8, 5)
    assert sorted(controls) == [1, 2, 3]
    assert draw_controls({}, ["age"], 5) == []


@given(numbers, numbers, st.integers(0, 1000))
def test_mixing_keeps_everything_and_depends_on_the_seed_alone(claims, controls, seed):
    mixed = mix(claims, controls, seed)
    assert sorted(mixed) == sorted([(n, False) for n in claims] + [(n, True) for n in controls])
    assert mixed == mix(claims[::-1], controls[::-1], seed)


def test_controls_stand_anywhere():
    positions = [at for at, (_, is_control) in enumerate(mix(range(200), range(50))) if is_control]
    assert min(positions) < 25
    assert max(positions) > 225
    assert mix(range(200), range(50), 1) != mix(range(200), range(50), 2)


def test_the_same_seed_draws_the_same():
    assert draw_controls(AGES, ["age"], 9, 1) == draw_controls(AGES, ["age"], 9, 1)
    assert draw_controls(AGES, ["age"], 9, 1) != draw_controls(AGES, ["age"], 9, 2)
