"""Judged pairs, as the audit page and the report show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from annotator.models import Annotator
from evaluation.inference.judge.agreement import AuditedVerdict, JudgeAgreement, measure_agreement
from evaluation.inference.judge.sampling import draw_sample
from evaluation.inference.judge.verdicts import Verdict
from evaluation.inference.settings import plain_name
from evaluation.models import AuditedPair, EvaluationKind, EvaluationRun, JudgedPair
from profiles.attributes import Attribute


@dataclass(frozen=True, slots=True)
class BlindPair:
    """What an auditor sees: nothing of the judge's verdict."""

    pk: int
    attribute: str
    label: str
    guess: str


@dataclass(frozen=True, slots=True)
class Audit:
    """How far somebody is with the sample, the next pair, and the one that they decided last."""

    sample: Sequence[int]
    done: int
    pair: BlindPair | None
    last: int | None

    @property
    def size(self) -> int:
        return len(self.sample)

    @property
    def number(self) -> int:
        return self.done + 1

    @property
    def is_finished(self) -> bool:
        return bool(self.sample) and self.pair is None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A pair of which a person and the judge say different things."""

    attribute: str
    label: str
    guess: str
    judge: str
    person: str
    who: str


def judged_runs() -> QuerySet[EvaluationRun]:
    """Runs that can have judged pairs, without their reports."""
    return EvaluationRun.objects.filter(kind=EvaluationKind.INFERENCE).defer("report")


def sample_of(run: EvaluationRun) -> list[int]:
    """The pairs of a run that people check, in the order in which they are shown. 1 query."""
    rows = JudgedPair.objects.filter(case__run=run).values_list("pk", "case__attribute", "verdict")
    return draw_sample({pk: (attribute, verdict) for pk, attribute, verdict in rows})


def audit_by(run: EvaluationRun, annotator: Annotator) -> Audit:
    """3 queries."""
    sample = sample_of(run)
    audits = AuditedPair.objects.filter(annotator=annotator, pair__in=sample).order_by("decided_at", "pk")
    done = list(audits.values_list("pair_id", flat=True))
    upcoming = next((number for number in sample if number not in set(done)), None)
    return Audit(sample, len(done), _blind_pair(upcoming) if upcoming else None, done[-1] if done else None)


def _blind_pair(number: int) -> BlindPair:
    pair = JudgedPair.objects.select_related("case").defer("verdict").get(pk=number)
    label, guess = pair_texts(pair.case.contents, pair.position)
    return BlindPair(pair.pk, Attribute(pair.case.attribute).label, label, guess)


def pair_texts(contents: Mapping[str, Any], position: int) -> tuple[str, str]:
    """Label and guess of a case as it is stored."""
    label, guesses = contents.get("label") or {}, contents.get("guesses") or []
    return str(label.get("value", "")), str(guesses[position - 1] if 0 < position <= len(guesses) else "")


def judge_agreement(run: EvaluationRun) -> JudgeAgreement | None:
    """The judge against all people who checked pairs of this run, or None if nobody has. 1 query."""
    columns = ("pair__case__name", "pair__verdict", "verdict")
    audits = AuditedPair.objects.filter(pair__case__run=run).order_by("pk").values_list(*columns)
    verdicts = [AuditedVerdict(name, Verdict(judge), Verdict(person)) for name, judge, person in audits]
    return measure_agreement(verdicts, judge=plain_name((run.settings.get("judge") or {}).get("model", "")))


def disagreements(run: EvaluationRun) -> list[Disagreement]:
    """Where people and the judge differ, by attribute and label. 1 query."""
    audits = AuditedPair.objects.filter(pair__case__run=run).select_related("pair__case", "annotator")
    rows = [_disagreement(audit) for audit in audits.order_by("pair__case__attribute", "pair_id", "pk")]
    return [row for row in rows if row.judge != row.person]


def _disagreement(audit: AuditedPair) -> Disagreement:
    pair = audit.pair
    label, guess = pair_texts(pair.case.contents, pair.position)
    attribute = Attribute(pair.case.attribute).label
    judge, person = pair.get_verdict_display(), audit.get_verdict_display()
    return Disagreement(attribute, label, guess, judge, person, audit.annotator.username)
