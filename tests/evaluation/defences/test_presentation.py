"""The report on defences as its page, its HTML file and the terminal show it."""

import io
import json

import pytest
from rich.console import Console

from evaluation.defences.html import render_defence_html
from evaluation.defences.presentation import present_defences
from evaluation.defences.run_comparison import compare_runs
from evaluation.defences.scores import build_defence_report
from evaluation.defences.sections import complete_defences, defence_sections
from evaluation.defences.terminal import print_report
from evaluation.models import EvaluationRun
from tests.evaluation.defences.reports import make_report, make_study, undefended


@pytest.fixture(scope="module")
def report():
    return json.loads(json.dumps(make_report()))  # as the database returns it


def section(report, key):
    return next(part for part in defence_sections(report) if part.key == key)


def rows(part):
    return {row.head: row.cells for row in part.tables[0].rows}


def test_every_part_is_shown_in_order(report):
    keys = [part.key for part in defence_sections(report)]
    assert keys[:4] == ["picture", "defences", "by-attribute", "by-hardness"]
    assert {"linkage", "groups", "changed", "still-inferable", "utility", "rewriting"} < set(keys)
    assert keys[-1] == "threat"


def test_an_incomplete_defence_has_no_score(report):
    head, cells = next(item for item in rows(section(report, "defences")).items() if "incomplete" in item[0])
    assert head.startswith("Evidence")
    assert {cell.text for cell in cells} == {"–"}
    others = [part for part in defence_sections(report) if part.key not in ("picture", "defences")]
    assert not any("Evidence" in str(part.tables) for part in others)
    assert report["missing"][0] in [caution.message for caution in present_defences(report).cautions]


def test_the_picture_has_a_point_for_each_complete_defence_and_a_row_for_all(report):
    chart = section(report, "picture").scatter
    assert len(chart.points) == len(complete_defences(report)) == 4
    assert len(chart.rows) == 5


def test_changes_are_in_points_with_a_sign(report):
    cells = rows(section(report, "defences"))["Presidio, replaced by type"]
    assert cells[1].text.startswith("−")
    assert " to " in cells[1].detail


def test_groups_are_marked_as_a_model(report):
    assert "model, not a fact" in section(report, "groups").title


def test_without_a_population_table_there_are_no_groups():
    study = make_study(population=None)
    alone = build_defence_report(study, [undefended(study)])
    keys = [part.key for part in defence_sections(alone)]
    assert "groups" not in keys
    assert "rewriting" not in keys


def test_the_threat_model_says_what_the_attacker_sees(report):
    cells = rows(section(report, "threat"))
    assert cells["Sees"][0].text == "comment texts, dates"
    assert cells["Knows the defence"][0].text == "no"


def test_the_html_file_shows_the_picture_and_needs_nothing_else(report):
    page = render_defence_html(report)
    assert "chart-scatter" in page
    assert "http-equiv" in page
    assert "<script" not in page
    assert report["signature"] in page
    assert "I live in" not in page  # no comment


def test_the_terminal_has_the_same_tables(report):
    out = io.StringIO()
    print_report(report, Console(file=out, width=300))
    text = out.getvalue()
    assert "All defences" in text
    assert "Threat model" in text
    assert report["signature"] in text
    assert report["missing"][0] in text


def test_two_runs_are_compared_by_defence(report):
    tables = compare_runs(EvaluationRun(report=report), EvaluationRun(report=report))
    labels = [row.label for row in tables[0].rows]
    assert labels == [row["title"] for row in complete_defences(report)]
    assert {row.change for table in tables for row in table.rows} == {"0.00 points"}
