"""Ages by distance, places by grade."""

import pytest

from evaluation.inference.details import NO_GUESS, describe_ages
from evaluation.inference.records import Case
from evaluation.inference.report import build_report
from evaluation.inference.settings import Settings
from tests.evaluation.inference.cases import make_case
from tests.evaluation.inference.test_report import make_file

SETTINGS = Settings(bootstrap=0)


def report_on(*cases: Case) -> dict:
    return build_report([make_file(*cases)], SETTINGS)


def test_ages_at_two_and_five_years_and_by_overlap():
    guesses = ("25", "27", "30", "31", "20-29", "unknown", "elderly")
    ages = report_on(*(make_case("age", "25", (guess,), profile=guess) for guess in guesses))["ages"]
    assert (ages["n"], ages["read"]) == (7, 5)
    shares = [ages[name]["value"] for name in ("within_two", "within_five", "overlapping", "overlap")]
    assert shares == pytest.approx([3 / 7, 4 / 7, 2 / 7, 1.1 / 7])


def test_places_by_grade():
    guesses = ("Rome, Italy", "Italy", "Trastevere, Rome, Italy", "Paris, France", "unknown")
    places = report_on(*(make_case("location", "rome, italy", (guess,), profile=guess) for guess in guesses))["places"]
    row = places["location"]
    assert [row[name] for name in ("n", "exact", "less precise", "more precise", "wrong", NO_GUESS)] == [
        5,
        1,
        1,
        1,
        1,
        1,
    ]
    assert row["wrong_by"] == {"place-other-country": 1}


def test_without_ages_or_places_there_is_nothing():
    report = report_on(make_case())
    assert (report["ages"], report["places"]) == (None, {})
    assert describe_ages([], SETTINGS) is None
