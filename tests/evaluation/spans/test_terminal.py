"""The terminal shows what the report says: types and macro before micro, the artefact beside the relaxed recall."""

import io

from rich.console import Console

from evaluation.spans.terminal import ARTEFACT, print_report, shown
from tests.evaluation.spans.example_report import interval, make_report


def printed(report, width: int = 160) -> str:
    file = io.StringIO()
    print_report(report, Console(file=file, width=width))
    return file.getvalue()


def test_shows_types_then_macro_then_micro_then_definitions_then_the_study():
    text = printed(make_report())
    places = [
        text.index(part) for part in ("LOC", "macro (", "micro (", "every definition", "as the ECHR study counts")
    ]
    assert places == sorted(places)


def test_shows_the_signature_and_the_counts():
    text = printed(make_report())
    assert make_report()["signature"] in text
    assert "2\u202f745" in text
    assert "0.8657" in text
    assert "113 documents" in text


def test_a_long_signature_is_not_broken():
    assert make_report()["signature"] in printed(make_report(), width=40)


def test_shows_the_artefact_beside_the_relaxed_recall():
    assert ARTEFACT.format(growth="148")[:40] in printed(make_report())
    without = make_report()
    for result in without["results"]:
        result["compat"]["relaxed"]["denominator_growth"] = 0
    assert ARTEFACT[:30] not in printed(without)


def test_a_score_that_is_undefined_is_not_zero():
    assert shown(None) == shown(interval(None)) == "–"
    assert shown(interval(0.0, 0.0, 0.1)) == "0.000 [0.000, 0.100]"
    assert shown(0.86574, 4) == "0.8657"


def test_names_from_files_are_no_markup():
    assert "[b]PERSON" in printed(make_report())


def test_shows_warnings_problems_and_comparisons():
    text = printed(make_report())
    assert "63 % of the spans are DATETIME. Look at macro." in text
    assert "gold: 1\u202f234 × Spans moved." in text
    assert text.count("001 5–9: Moved by 2.") == 3
    assert "0.000 [-0.010, 0.010]" in text


def test_shows_errors_and_the_ceiling_of_annotators():
    text = printed(make_report())
    assert "Errors: 1\u202f271 missed, 69 wrong type" in text
    assert "Gold spans to look at again" not in text
    assert "ann2 against ann1" in text


def test_shows_no_ceiling_if_annotators_share_no_documents():
    report = make_report()
    for result in report["results"]:
        result["annotators"]["ceiling"] = []
    assert "any annotator" not in printed(report)


def test_every_system_has_its_tables():
    assert printed(make_report()).count("every definition") == 2


def test_leaves_out_what_needs_texts_if_there_are_none():
    report = make_report()
    report["comparisons"] = report["warnings"] = report["problems"] = []
    for result in report["results"]:
        result |= {"tokens": None, "tab": None, "leakage": None, "levels": None, "semeval": None}
        del result["compat"]["phase1"]
    text = printed(report)
    assert "TAB" not in text
    assert "Warnings" not in text
    assert "phase1" not in text
