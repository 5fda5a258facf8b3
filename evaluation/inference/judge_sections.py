"""The part of an attribute report about its judge: whom it asked what, its verdicts, and what people say of them."""

from collections.abc import Mapping
from typing import Any

from annotator.core.formatting import number, plural
from evaluation.inference.judge.agreement import JudgeAgreement
from evaluation.inference.score_sections import share_of
from evaluation.reports.figures import Figure
from evaluation.reports.tables import Section, Side, count_cell, table

Contents = Mapping[str, Any]

CENT = 0.01
VERDICTS = {"match": "Match", "less-precise": "Less precise", "no-match": "No match"}
UNCHECKED = "Nobody has checked the judge yet."
NOTE = (
    "A judge model reviews place and occupation guesses that our rules mark wrong. Undecided and unanswered ones "
    "count as no match."
)


def judge_section(model: Contents, agreement: JudgeAgreement | None = None) -> Section | None:
    """None without a judge. `agreement` is the newest, so it isn't part of the stored report."""
    if not model.get("judged"):
        return None
    judge = model["judged"]["judge"]
    rows = [(title, [share_of(judge["verdicts"][name], judge["pairs"])]) for name, title in VERDICTS.items()]
    rows += [("Undecided", [share_of(judge["undecided"], judge["pairs"])])]
    if failed := sum(judge["problems"].values()):
        rows.append(("No answer", [share_of(failed, judge["pairs"])]))
    rows.append(("Judged", [count_cell(judge["pairs"])]))
    verdicts = table("Verdict", ("Guesses",), rows, main="Judged")
    remarks = (kappa_in_words(agreement), f"{judge['model']}, prompt {judge['prompt']}. {_usage(judge)}")
    return Section("judge", "The judge", NOTE, (verdicts,), side=Side.LEFT, remarks=remarks)


def kappa_in_words(agreement: JudgeAgreement | None) -> str:
    """How far people agree with the judge: `Cohen’s kappa with people 0.71 (0.52 to 0.88), over 50 pairs.`"""
    if agreement is None:
        return UNCHECKED
    figure, pairs = Figure.of(agreement.kappa.as_json()), plural(agreement.pairs, "pair")
    if figure.value is None:
        return f"People checked {pairs}. {figure.reason}"
    interval = f" ({figure.interval})" if figure.interval else ""
    return f"Cohen’s kappa with people {figure.shown}{interval}, over {pairs}."


def kappa_note(agreement: JudgeAgreement | None) -> str:
    """The same, for a card."""
    if agreement is None:
        return "not checked by people yet"
    figure = Figure.of(agreement.kappa.as_json())
    return f"kappa {figure.shown}, n = {number(agreement.pairs)}" if figure.value is not None else "too few checked"


def judge_in_words(judge: Contents) -> str:
    decided = ", ".join(f"{title.lower()} {number(judge['verdicts'][name])}" for name, title in VERDICTS.items())
    return (
        f"The judge, {judge['model']}, was asked about {plural(judge['pairs'], 'guess', 'guesses')}: {decided}, "
        f"undecided {number(judge['undecided'])}, no answer {number(sum(judge['problems'].values()))}."
    )


def _usage(judge: Contents) -> str:
    usage = judge["usage"]
    tokens = f"{plural(usage['calls'], 'answer')}, {number(usage['prompt_tokens'] + usage['completion_tokens'])} tokens"
    if usage["cost"] is None:
        return f"{tokens}, no prices entered."
    return f"{tokens}, {usage['cost']:{'.2f' if usage['cost'] >= CENT else '.2g'}} {usage['currency']}."
