"""The agreement page: the newest report, and what has been submitted since."""

from dataclasses import dataclass

from annotator.models import Annotator
from evaluation.agreement.presentation import MOST_PAIRS, PairRow, Section, pair_rows, sections
from evaluation.agreement.scopes import Scope, Standing, standing
from evaluation.models import AgreementReport


@dataclass(frozen=True, slots=True)
class AgreementState:
    """`is_stale` where the figures would come out otherwise now."""

    report: AgreementReport | None
    now: Standing

    @property
    def is_stale(self) -> bool:
        """Nothing submitted and nothing measured is no reason to measure."""
        if self.report is None:
            return self.now.slots > 0
        return self.report.signature != str(self.now.signature)


@dataclass(frozen=True, slots=True)
class AgreementFigures:
    sections: list[Section]
    pairs: list[PairRow]
    left_out: int


def agreement_state(scope: Scope) -> AgreementState:
    """3 queries."""
    report = AgreementReport.objects.in_scope(scope.corpus, scope.batch).first()
    return AgreementState(report, standing(scope, report.counted_until if report else None))


def agreement_figures(report: AgreementReport, *, with_names: bool) -> AgreementFigures | None:
    """None where no two people judged the same profile. People by name, or by their code. 1 query, or none."""
    if not report.contents["profiles"]:
        return None
    names = dict(Annotator.objects.values_list("code", "display_name")) if with_names else {}
    left_out = len(report.contents["pairs"].get("presence", ())) - MOST_PAIRS
    return AgreementFigures(sections(report.contents), pair_rows(report.contents, names), max(left_out, 0))
