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
    sentence = f"The judge and people say the same of {same} of {pairs} pairs ({share})."
    kappas = [("Cohen's kappa", agreement.kappa), ("With quadratic weights", agreement.quadratic)]
    rows = [(name, [interval_cell(estimate.as_json()), Cell(estimate.reason)]) for name, estimate in kappas]
    return ShownAgreement(
        sentence, table(AGREEMENT, ("Value", "Note"), rows), _confusion(agreement), agreement.signature
    )


def _confusion(agreement: JudgeAgreement) -> Table:
    names = [Verdict(verdict.value).label for verdict in ORDER]
    rows = [
        (f"Judge: {name}", [count_cell(count) for count in counts])
        for name, counts in zip(names, agreement.confusion, strict=True)
    ]
    return table("Verdict", (f"People: {name}" for name in names), rows)
