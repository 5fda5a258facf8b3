"""Score predictions about profiles against their gold, with a judge if the run has one, and describe every case."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings as site

from evaluation.inference.costs import Usage
from evaluation.inference.gold_profiles import GoldProfile, gold_digest
from evaluation.inference.human_answers import active_seconds, human_pairs, occupation_decisions
from evaluation.inference.judge.services import store_judged
from evaluation.inference.outcomes import Credits
from evaluation.inference.parser import PARSER_VERSION
from evaluation.inference.prompted_answers import Prompted
from evaluation.inference.readers import Format
from evaluation.inference.records import GOLD_REVIEWER, Case, Prediction, PredictionFile
from evaluation.inference.report import VARIANTS, build_report, score_cases
from evaluation.inference.run_judge import RunJudge
from evaluation.inference.scopes import Scope
from evaluation.inference.settings import MissingPolicy, Settings
from evaluation.inference.sound import Decisions
from evaluation.inference.stored_cases import cases_of, describe_case, is_worth_storing
from evaluation.llm.budget import Budget
from evaluation.models import EvaluationRun, InferredCase
from evaluation.runs.results import MeasuredCase, Measurement


@dataclass(frozen=True, slots=True)
class Answers:
    """Predictions by profile, and what the report says about how they were made.

    A system that nobody asks has neither `usage` nor a `budget`.
    """

    predictions: Mapping[int, Mapping[str, Prediction]]
    signature: Mapping[str, str]
    details: Mapping[str, Any]
    usage: Usage | None = None
    budget: Budget | None = None


def score_against_gold(
    run: EvaluationRun, scope: Scope, profiles: Sequence[GoldProfile], answers: Answers, *, judge: RunJudge | None,
    tell: Callable[[int, int], object],
) -> Measurement:  # fmt: skip
    """`tell` gets the judge's progress. Raises NothingToScore, and CannotMeasure if the judge stops."""
    scoring, decisions, digest = scoring_of(run), occupation_decisions(), gold_digest(profiles)
    cases = list(_cases(profiles, answers))
    file = PredictionFile(
        tuple(case for _, case in cases), run.system, GOLD_REVIEWER, Format.LLMPRIVACY.value, digest, scope.name,
        len(profiles),
    )  # fmt: skip
    verdicts = None
    if judge:
        whom = [profile_id for profile_id, case in cases if scoring.includes(case)]
        verdicts = judge.decide(score_cases(file, scoring, decisions), whom, judge.budget_after(answers.budget), tell)
    report = build_report(
        [file], scoring, site.VERSION, decisions=decisions, ceiling=human_pairs(scope.corpus, scope.batch),
        usage=answers.usage, human_seconds=active_seconds(scope.corpus, scope.batch),
        judged=verdicts.scores if verdicts else None,
    )  # fmt: skip
    signature = _signature(report["signature"], {**answers.signature, **(judge.signature if judge else {})})
    stored = [pair for pair in cases if _is_stored(pair[1], scoring)]

    def store_verdicts(rows: Sequence[InferredCase | None]) -> None:
        is_scored = (not case.label.is_negative for _, case in stored)
        if verdicts:
            store_judged([row for row, counts in zip(rows, is_scored, strict=True) if counts], verdicts.result)

    return Measurement(
        report | dict(answers.details) | _prompted(scope, profiles) | {"signature": signature},
        cases=describe_cases(stored, scoring, file.format, decisions, verdicts.scores.credits if verdicts else ()),
        inputs={"scope": scope.name, "gold": _gold(scope, profiles, digest), "parser": PARSER_VERSION},
        store_more=store_verdicts,
    )


def scoring_of(run: EvaluationRun) -> Settings:
    contents = run.settings["scoring"]
    return Settings(**contents | {"missing": MissingPolicy(contents["missing"])})


def describe_cases(
    cases: Sequence[tuple[int | None, Case]], scoring: Settings, form: str, decisions: Decisions | None = None,
    judged: Sequence[Credits] = (),
) -> list[MeasuredCase]:  # fmt: skip
    """What is scored, and negatives that the system was asked about. `judged` has the credits of the scored ones."""
    described, credits_left = [], iter(judged)
    for profile_id, case in cases:
        if _is_stored(case, scoring):
            credit = None if case.label.is_negative else next(credits_left, None)
            outcome, contents = describe_case(case, VARIANTS[form], decisions, judged=credit)
            described.append(MeasuredCase(profile_id, case.profile, case.attribute, outcome.value, contents))
    return described


def _is_stored(case: Case, scoring: Settings) -> bool:
    return is_worth_storing(case) and (case.label.is_negative or scoring.includes(case))


def _cases(profiles: Sequence[GoldProfile], answers: Answers) -> Iterator[tuple[int, Case]]:
    for profile in profiles:
        for case in cases_of(profile.pseudonym, profile.labels, answers.predictions.get(profile.pk)):
            yield profile.pk, case


def _gold(scope: Scope, profiles: Sequence[GoldProfile], digest: str) -> dict[str, Any]:
    records = sum(len(profile.labels) for profile in profiles)
    return {"scope": scope.name, "sha256": digest, "profiles": len(profiles), "records": records}


def _prompted(scope: Scope, profiles: Sequence[GoldProfile]) -> dict[str, Any]:
    """How many labels people only confirmed after a model had claimed them. Nothing if none can count."""
    if scope.prompted is Prompted.NONE:
        return {}
    counted, left_out = (
        sum(map(len, sets)) for sets in zip(*((p.prompted, p.left_out) for p in profiles), strict=True)
    )
    return {"prompted": {"setting": scope.prompted.value, "counted": counted, "left_out": left_out}}


def _signature(signature: str, more: Mapping[str, str]) -> str:
    """Of a run over gold: what stands for a file's predictions is the digest of the gold."""
    fields = "".join(f"|{name}:{value}" for name, value in more.items())
    return signature.replace("|predictions:", "|gold:", 1) + fields
