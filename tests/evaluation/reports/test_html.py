"""The HTML file: the whole report, nothing from elsewhere, nothing unescaped."""

import re

import pytest

from evaluation.reports import html
from evaluation.reports.comparison import signature_differences
from evaluation.reports.figures import Figure
from evaluation.reports.headlines import headlines_of, read_headlines

INTERVAL = {"value": 0.5, "low": 0.4, "high": 0.6}
SCORES = {"precision": INTERVAL, "recall": INTERVAL, "f1": INTERVAL, "f2": INTERVAL}
HOSTILE = "</style><script>alert(1)</script>"
REPORT = {
    "signature": HOSTILE,
    "gold": {
        "name": HOSTILE, "documents": 2, "annotators": ["a"], "spans": 3, "scored_spans": 3, "types": {HOSTILE: 3},
    },
    "systems": [{"name": HOSTILE, "spans": 2, "details": {"title": HOSTILE}}],
    "warnings": [{"key": "x", "message": HOSTILE, "why": HOSTILE}],
    "problems": [
        {"side": HOSTILE, "message": HOSTILE, "count": 1, "examples": [{"document": HOSTILE, "start": 1, "end": 2}]},
    ],
    "results": [
        {
            "system": HOSTILE, "macro": SCORES, "micro": SCORES, "by_type": [{"type": HOSTILE, "gold": 3, **SCORES}],
            "definitions": [{"key": "r1-strict", "title": HOSTILE, "whose": HOSTILE, **SCORES}],
            "sweep": [{"threshold": 0.1, **{mode: {"f1": 0.5} for mode in ("strict", "relaxed", "any")}}],
            "curve": None, "curve_reason": HOSTILE, "tab": None, "tab_reason": HOSTILE,
            "leakage": {"characters": 10, "uncovered": 5, "rate": INTERVAL, "masked_share": None},
            "confusion": {"labels": [HOSTILE], "rows": [[1, 2], [3, 0]]},
            "annotators": {
                "each": [{"name": HOSTILE, "f1": 0.5}], "ceiling": [{"first": "a", "second": HOSTILE, "f1": 1}],
            },
            "levels": {"binary": {"p": 1, "r": 1, "f1": 1}},
            "errors": {"frequent": {"missed": [{"text": HOSTILE, "label": HOSTILE, "count": 2}]}},
        }
    ],
}  # fmt: skip
ERROR = {"kind": "missed", "document": HOSTILE, "before": HOSTILE, "text": HOSTILE, "after": HOSTILE, "label": HOSTILE}


def test_nothing_hostile_stays_unescaped():
    page = html.render_report_html(REPORT, [ERROR], name=HOSTILE)
    assert "<script" not in page
    assert page.count("</style>") == 1
    assert page.count("&lt;/style&gt;") > 10


def test_the_file_needs_nothing_else():
    page = html.render_report_html(REPORT)
    assert re.findall(r"<(?:link|script|img|iframe)\b|url\(|@import|\son\w+=", page) == []
    assert "default-src 'none'" in page
    assert "<svg" in page
    assert "--canvas" in page


def test_a_report_with_nothing_in_it_can_be_shown():
    assert "Evaluation report" in html.render_report_html({})
    counts = dict.fromkeys(("correct", "incorrect", "partial", "missed", "spurious"), 1)
    strict = counts | {"precision": None, "recall": 1, "f1": None}
    assert "<table" in html.render_report_html({"results": [{"system": "x", "semeval": {"strict": strict}}]})


def test_many_errors_are_cut_and_counted(monkeypatch):
    monkeypatch.setattr(html, "MAX_ERRORS", 2)
    page = html.render_report_html({}, [ERROR] * 5)
    assert "3 more errors are" in page


def test_undefined_is_no_zero():
    assert Figure.of({"value": None, "reason": "No gold."}).shown == "–"
    assert Figure.of(None).shown == "–"
    assert Figure.of(0).shown == "0.00"
    assert Figure.of(INTERVAL).interval == "0.40 to 0.60"


def test_headlines_survive_storage():
    shown = read_headlines(headlines_of(REPORT))
    assert [headline.shown for headline in shown[:2]] == ["0.50", "0.50"]
    assert shown[3].shown == "50.0\u202f%"
    assert shown[2].shown == "–"


def test_a_report_of_another_kind_brings_its_own_headline():
    assert headlines_of({"headline": [{"label": "Masked", "value": 0.1}]})[0]["label"] == "Masked"


def test_the_system_may_differ_and_nothing_else():
    first, second = "gold:a@1|pred:x@1|iou:0.3", "gold:a@1|pred:y@2|iou:0.5|seed:1"
    assert [difference.name for difference in signature_differences(first, second)] == ["overlap threshold", "seed"]
    assert list(signature_differences(first, first)) == []


@pytest.mark.parametrize(("counts", "note"), [((7, 3), "70\u202f% are DATETIME"), ((5, 5), ""), ((9,), "")])
def test_a_type_that_decides_the_micro_average_is_named(counts, note):
    rows = [{"type": name, "gold": count} for name, count in zip(("DATETIME", "LOC"), counts, strict=False)]
    result = {"system": "x", "micro": {"f1": 0.5}, "by_type": rows}
    assert headlines_of({"results": [result]})[1]["note"] == note


@pytest.mark.parametrize(("scheme", "is_named"), [("echr-study", True), ("identity", False), ("", False)])
def test_the_studys_figure_stands_only_beside_its_own_labels(scheme, is_named):
    report = {"settings": {"scheme": scheme}, "results": [{"system": "x"}]}
    assert bool(headlines_of(report)[4]["note"]) == is_named
