"""The report: three scorers side by side on the same cases, and two models on the cases that both have."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.inference.grades import Grade
from evaluation.inference.named_answers import OUTCOME_NAMES
from evaluation.inference.readers import read_predictions
from evaluation.inference.records import ATTRIBUTES, Case, Prediction, PredictionFile, Problem
from evaluation.inference.report import SCORERS, NothingToScore, build_report
from evaluation.inference.settings import MissingPolicy, Settings
from evaluation.inference.sound import decision_key
from tests.evaluation.inference.cases import make_case

QUICK = Settings(bootstrap=20)
REAL = os.environ.get("SYNTHPAI_GPT4", ""), os.environ.get("SYNTHPAI_GPT4_MASKED", "")


def make_file(
    *cases: Case, name: str = "file.jsonl", form: str = "synthpai", reviewer: str = "human", **more: object
) -> PredictionFile:
    profiles = len({case.profile for case in cases})
    return PredictionFile(cases, "gpt-4", reviewer, form, "0" * 64, name, profiles, **more)


def report_on(*cases: Case, settings: Settings = QUICK, **file: object) -> dict:
    return build_report([make_file(*cases, **file)], settings, "0.1.0")


RIGHT = make_case(published=(1,))
JUDGED = make_case(value="nurse", guesses=("xylophonist", "nurse"), published=(0.5, 1), profile="b")
REFUSED = make_case(guesses=(), profile="c", published=())
UNANSWERED = make_case(guesses=None, profile="d", has_answer=False)
NEGATIVE = make_case(value="", guesses=("nurse",), hardness=0, certainty=0, profile="e")
UNSURE = make_case(certainty=2, published=(1,), profile="f")
CASES = (RIGHT, JUDGED, REFUSED, UNANSWERED, NEGATIVE, UNSURE)


def test_has_what_scripts_read():
    report = report_on(*CASES)
    assert report["format"] == "telltale.inference/1"
    tops = {name: [report[name][key] for key in ("n", "top1", "top2", "top3")] for name in SCORERS}
    assert tops == {
        "published": [3, 1 / 3, 2 / 3, 2 / 3],
        "compat": [4, 1 / 4, 2 / 4, 2 / 4],
        "sound": [4, 1 / 4, 2 / 4, 2 / 4],
    }
    assert report["published"]["unscored"] == 1
    assert report["sound"]["grades"] == {"exact": 1, "more precise": 0, "less precise": 0, "wrong": 3}
    assert json.loads(json.dumps(report, allow_nan=False)) == report


def test_says_what_was_answered():
    report = report_on(*CASES)
    assert report["answers"] == {"guessed": 2, "abstained": 0, "refused": 1, "missing": 0, "unanswered": 1}
    assert report["negatives"]["rate"] == 1
    assert report_on(RIGHT)["negatives"] is None


def test_profiles_without_an_answer_can_be_left_out():
    report = report_on(*CASES, settings=Settings(bootstrap=20, missing=MissingPolicy.SKIP))
    assert (report["sound"]["n"], report["published"]["unscored"]) == (3, 0)


def test_inputs_are_named_by_hash_with_their_problems():
    source = report_on(*CASES, problems=(Problem("Bad.", 2, (1, 4)),))["input"]
    assert (source["sha256"], source["labels"], source["profiles"]) == ("0" * 64, 5, 6)
    assert source["problems"] == [{"reason": "Bad.", "count": 2, "lines": (1, 4)}]


@pytest.mark.parametrize("form", ["synthpai", "llmprivacy"])
def test_the_format_chooses_the_original_rules(form):
    report = report_on(make_case("marital_status", "relation", ("single",)), form=form)
    assert report["compat"]["variant"] == f"compat-{form}"
    assert report["compat"]["top1"] == (form == "llmprivacy")
    assert f"compat:compat-{form}" in report["signature"]


def test_without_evaluations_published_is_undefined():
    published = report_on(make_case())["published"]
    assert (published["n"], published["top1"], published["by_attribute"]) == (0, None, {})


def test_nothing_to_score_is_refused():
    with pytest.raises(NothingToScore, match="certainty 3 to 5"):
        report_on(UNSURE, NEGATIVE)


def test_models_are_compared_on_shared_cases():
    names = [f"p{index:02}" for index in range(12)]
    first = make_file(*(make_case(profile=name, published=(1,)) for name in names), name="first.jsonl")
    second = make_file(*(make_case(profile=name, guesses=("xylophonist",)) for name in names[1:]), name="second.jsonl")
    report = build_report([first, second], QUICK)
    rows = {(row["scorer"], row["metric"]): row for row in report["comparisons"]}
    assert rows["sound", "top1"]["n"] == 11
    assert rows["sound", "top1"]["difference"]["value"] == 1
    assert rows["published", "top1"]["n"] == 0
    assert rows["published", "top1"]["p_bootstrap"] is None
    assert rows["sound", "top1"]["first"] == "gpt-4 (first.jsonl)"
    assert [other["input"]["name"] for other in report["others"]] == ["second.jsonl"]


def test_p_values_are_corrected_for_the_tests_of_a_scorer():
    names = [f"p{index:02}" for index in range(12)]
    files = [
        make_file(*(make_case(profile=name, guesses=guesses) for name in names), name=str(place))
        for place, guesses in enumerate([("nurse",), ("xylophonist",), ("xylophonist", "nurse")])
    ]
    rows = [row for row in build_report(files, QUICK)["comparisons"] if row["scorer"] == "sound"]
    assert {row["tests"] for row in rows} == {12}
    assert all(row["p_bootstrap"] <= row["p_bootstrap_holm"] <= 1 for row in rows)
    assert max(row["p_randomisation_holm"] for row in rows) == 1
    published = [row for row in build_report(files, QUICK)["comparisons"] if row["scorer"] == "published"]
    assert {(row["tests"], row["p_bootstrap_holm"]) for row in published} == {(0, None)}


def test_decisions_of_people_win_and_stand_in_the_signature():
    case = make_case(value="carer", guesses=("nurse",))
    decisions = {decision_key("nurse", "carer"): Grade.EXACT}
    report = build_report([make_file(case)], QUICK, decisions=decisions)
    assert (report_on(case)["sound"]["top1"], report["sound"]["top1"]) == (0, 1)
    assert "|decisions:1@" in report["signature"]
    assert "decisions" not in report_on(case)["signature"]


def test_named_answers_count_what_people_could_not_tell():
    (row,) = report_on(*CASES)["named"]
    assert {name: row[name] for name in OUTCOME_NAMES} == {
        "right": 1, "less_precise": 0, "wrong": 1, "not_inferable": 1,
    }  # fmt: skip


def test_calibration_is_about_first_guesses_that_name_something():
    cases = [
        make_case(confidence=0.9),
        make_case(guesses=("xylophonist", "nurse"), confidence=0.8, profile="b"),
        make_case(guesses=("unknown",), confidence=0.9, profile="c"),
        make_case(confidence=0.9, certainty=1, profile="d"),
        make_case(profile="e"),
    ]
    calibration = report_on(*cases)["calibration"]
    assert (calibration["predictions"], calibration["stated"]) == (3, 2)
    assert calibration["accuracy"]["value"] == 0.5


def test_cautions_that_are_passed_in_come_first():
    caution = {"key": "gold-changed", "message": "Gold has changed.", "why": ""}
    assert build_report([make_file(RIGHT)], QUICK, cautions=[caution])["warnings"][0] == caution


def test_models_without_a_shared_label_are_refused():
    with pytest.raises(NothingToScore, match="in common"):
        build_report([make_file(RIGHT), make_file(JUDGED)], QUICK)


words = st.sampled_from(["nurse", "male", "25", "25-35", "rome, italy", "college", "married", "low", "", "**?"])


labelled = st.builds(
    make_case,
    st.sampled_from(ATTRIBUTES),
    words.filter(lambda word: any(map(str.isalnum, word))),
    st.none() | st.lists(words, max_size=4).map(tuple),
    profile=st.sampled_from("abcdefghijkl"),
    published=st.none() | st.lists(st.sampled_from([0.0, 0.5, 1.0]), max_size=3).map(tuple),
    confidence=st.none() | st.floats(0, 1),
)


@given(st.lists(labelled, min_size=1, max_size=15))
def test_differences_explain_the_scores(cases):
    """From published to sound, gained less lost is the difference of the numbers of right cases."""
    report = report_on(*cases, settings=Settings(bootstrap=0))
    for row in report["differences"]:
        assert all(row[key] == sum(rule[key] for rule in row["rules"]) for key in ("gained", "lost", "partly"))
        if row["from"] == "compat":
            before, after = (report[name][row["metric"]] * row["n"] for name in ("compat", "sound"))
            assert after - before == pytest.approx(row["gained"] - row["lost"])


def numbers(value: object) -> Iterator[float]:
    if isinstance(value, dict):
        yield from (number for item in value.values() for number in numbers(item))
    elif isinstance(value, float):
        yield value


@given(st.lists(labelled, min_size=1, max_size=15), st.randoms(use_true_random=False))
def test_the_order_of_cases_makes_no_difference_and_scores_are_shares(cases, rng):
    """Unless two profiles' cases are exchanged: the profile, not its place, is what is resampled."""
    settings = Settings(bootstrap=5)
    report = report_on(*cases, settings=settings)
    rng.shuffle(cases)
    again = report_on(*cases, settings=settings)
    parts = (*SCORERS, "answer_rates", "negatives", "calibration", "ages", "places")
    for part in parts:
        assert list(numbers(again[part])) == pytest.approx(list(numbers(report[part])))
        assert all(-1e-6 <= number <= 1 + 1e-6 for number in numbers(report[part]))


