"""The newest report, and what has been submitted since."""

from dataclasses import dataclass

from annotator.models import Annotator
from evaluation.agreement.presentation import MAX_PAIRS, PairRow, Section, pair_rows, sections
from evaluation.agreement.scopes import Scope, ScopeState, scope_state
from evaluation.models import AgreementReport


@dataclass(frozen=True, slots=True)
class AgreementState:
    """The newest report, and the state of its scope now."""

    report: AgreementReport | None
    now: ScopeState

    @property
    def is_stale(self) -> bool:
        """Would the scores differ now? Nothing submitted and nothing measured is not stale."""
        if self.report is None:
            return self.now.submissions > 0
        return self.report.signature != str(self.now.signature)


@dataclass(frozen=True, slots=True)
class AgreementTables:
    sections: list[Section]
    pairs: list[PairRow]
    left_out: int


def agreement_state(scope: Scope) -> AgreementState:
    """3 queries."""
    report = AgreementReport.objects.in_scope(scope.corpus, scope.batch).first()
    return AgreementState(report, scope_state(scope, report.counted_until if report else None))


def agreement_tables(report: AgreementReport, *, with_names: bool) -> AgreementTables | None:
    """Tables for the page; None where no two people judged the same profile. 1 query, or none."""
    if not report.contents["profiles"]:
        return None
    names = dict(Annotator.objects.values_list("code", "display_name")) if with_names else {}
    left_out = len(report.contents["pairs"].get("presence", ())) - MAX_PAIRS
    return AgreementTables(sections(report.contents), pair_rows(report.contents, names), max(left_out, 0))
