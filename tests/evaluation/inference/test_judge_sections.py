"""The judge in a report: its score beside the others, its verdicts, and what people say of them."""

from io import StringIO

import pytest
from rich.console import Console

from evaluation.inference.headlines import JUDGED
from evaluation.inference.judge.agreement import AuditedVerdict, measure_agreement
from evaluation.inference.judge.verdicts import Verdict
from evaluation.inference.judge_sections import UNCHECKED, kappa_in_words, kappa_note
from evaluation.inference.presentation import present_inference
from evaluation.inference.report import Judged, build_report, score_cases, scorers_of
from evaluation.inference.requirements import metric_values
from evaluation.inference.settings import Settings
from evaluation.inference.terminal import print_report
from tests.evaluation.inference.cases import make_case
from tests.evaluation.inference.test_report import make_file

SETTINGS = Settings(bootstrap=20)
CASES = [make_case(value="nurse", guesses=("RN", "lawyer"), profile=name) for name in "abcd"]
JUDGE = {
    "model": "<b>wise</b>", "prompt": "judge-1", "pairs": 8, "undecided": 3, "problems": {"empty": 1},
    "verdicts": {"match": 2, "less-precise": 1, "no-match": 1},
    "usage": {"calls": 7, "prompt_tokens": 70, "completion_tokens": 35, "cost": 0.004, "currency": "EUR"},
}  # fmt: skip


@pytest.fixture(scope="module")
def report() -> dict:
    credit = [(1.0, 0.0), (1.0, 0.0), (0.5, 0.0), (0.0, 0.0)]
    return build_report([make_file(*CASES)], SETTINGS, judged=Judged(credit, JUDGE))


def audits(*pairs: tuple[str, str]):
    rows = [AuditedVerdict(str(at), Verdict(judge), Verdict(person)) for at, (judge, person) in enumerate(pairs)]
    return measure_agreement(rows, judge="wise")


def test_the_judged_score_has_the_shape_of_ours_and_changes_nothing_else(report):
    judged, plain = report["judged"], build_report([make_file(*CASES)], SETTINGS)
    assert (judged["n"], judged["top1"], judged["with_half_credit"]["top1"]) == (4, 0.5, 0.625)
    assert judged["by_attribute"]["occupation"]["top1"] == 0.5
    assert judged.keys() - report["sound"].keys() == {"judge"}
    assert [report[name] for name in ("sound", "compat", "published")] == [
        plain[name] for name in ("sound", "compat", "published")
    ]
    assert ("judged" in plain, scorers_of(plain)) == (False, ("published", "compat", "sound"))


def test_credits_have_to_fit_the_scored_cases():
    scored = score_cases(make_file(*CASES), SETTINGS)
    assert [item.case.profile for item in scored] == list("abcd")
    with pytest.raises(ValueError, match="shorter"):
        build_report([make_file(*CASES)], SETTINGS, judged=Judged([(1.0,)], JUDGE))


def test_the_page_names_the_judge_and_counts_what_it_could_not_decide(report):
    shown = present_inference(report)
    sections = {
        part.key: part for block in shown.blocks for side in (block.wide, block.left, block.right) for part in side
    }
    text = str(sections["scorers"])
    assert "<b>wise</b>" in text
    assert "3 undecided" in text
    verdicts = {row.head: row.cells[0].text for row in sections["judge"].tables[0].rows}
    assert verdicts == {
        "Match": "2", "Less precise": "1", "No match": "1", "Undecided": "3", "No answer": "1", "Judged": "8",
    }  # fmt: skip
    assert sections["judge"].remarks == (UNCHECKED, "<b>wise</b>, prompt judge-1. 7 answers, 105 tokens, 0.004 EUR.")
    card = next(headline for headline in shown.headlines if headline.label == JUDGED)
    assert (card.figure.value, card.note) == (0.5, "<b>wise</b> · not checked by people yet")


def test_kappa_stands_beside_the_score(report):
    agreement = audits(*[("match", "match")] * 8, *[("no-match", "no-match")] * 3, ("match", "no-match"))
    card = next(item for item in present_inference(report, agreement).headlines if item.label == JUDGED)
    assert card.note == f"<b>wise</b> · {kappa_note(agreement)}"
    assert kappa_note(agreement) == "kappa 0.80, n = 12"
    assert kappa_in_words(agreement).startswith("Cohen’s kappa with people 0.80 (")
    assert kappa_in_words(agreement).endswith("over 12 pairs.")


def test_too_few_audits_give_a_reason_instead_of_kappa():
    agreement = audits(("match", "match"))
    assert kappa_note(agreement) == "too few checked"
    assert kappa_in_words(agreement).startswith("People checked 1 pair. Too few")


def test_the_terminal_has_a_row_and_a_line(report):
    file = StringIO()
    print_report(report, Console(file=file, width=300))
    assert "judged (our rules, then a judge model)" in file.getvalue()
    assert (
        "was asked about 8 guesses: match 2, less precise 1, no match 1, undecided 3, no answer 1." in file.getvalue()
    )


def test_requirements_can_name_it(report):
    assert dict(metric_values(report))["judged-top1"] == 0.5
