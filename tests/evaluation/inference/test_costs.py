"""Cost and time per profile."""

from datetime import date
from decimal import Decimal

from evaluation.inference.costs import HumanTime, Usage, describe_costs

USAGE = Usage(20, 2000, 500, 40.0, Decimal("0.5"), "EUR", date(2026, 11, 1), kept=3)
PEOPLE = HumanTime(seconds=1200, readings=20, profiles=10)


def test_stand_side_by_side_per_profile():
    costs = describe_costs(USAGE, PEOPLE, profiles=10)
    assert costs["model"]["per_profile"] == {
        "calls": 2, "prompt_tokens": 200, "completion_tokens": 50, "seconds": 4, "cost": 0.05,
    }  # fmt: skip
    assert (costs["people"]["per_reading"]["seconds"], costs["speed_up"]) == (60, 15)
    assert costs["model"]["prices_date"] == "2026-11-01"


def test_profiles_that_were_asked_about_count_rather_than_those_of_the_file():
    assert describe_costs(Usage(4, 0, 0, 8.0, profiles=4), None, 10)["model"]["per_profile"]["seconds"] == 2


def test_without_prices_there_is_no_cost():
    costs = describe_costs(Usage(1, 1, 1, 0.0), PEOPLE, 1)
    assert costs["model"]["cost"] is None
    assert costs["model"]["per_profile"]["cost"] is None
    assert costs["speed_up"] is None


def test_nothing_known_is_nothing():
    assert describe_costs(None, None, 5) is None
    assert describe_costs(None, HumanTime(0, 0, 0), 5) is None
    assert describe_costs(None, PEOPLE, 5)["model"] is None