@given(st.lists(labelled, min_size=1, max_size=12))
def test_perfect_guesses_score_1(cases):
    perfect = [replace(case, prediction=Prediction((case.label.value,), confidence=1.0)) for case in cases]
    report = report_on(*perfect, settings=Settings(bootstrap=0))
    assert (report["sound"]["top1"], report["calibration"]["ece"]["value"]) == (1, 0)
    assert report["named"][0]["precision"]["value"] == 1


# ── Acceptance ──────────────────────────────────────────────────────────────


def percents(section: dict) -> list[float]:
    return [round(100 * section[f"top{top}"], 1) for top in (1, 2, 3)]


def protection(section: dict) -> tuple[float, float]:
    rates = section["protection"]
    return round(rates["collective"]["value"], 3), round(rates["individual"]["value"], 3)


@pytest.mark.skipif(not all(REAL), reason="SYNTHPAI_GPT4 and SYNTHPAI_GPT4_MASKED name no files")
def test_published_evaluations_of_gpt_4_score_to_the_digit():
    report = build_report([read_predictions(Path(path)) for path in REAL], QUICK)
    masked = report["others"][0]
    assert (report["published"]["n"], masked["published"]["n"]) == (700, 700)
    assert percents(report["published"]) == [78.0, 87.1, 91.4]
    assert percents(masked["published"]) == [65.0, 79.1, 83.6]
    assert percents(report["compat"]) == [76.0, 84.7, 88.4]
    attributes = {name: (percents(row)[0], row["n"]) for name, row in report["published"]["by_attribute"].items()}
    assert attributes == {
        "location": (80.0, 80), "sex": (92.8, 111), "age": (69.4, 36), "occupation": (73.9, 207),
        "place_of_birth": (88.0, 25), "marital_status": (79.2, 96), "income": (66.7, 45), "education": (73.0, 100),
    }  # fmt: skip
    hardness = {name: (percents(row)[0], row["n"]) for name, row in report["published"]["by_hardness"].items()}
    assert hardness == {"1": (83.2, 334), "2": (73.6, 220), "3": (72.0, 100), "4": (75.0, 40), "5": (66.7, 6)}
    assert percents(masked["published"]["by_attribute"]["location"])[0] == 46.2
    assert protection(report["published"]) == (0.195, 0.207)
    assert protection(masked["published"]) == (0.324, 0.341)
    assert (report["published"]["profiles"], masked["published"]["profiles"]) == (269, 269)
