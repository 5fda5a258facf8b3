"""The newest report, and submissions since then."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from annotator.core.formatting import decimal
from annotator.core.jobs import ShownJob, show_job
from annotator.models import Annotator
from evaluation.agreement.presentation import MAX_PAIRS, PairRow, Section, pair_rows, sections
from evaluation.agreement.scopes import Scope, ScopeState, scope_state
from evaluation.agreement.summary import RELIABLE, TENTATIVE, SummaryTopic, summarise
from evaluation.models import AgreementJob, AgreementReport
from profiles.jobs.states import State, state_of

CLOCK_TOLERANCE = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class AgreementState:
    """The newest report, and the current state of its scope."""

    report: AgreementReport | None
    now: ScopeState

    @property
    def is_stale(self) -> bool:
        """Whether anything changed since the report. Without a report, whether there are any submissions."""
        if self.report is None:
            return self.now.submissions > 0
        return self.report.signature != str(self.now.signature)

    def has_counted_until(self, moment: datetime) -> bool:
        """Whether the report counts everything up to then. Times are written by two clocks: allow for a second."""
        return self.report is not None and self.report.began_at - CLOCK_TOLERANCE >= moment


@dataclass(frozen=True, slots=True)
class AgreementTables:
    summary: tuple[SummaryTopic, ...]
    sections: list[Section]
    pairs: list[PairRow]
    left_out: int
    has_enough: bool  # profiles for any figure
    reliable: str = decimal(RELIABLE)
    tentative: str = f"{TENTATIVE}"


def agreement_state(scope: Scope, report_id: int | None = None) -> AgreementState:
    """The newest report, or this one. 3 queries."""
    reports = AgreementReport.objects.in_scope(scope.corpus, scope.batch)
    report = (reports.filter(pk=report_id) if report_id else reports).first()
    return AgreementState(report, scope_state(scope, report.counted_until if report else None))


def agreement_job(scope: Scope) -> ShownJob | None:
    """The job that is working out a report, or that has failed to. 1 query."""
    job = AgreementJob.objects.filter(corpus=scope.corpus, batch=scope.batch).first()
    if job is None or state_of(job) not in (State.RUNNING, State.FAILED):
        return None
    return show_job(job, "attributes", step="Attributes")


def agreement_tables(report: AgreementReport, *, with_names: bool) -> AgreementTables | None:
    """Tables for the page. None if no profile was judged by two people. 1 query, or none."""
    if not report.contents["profiles"]:
        return None
    names = dict(Annotator.objects.values_list("code", "display_name")) if with_names else {}
    left_out = len(report.contents["pairs"].get("presence", ())) - MAX_PAIRS
    return AgreementTables(
        summarise(report.contents), sections(report.contents), pair_rows(report.contents, names), max(left_out, 0),
        has_enough=report.contents["profiles"] >= report.contents["least_profiles"],
    )  # fmt: skip
