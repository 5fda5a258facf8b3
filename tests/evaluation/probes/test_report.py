"""The report: complete, without NaN, and honest about models that don't do the task."""

import json

import numpy as np
import pytest
from rich.console import Console

from evaluation.probes.dreaddit import PROBE
from evaluation.probes.html import render_probe_html
from evaluation.probes.presentation import present_probe
from evaluation.probes.probe import Mark
from evaluation.probes.records import Item
from evaluation.probes.report import NothingToMeasure, Subject, build_report
from evaluation.probes.settings import ProbeSettings
from evaluation.probes.terminal import print_report
from evaluation.probes.verdict import BARELY, DOES, DOES_NOT
from tests.evaluation.probes.answers import evaluate, make_items, random_answers, simulate_model

SETTINGS = ProbeSettings(bootstrap=60, rounds=60)
MARK = Mark("gap", (0, 0.03, 0.1, 0.3, 1), "", "")


def report_on(evaluated, **inputs):
    return build_report(PROBE, evaluated, SETTINGS, Subject("small", "model", "metric:probe|version:1"), inputs)


@pytest.mark.parametrize(
    ("interval", "letter"),
    [
        ((0.0, 0.01), "A"), ((-0.01, 0.5), "A"), ((0.03, 0.2), "A"), ((0.031, 0.2), "B"), ((0.1, 0.1), "B"),
        ((0.11, 0.2), "C"), ((0.31, 0.4), "D"), ((1.1, 1.2), "D"), ((-0.2, -0.1), "A"), ((None, None), None),
    ],
)  # fmt: skip
def test_the_mark_is_the_best_letter_that_the_interval_touches(interval, letter):
    assert MARK.letter(*interval) == letter


@pytest.mark.parametrize("undetected", [0, 0.3, 1])
def test_every_report_is_plain_json_and_can_be_shown(undetected):
    evaluated = random_answers(np.random.default_rng(1), 30, 2, undetected)
    report = report_on(evaluated)
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    assert report["format"] == "telltale.probe/1"
    assert set(report["metrics"]) == set(report["intervals"]) == set(PROBE.metrics)
    shown = present_probe(report)
    assert len(shown.headlines) == 5
    assert {section.key for block in shown.blocks for section in (*block.wide, *block.left, *block.right)} >= {
        "score", "variants", "pairs", "groups", "published", "metrics", "card", "flips",
    }  # fmt: skip
    console = Console(record=True, width=150, quiet=True)
    print_report(report, console)


def test_without_resamples_there_are_no_intervals_and_no_mark():
    evaluated = random_answers(np.random.default_rng(1), 20, 1)
    settings = ProbeSettings(bootstrap=0, rounds=20)
    report = build_report(PROBE, evaluated, settings, Subject("small", "model", "x"), {})
    assert report["marks"]["max_diff_stress_rate"]["mark"] is None
    assert report["intervals"]["male_tpr"]["low"] is None
    assert report["metrics"]["male_tpr"] is not None
    assert present_probe(report).headlines[0].detail


def test_the_file_is_one_page_without_scripts_or_texts():
    page = render_probe_html(report_on(random_answers(np.random.default_rng(1), 20, 1)))
    assert "<script" not in page
    assert "text 3" not in page
    assert "gemini-2.0-flash-lite" in page
    assert "Stereotypical reasoning" in page


@pytest.mark.parametrize(
    ("codes", "sentence"),
    [
        (np.full((40, 3), 1), DOES_NOT), (np.full((40, 3), -1), DOES_NOT),
        (np.where(np.arange(120).reshape(40, 3) % 2, -1, 1), DOES_NOT),
        (np.random.default_rng(1).integers(0, 2, (400, 3)), BARELY),
    ],
)  # fmt: skip
def test_a_model_that_does_not_do_the_task_is_named_first(codes, sentence):
    report = report_on(evaluate(codes))
    assert report["verdict"]["sentence"] == sentence
    assert report["warnings"][0]["message"].startswith(sentence)
    if sentence == DOES_NOT:
        assert "not meaningful" in report["headline"][0]["note"]


def test_a_model_that_does_the_task():
    report = report_on(simulate_model(np.random.default_rng(2), 300, 1, 0.0))
    assert report["verdict"] == {"does_task": True, "sentence": DOES, "reasons": []}
    assert report["beyond"]["agreement"]["kappa"] > 0.4
    assert report["beyond"]["agreement"]["human_kappa"] == 0.47


def test_the_control_is_no_gender():
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 2, (30, 4))
    report = report_on(evaluate(codes, has_control=True))
    assert report["metrics"] == report_on(evaluate(codes[:, :3]))["metrics"]
    assert [row["second"] for row in report["beyond"]["control"]] == ["control"] * 3
    assert "control" in report["beyond"]["undetected"]


def test_texts_that_tell_the_gender_are_set_apart():
    items = tuple(Item(str(at), f"text {at}", at % 2 == 0, disclosure="female" if at < 12 else "") for at in range(40))
    parts = report_on(evaluate([[1, 0, 0]] * 12 + [[1, 1, 1]] * 28, items=items))["beyond"]["disclosures"]
    assert parts["counts"] == {"female": 12}
    assert (parts["with"]["items"], parts["with"]["max_diff_stress_rate"]) == (12, 1)
    assert (parts["without"]["items"], parts["without"]["max_diff_stress_rate"]) == (28, 0)


def test_probabilities_are_compared_without_drawing():
    items = make_items(60)
    scores = np.random.default_rng(4).uniform(-0.5, 0.5, (60, 1)) + np.array([[0.0, 0.1, 0.0]])
    scores[5, 1] = np.nan
    likelihoods = report_on(evaluate(np.where(scores > 0, 1, 0), items=items, scores=scores))["beyond"]["likelihoods"]
    by_pair = {(row["first"], row["second"]): row for row in likelihoods["pairs"]}
    assert by_pair["male", "female"]["difference"]["value"] == pytest.approx(-0.1)
    assert by_pair["male", "female"]["p_holm"] < 0.06
    assert by_pair["male", "non-binary"]["p"] == 1


def test_flips_within_and_between():
    flips = report_on(evaluate([[[1, 1], [1, 0], [0, 0]], [[1, 1], [1, 1], [1, 1]]]))["beyond"]["flips"]
    assert (flips["flipped_items"], flips["compared_items"], flips["flip_rate"]) == (1, 2, 0.5)
    assert flips["within"] == pytest.approx(1 / 6)
    assert flips["between"] == pytest.approx((2 + 4 + 2) / 24)


def test_nothing_to_measure():
    with pytest.raises(NothingToMeasure):
        report_on(evaluate(np.empty((0, 3), int), items=()))
