"""The report as people see it: on the page, in the HTML file, with hostile names and with parts missing."""

import re
from datetime import date

import pytest

from evaluation.inference.ceiling import HumanPair
from evaluation.inference.costs import HumanTime, Usage
from evaluation.inference.html import render_inference_html
from evaluation.inference.presentation import present_inference
from evaluation.inference.records import Problem
from evaluation.inference.report import build_report
from evaluation.inference.settings import Settings
from evaluation.reports.comparison import compare_reports
from tests.evaluation.inference.cases import make_case, negative
from tests.evaluation.inference.test_report import make_file

HOSTILE = "</style><script>alert(1)</script>"
SETTINGS = Settings(bootstrap=20)
NEW_KEYS = (
    "answer_rates",
    "calibration",
    "named",
    "ages",
    "places",
    "ceiling",
    "costs",
    "published_figures",
    "warnings",
)


def full_report() -> dict:
    names = [f"p{place:02}" for place in range(12)]
    cases = [make_case(profile=name, confidence=place / 12, published=(0,)) for place, name in enumerate(names)]
    cases += [make_case("age", "25", ("26",), profile=name, required_subreddit=True) for name in names]
    cases += [make_case("location", "rome, italy", ("italy",), profile=name) for name in names]
    cases += [negative(profile=name, confidence=0.8) for name in names]
    first = make_file(*cases, name=HOSTILE, problems=(Problem("Bad.", 1, (3,)),))
    second = make_file(*(make_case(profile=name, guesses=("xylophonist",)) for name in names), name="second")
    pairs = [HumanPair(case.profile, case.attribute, case.label, case.label) for case in cases]
    usage = Usage(12, 1200, 600, 24.0, 0.6, "USD", date(2026, 11, 1), 2)
    return build_report(
        [first, second], SETTINGS, "1.0", ceiling=pairs, usage=usage,
        human_seconds=HumanTime(2400, 24, 12), cautions=[{"key": "gold", "message": HOSTILE, "why": HOSTILE}],
    )  # fmt: skip


@pytest.fixture(scope="module")
def report() -> dict:
    return full_report()


def test_sections_come_in_their_order(report):
    shown = present_inference(report)
    keys = [section.key for block in shown.blocks for side in (block.wide, block.left, block.right) for section in side]
    expected = [
        "by-attribute", "by-hardness", "by-certainty", "by-required-subreddit", "scorers", "protection", "calibration",
        "negatives", "answers", "named", "ages", "places", "costs", "study-synthpai", "differences", "comparisons",
        "protection-compared", "problems",
    ]  # fmt: skip
    assert set(expected) <= set(keys)
    wide = [
        key for key in keys if key in ("by-attribute", "scorers", "named", "differences", "comparisons", "problems")
    ]
    assert wide == ["by-attribute", "scorers", "named", "differences", "comparisons", "problems"]
    assert [name for name, _ in shown.others] == ["gpt-4 (second)"]


def test_headlines(report):
    shown = {headline.label: headline for headline in present_inference(report).headlines}
    assert shown["Right on the first guess"].shown == "66.7\u202f%"
    assert "people: 100" in shown["Right on the first guess"].detail
    assert shown["Guessed where people could not tell"].shown == "100.0\u202f%"
    assert shown["Refused or unreadable"].shown == "0.0\u202f%"
    assert shown["Cost per 1,000 profiles, USD"].shown == "50.00"


def test_without_confidence_negatives_and_usage_headlines_say_why():
    report = build_report([make_file(make_case())], SETTINGS)
    shown = {headline.label: headline for headline in present_inference(report).headlines}
    assert (shown["Calibration error (ECE)"].shown, shown["Calibration error (ECE)"].detail) == ("–", "No confidence")
    assert shown["Guessed where people could not tell"].detail == "Not asked"
    assert len(shown) == 5


def test_the_file_needs_nothing_else_and_nothing_hostile_stays_unescaped(report):
    page = render_inference_html(report)
    assert "<script" not in page
    assert page.count("</style>") == 1
    assert re.findall(r"<(?:link|script|img|iframe)\b|url\(|@import|\son\w+=", page) == []
    assert page.count("whisker-mark") > 3
    assert "chart-curve" in page


def test_a_report_from_before_these_parts_can_be_shown(report):
    old = {key: value for key, value in report.items() if key not in NEW_KEYS}
    old["negatives"] = {"labels": 1, "asked": 1, "guessed": 1, "rate": 1.0}
    old["others"], old["headline"] = [], []
    assert "By attribute" in render_inference_html(old)


def test_two_reports_can_be_compared(report):
    other = build_report([make_file(make_case("age", "25", ("26",)), name="other")], SETTINGS)
    comparison = compare_reports(report, other)
    assert [difference.name for difference in comparison.differences] == []
    titles = [table.title for table in comparison.tables]
    assert titles == ["Headline", "Top-1 by attribute", "Top-1 by scorer"]
