"""Measure a run of kind `inference`: get predictions, score them against gold, and describe every case."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings as site

from annotator.core.formatting import number, plural
from evaluation.inference.baselines import BASELINES, predict
from evaluation.inference.gold_profiles import GoldProfile, baseline_profiles, gold_digest
from evaluation.inference.model_answers import Inference, infer_attributes
from evaluation.inference.parser import PARSER_VERSION
from evaluation.inference.plans import Limit, SystemKind
from evaluation.inference.prompt_store import PromptGone, prompt_named
from evaluation.inference.prompts import Prompt
from evaluation.inference.questions import QuestionSettings
from evaluation.inference.readers import Format, UnreadablePredictions, read_predictions
from evaluation.inference.records import Case, Prediction, PredictionFile
from evaluation.inference.report import VARIANTS, NothingToScore, build_report
from evaluation.inference.scopes import Scope, stored_scope
from evaluation.inference.settings import DIGEST_LENGTH, MissingPolicy, Settings
from evaluation.inference.stored_cases import cases_of, describe_case, is_worth_storing
from evaluation.llm.budget import BudgetUnusable, Prices
from evaluation.llm.client import ModelClient
from evaluation.llm.endpoints import Endpoint, EndpointRefused, open_endpoint
from evaluation.llm.stored import endpoint_of, prices_of
from evaluation.models import EvaluationRun, ModelEndpoint
from evaluation.runs.results import CannotMeasure, MeasuredCase, Measurement
from evaluation.runs.storage import path_of

SCOPE_GONE = "The corpus or batch that it is about is gone. Start a new run."
NO_GOLD = "No profile has gold. Label profiles and build gold first."
ENDPOINT_GONE = "The endpoint was removed. Start a new run with another one."
ENDPOINT_CHANGED = "The endpoint has another model or address now. Start a new run with it."
PROMPT_CHANGED = "The prompt has other words now. Start a new run."
FILE_GONE = "Its file is no longer on the server. Start a new run with it."
OTHER_BASELINE = "This version of Telltale has no such baseline. Start a new run."
STANDING = "{reason} {answered} of {profiles} were answered."
REVIEWER = "gold"

Tell = Callable[[int, int], None]
Predictions = Mapping[int, Mapping[str, Prediction]]


@dataclass(frozen=True, slots=True)
class Answers:
    """Predictions by profile, and what the report says about how they were made."""

    predictions: Predictions
    signature: Mapping[str, str]
    details: Mapping[str, Any]


def measure_inference(run: EvaluationRun, tell: Tell) -> Measurement:
    """Raises CannotMeasure with a sentence, and JobLost once somebody cancelled the run."""
    try:
        if run.settings["system"]["kind"] == SystemKind.FILE:
            return _measure_file(run, tell)
        return _measure_gold(run, tell)
    except (NothingToScore, UnreadablePredictions, EndpointRefused, BudgetUnusable, PromptGone) as refusal:
        raise CannotMeasure(str(refusal)) from refusal


def _measure_gold(run: EvaluationRun, tell: Tell) -> Measurement:
    scope = stored_scope(run)
    profiles = scope.profiles() if scope else []
    if scope is None or not profiles:
        raise CannotMeasure(NO_GOLD if scope else SCOPE_GONE)
    tell(0, len(profiles))
    if run.settings["system"]["kind"] == SystemKind.BASELINE:
        answers = _predict(run, profiles)
    else:
        answers = _ask(run, profiles, tell)
    tell(len(profiles), len(profiles))
    return _score(run, scope, profiles, answers)


def _measure_file(run: EvaluationRun, tell: Tell) -> Measurement:
    """Predictions with labels of their own. Their profiles are nobody of ours."""
    stored, details = run.files.order_by("pk").first(), run.settings["system"]
    if stored is None or not path_of(stored).exists():
        raise CannotMeasure(FILE_GONE)
    file = read_predictions(
        path_of(stored), form=Format(details["format"]), model=details["model"], reviewer=details["reviewer"]
    )
    tell(0, file.profiles)
    scoring = scoring_of(run)
    report = build_report([replace(file, name=stored.name)], scoring, site.VERSION)
    cases = [(None, case) for case in file.cases]
    inputs = {"predictions": {"name": stored.name, "format": file.format, "sha256": file.sha256}}
    return Measurement(_headed(report), cases=_described(cases, scoring, file.format), inputs=inputs)


# ── Baselines and models ────────────────────────────────────────────────────


def _predict(run: EvaluationRun, profiles: Sequence[GoldProfile]) -> Answers:
    name = run.settings["system"]["name"]
    if name not in BASELINES:
        raise CannotMeasure(OTHER_BASELINE)
    predictions = predict(name, list(baseline_profiles(profiles)), seed=run.settings["scoring"]["seed"])
    return Answers(predictions, {}, {"baseline": {"name": name, "description": BASELINES[name]}})


def _ask(run: EvaluationRun, profiles: Sequence[GoldProfile], tell: Tell) -> Answers:
    """Ask about every profile. A run that could not ask about all of them has no report: it would be biased."""
    endpoint, prices = endpoint_for(run.settings["system"])
    question, prompt = question_of(run)
    inference = Inference()
    infer_attributes(
        profiles, ModelClient(endpoint, run.asked_by), question,
        budget=Limit.of(run.settings["budget"]).budget(prices), prompt=prompt, account=run.settings["account"],
        tell=lambda standing: tell(min(inference.answered, len(profiles)), len(profiles)), inference=inference,
    )  # fmt: skip
    if inference.ended_early:
        answered, total = number(inference.answered), plural(len(profiles), "profile")
        raise CannotMeasure(STANDING.format(reason=inference.ended_early, answered=answered, profiles=total))
    details = {"question": run.settings["question"], **_answer_details(inference, prices)}
    return Answers(inference.predictions, _question_signature(question, prompt), details)


def endpoint_for(system: Mapping[str, Any]) -> tuple[Endpoint, Prices | None]:
    """The endpoint as it was when the run was requested. Raises CannotMeasure and EndpointRefused."""
    if system["kind"] == SystemKind.ADDRESS:
        endpoint = open_endpoint(
            system["base_url"], system["model"], send_texts_to=system["send_texts_to"],
            concurrency=system["concurrency"],
        )  # fmt: skip
        return endpoint, None
    row = ModelEndpoint.objects.usable().filter(pk=system["endpoint"]).first()
    if row is None:
        raise CannotMeasure(ENDPOINT_GONE)
    if (row.base_url, row.model) != (system["base_url"], system["model"]):
        raise CannotMeasure(ENDPOINT_CHANGED)
    return endpoint_of(row), prices_of(row)


def question_of(run: EvaluationRun) -> tuple[QuestionSettings, Prompt]:
    """Raises CannotMeasure if the prompt isn't the one that the run was requested with, and PromptGone."""
    contents = {name: value for name, value in run.settings["question"].items() if name in QUESTION_FIELDS}
    prompt = prompt_named(contents["prompt"])
    if prompt.digest != run.settings["question"]["prompt_sha256"]:
        raise CannotMeasure(PROMPT_CHANGED)
    return QuestionSettings(**contents), prompt


