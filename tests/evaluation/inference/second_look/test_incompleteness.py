"""How incomplete the gold was: worked examples."""

from dataclasses import replace

import pytest

from evaluation.inference.second_look.incompleteness import (
    NO_ANSWERS,
    NO_CLAIMS,
    NO_DIFFERENCE,
    Answer,
    LookFacts,
    ReviewedClaim,
    measure_incompleteness,
)
from evaluation.inference.second_look.sections import in_words, second_look_section

KNOWN = [Answer(f"profile-{n % 24}", "age" if n % 4 else "income", 1 + n % 3) for n in range(288)]
FACTS = LookFacts("tiny", "Baseline: random", eligible=100, claims=40, controls=10, gold=KNOWN)


def claim(number: int, verdict: str, *, blind: str = "", is_control: bool = False, **fields) -> ReviewedClaim:
    hardness = 2 if verdict == "confirm" else 0
    values = {"attribute": "income", "hardness": hardness} | fields
    return ReviewedClaim(
        f"profile-{number % 20}", is_control=is_control, blind=blind or verdict, verdict=verdict, **values
    )


def forty() -> list[ReviewedClaim]:
    """12 of 40 claims confirmed (10 of them blind), 4 left open; 1 of 10 controls confirmed, 2 blind."""
    claims = [claim(n, "confirm", blind="confirm" if n < 10 else "reject") for n in range(12)]
    claims += [claim(n, "open") for n in range(12, 16)] + [claim(n, "reject") for n in range(16, 40)]
    controls = [claim(n, "reject", is_control=True) for n in range(8)]
    controls += [claim(8, "confirm", is_control=True), claim(9, "reject", blind="confirm", is_control=True)]
    return claims + controls


def test_shares_are_those_of_the_claims():
    measured = measure_incompleteness(forty(), FACTS)
    claims, controls = measured["claims"], measured["controls"]
    assert claims["verdicts"] == {"confirm": 12, "reject": 24, "open": 4}
    assert [claims[name]["value"] for name in ("confirmed", "left_open", "confirmed_blind")] == [0.3, 0.1, 0.25]
    assert [controls[name]["value"] for name in ("confirmed", "confirmed_blind")] == [0.1, 0.2]
    assert measured["difference"]["value"] == pytest.approx(0.05)
    assert claims["changed"] == {"reject>confirm": 2}
    assert controls["changed"] == {"confirm>reject": 1}
    assert {step: row["found"] for step, row in measured["by_hardness"].items()} == {
        "1": 0, "2": 13, "3": 0, "4": 0, "5": 0,
    }  # fmt: skip


def test_intervals_lie_around_the_shares():
    share = measure_incompleteness(forty(), FACTS)["claims"]["confirmed"]
    assert 0 < share["low"] < 0.3 < share["high"] < 1


def test_profiles_are_drawn_not_claims():
    """Forty claims about two profiles say as little as two: no interval."""
    claims = [claim(n % 2, "confirm" if n % 2 else "reject") for n in range(40)]
    share = measure_incompleteness(claims, FACTS)["claims"]["confirmed"]
    assert (share["value"], share["low"]) == (0.5, None)
    assert "there are 2" in share["reason"]


def test_what_was_missing_is_what_was_found_among_all_answers():
    """12 claims and 1 control confirmed; people had found 288: 13 of 301."""
    facts = replace(FACTS, gold=[replace(answer, attribute="age") for answer in KNOWN])
    missing = measure_incompleteness(forty(), facts)["missing_at_least"]
    assert missing["value"] == pytest.approx(13 / 301)
    assert 0 < missing["low"] < 13 / 301 < missing["high"] < 0.2
    low, high = f"{100 * missing['low']:.1f} %", f"{100 * missing['high']:.1f} %"
    assert " ".join(in_words(measure_incompleteness(forty(), facts)).split()) == (
        f"People confirmed 12 of 40 claims. At least 4.3 % ({low} to {high}) of what can be inferred was missing from "
        "the gold."
    )


def test_what_was_missing_by_attribute_and_hardness():
    """Hardness 2: 13 finds, and a third of 288. Income: 12 finds that 72 known answers of other profiles don't have."""
    facts = replace(FACTS, gold=[replace(answer, profile=f"other-{answer.profile}") for answer in KNOWN])
    measured = measure_incompleteness(forty(), facts)
    hard = measured["by_hardness"]["2"]
    assert (hard["found"], hard["gold_values"]) == (13, 96)
    assert hard["missing_at_least"]["value"] == pytest.approx(13 / 109)
    assert measured["by_hardness"]["5"]["missing_at_least"]["reason"] == NO_ANSWERS
    assert measured["by_attribute"]["income"]["missing_at_least"]["value"] == pytest.approx(13 / 85)


def test_what_people_found_since_was_missing_all_the_same():
    answer = Answer("profile-0", "income", 2)
    before = measure_incompleteness(forty(), replace(FACTS, gold=[]))
    assert measure_incompleteness(forty(), replace(FACTS, gold=[answer])) == before


def test_nothing_found_is_said_as_it_is():
    assert "nothing that was missing" in in_words(measure_incompleteness([claim(1, "reject")], FACTS))


def test_without_reviews_there_are_reasons_instead_of_numbers():
    measured = measure_incompleteness([], FACTS)
    assert (measured["claims"]["confirmed"]["value"], measured["claims"]["confirmed"]["reason"]) == (None, NO_CLAIMS)
    assert measured["difference"]["reason"] == NO_DIFFERENCE
    assert second_look_section(measured) is None
    assert second_look_section(None) is None


def test_order_does_not_matter():
    assert measure_incompleteness(forty(), FACTS) == measure_incompleteness(forty()[::-1], FACTS) | {
        "by_attribute": measure_incompleteness(forty(), FACTS)["by_attribute"]
    }


def test_groups_by_attribute():
    measured = measure_incompleteness([*forty(), claim(1, "reject", attribute="age")], FACTS)
    assert {name: group["reviewed"] for name, group in measured["by_attribute"].items()} == {"income": 40, "age": 1}


def test_the_section_says_what_it_does_not_show():
    section = second_look_section(measure_incompleteness(forty(), FACTS))
    text = " ".join(section.remarks)
    assert "lower bound" in text
    assert "2 from rejected to confirmed" in text
    assert "1 confirmed control" in text
