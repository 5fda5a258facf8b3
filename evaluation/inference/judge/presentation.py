"""Agreement with a judge as pages show it."""

from dataclasses import dataclass

from annotator.core.formatting import number
from evaluation.inference.judge.agreement import ORDER, JudgeAgreement
from evaluation.models import Verdict
from evaluation.reports.figures import Figure
from evaluation.reports.tables import Cell, Table, count_cell, interval_cell, table

AGREEMENT = "Agreement"


@dataclass(frozen=True, slots=True)
class ShownAgreement:
    """Kappa and the confusion table, ready to print."""

    sentence: str
    kappas: Table
    confusion: Table
    signature: str


def present_agreement(agreement: JudgeAgreement) -> ShownAgreement:
    share, same, pairs = Figure(agreement.share).percent, number(agreement.agreeing), number(agreement.pairs)
    sentence = f"The judge and people agree on {same} of {pairs} pairs ({share})."
    return ShownAgreement(sentence, _kappas(agreement), _confusion(agreement), agreement.signature)


def _kappas(agreement: JudgeAgreement) -> Table:
    """Both kappas with their intervals. If there is none, a note says why."""
    estimates = {"Cohen's kappa": agreement.kappa, "With quadratic weights": agreement.quadratic}
    notes = [[Cell(estimate.reason)] if agreement.kappa.reason else [] for estimate in estimates.values()]
    rows = [
        (name, [interval_cell(estimate.as_json()), *note])
        for (name, estimate), note in zip(estimates.items(), notes, strict=True)
    ]
    return table(AGREEMENT, ("Value", "Note") if agreement.kappa.reason else ("Value",), rows)


def _confusion(agreement: JudgeAgreement) -> Table:
    names = [Verdict(verdict.value).label for verdict in ORDER]
    rows = [
        (f"Judge: {name}", [count_cell(count) for count in counts])
        for name, counts in zip(names, agreement.confusion, strict=True)
    ]
    return table("Verdict", (f"People: {name}" for name in names), rows)