QUESTION_FIELDS = frozenset(QuestionSettings().as_json())


def scoring_of(run: EvaluationRun) -> Settings:
    contents = run.settings["scoring"]
    return Settings(**contents | {"missing": MissingPolicy(contents["missing"])})


# ── The report ──────────────────────────────────────────────────────────────


def _score(run: EvaluationRun, scope: Scope, profiles: Sequence[GoldProfile], answers: Answers) -> Measurement:
    scoring, digest = scoring_of(run), gold_digest(profiles)
    cases = [
        (profile.pk, case)
        for profile in profiles
        for case in cases_of(profile.pseudonym, profile.labels, answers.predictions.get(profile.pk))
    ]
    file = PredictionFile(
        tuple(case for _, case in cases), run.system, REVIEWER, Format.LLMPRIVACY.value, digest, scope.name,
        len(profiles),
    )  # fmt: skip
    report = build_report([file], scoring, site.VERSION) | dict(answers.details)
    report["signature"] = _signature(report["signature"], answers.signature)
    records = sum(len(profile.labels) for profile in profiles)
    gold = {"scope": scope.name, "sha256": digest, "profiles": len(profiles), "records": records}
    return Measurement(
        _headed(report),
        cases=_described(cases, scoring, file.format),
        inputs={"scope": scope.name, "gold": gold, "parser": PARSER_VERSION},
    )


def _signature(signature: str, question: Mapping[str, str]) -> str:
    """Of a run over gold: what stands for a file's predictions is the digest of the gold."""
    more = "".join(f"|{name}:{value}" for name, value in question.items())
    return signature.replace("|predictions:", "|gold:", 1) + more


def _question_signature(question: QuestionSettings, prompt: Prompt) -> dict[str, str]:
    return {
        "prompt": f"{prompt.name}@{prompt.digest[:DIGEST_LENGTH]}",
        "question": question.digest,
        "parser": str(PARSER_VERSION),
    }


def _answer_details(inference: Inference, prices: Prices | None) -> dict[str, Any]:
    usage = inference.usage
    cost = None if prices is None else prices.cost(usage)
    return {
        "usage": {
            "answers": inference.answers, "prompt_tokens": usage.prompt, "completion_tokens": usage.completion,
            "seconds": round(inference.seconds, 3), "cost": None if cost is None else float(cost),
            "currency": prices.currency if prices else "",
            "prices_read_on": prices.read_on.isoformat() if prices else "",
        },
        "replies": {"forms": dict(inference.forms), "problems": dict(inference.problems), "parser": PARSER_VERSION},
        "selection": {"cut_profiles": inference.cut_profiles, "left_out": inference.left_out},
    }  # fmt: skip


def _headed(report: Mapping[str, Any]) -> dict[str, Any]:
    """With the numbers that lists show, unless the report brings its own."""
    sound, negatives = report["sound"], report["negatives"] or {}
    headline = [
        {"label": f"Top-{top}, our scorer", "is_share": True, **sound["intervals"][f"top{top}"]} for top in (1, 3)
    ]
    if negatives:
        note = "where people could not tell"
        headline.append({"label": "Guessed anyway", "is_share": True, "value": negatives["rate"], "note": note})
    return {"headline": headline, **report}


def _described(cases: Sequence[tuple[int | None, Case]], scoring: Settings, form: str) -> list[MeasuredCase]:
    return list(_describe(cases, scoring, form))


def _describe(cases: Sequence[tuple[int | None, Case]], scoring: Settings, form: str) -> Iterator[MeasuredCase]:
    """What is scored, and negatives that the system was asked about."""
    for profile_id, case in cases:
        if is_worth_storing(case) and (case.label.is_negative or scoring.includes(case)):
            outcome, contents = describe_case(case, VARIANTS[form])
            yield MeasuredCase(profile_id, case.profile, case.attribute, outcome.value, contents)
