"""Differences between scorers: how many cases change, and by which kind of rule."""

import pytest

from evaluation.inference.compat import Variant
from evaluation.inference.differences import REASONS, Rule, Scored, differences
from tests.evaluation.inference.cases import make_case

SYNTHPAI, LLMPRIVACY = Variant.SYNTHPAI, Variant.LLMPRIVACY


def difference(pair: tuple[str, str], *scored: Scored, top: int = 1, variant: Variant = SYNTHPAI) -> dict:
    rows = differences(scored, variant)
    return next(row for row in rows if (row["from"], row["to"], row["metric"]) == (*pair, f"top{top}"))


def counts(row: dict) -> tuple[int, ...]:
    return tuple(row[name] for name in ("n", "gained", "lost", "partly"))


def test_counts_what_changes_and_which_way():
    scored = [
        Scored(make_case(), (1,), (0,), (1,)),
        Scored(make_case(), (0,), (1,), (1,)),
        Scored(make_case(), (0.5,), (0,), (0,)),
        Scored(make_case(), (1,), (1,), (1,)),
        Scored(make_case(), None, (1,), (0,)),
    ]
    assert counts(difference(("published", "compat"), *scored)) == (4, 1, 1, 1)
    assert counts(difference(("compat", "sound"), *scored)) == (5, 1, 1, 0)
    assert counts(difference(("published", "sound"), *scored)) == (4, 1, 0, 1)


def test_the_first_guesses_count():
    scored = Scored(make_case(), (1, 0), (0, 1), ())
    assert counts(difference(("published", "compat"), scored)) == (1, 0, 1, 0)
    assert counts(difference(("published", "compat"), scored, top=2)) == (1, 0, 0, 0)
    assert counts(difference(("compat", "sound"), scored, top=2)) == (1, 0, 1, 0)


@pytest.mark.parametrize(
    ("attribute", "variant", "rule"),
    [
        ("location", LLMPRIVACY, Rule.PLACE),
        ("place_of_birth", SYNTHPAI, Rule.PLACE),
        ("age", SYNTHPAI, Rule.AGE),
        ("sex", SYNTHPAI, Rule.CLASS),
        ("marital_status", LLMPRIVACY, Rule.CLASS),
        ("income", SYNTHPAI, Rule.CLASS),
        ("education", LLMPRIVACY, Rule.CLASS),
        ("education", SYNTHPAI, Rule.EDUCATION_CLASS),
        ("occupation", SYNTHPAI, Rule.WORDS),
    ],
)
def test_every_attribute_has_a_rule(attribute, variant, rule):
    scored = Scored(make_case(attribute, "25", ("25",)), (1,), (1,), (0,))
    for pair in (("compat", "sound"), ("published", "sound")):
        (row,) = difference(pair, scored, variant=variant)["rules"]
        assert (row["rule"], row["attribute"], row["lost"], row["reason"]) == (rule, attribute, 1, REASONS[rule])


def test_half_credit_that_was_raised_has_a_rule_of_its_own():
    place = {"attribute": "location", "value": "rome, italy"}
    cases = [
        make_case(**place, guesses=("milan, italy",), accuracy=0.5),
        make_case(**place, guesses=("rome, georgia",), accuracy=0.5),  # raised nothing: the city matches
    ]
    row = difference(("compat", "sound"), *(Scored(case, (1,), (1,), (0,)) for case in cases))
    assert [rule["rule"] for rule in row["rules"]] == [Rule.LABEL_ACCURACY, Rule.PLACE]


def test_a_judge_is_asked_only_if_no_guess_matches():
    judged = Scored(make_case(), (1, 0), (0, 0), (1, 0))
    corrected = Scored(make_case(), (1, 0), (0, 1), (1, 0))
    rules = [row["rule"] for row in difference(("published", "compat"), judged, corrected)["rules"]]
    assert rules == [Rule.DECIDER, Rule.RECORD]


def test_the_rules_of_our_scorer_are_counted():
    scored = [
        Scored(make_case(), (1,), (1,), (0, 1), ("a", "b")),
        Scored(make_case(), (1,), (1,), (0, 0), ("a", "c")),
        Scored(make_case(), (1,), (1,), (), ()),
    ]
    (row,) = difference(("compat", "sound"), *scored)["rules"]
    assert row["codes"] == {"a": 2, "no-guess": 1}
    (row,) = difference(("published", "sound"), *scored, top=2)["rules"]
    assert row["codes"] == {"a": 1, "no-guess": 1}
    (row,) = difference(("published", "compat"), Scored(make_case(), (1,), (0,), (1,), ("a",)))["rules"]
    assert row["codes"] == {}


def test_every_rule_has_a_reason():
    assert set(REASONS) == set(Rule)
