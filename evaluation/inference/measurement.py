"""Measure a run of kind `inference`: get predictions from a model, a baseline or a file, and score them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from django.conf import settings as site

from annotator.core.formatting import number, plural
from evaluation.inference.baselines import BASELINES, VERSION, predict
from evaluation.inference.costs import Usage
from evaluation.inference.gold_profiles import GoldProfile, baseline_profiles
from evaluation.inference.gold_scores import Answers, describe_cases, score_against_gold, scoring_of
from evaluation.inference.model_answers import Inference, infer_attributes
from evaluation.inference.parser import PARSER_VERSION
from evaluation.inference.prompt_store import PromptGone
from evaluation.inference.prompts import Prompt
from evaluation.inference.questions import QuestionSettings
from evaluation.inference.readers import Format, UnreadablePredictions, read_predictions
from evaluation.inference.report import NothingToScore, build_report
from evaluation.inference.run_endpoints import question_of
from evaluation.inference.run_judge import open_judge
from evaluation.inference.scopes import stored_scope
from evaluation.inference.settings import DIGEST_LENGTH
from evaluation.inference.text_versions import ORIGINALS, TextVersion
from evaluation.llm.budget import BudgetUnusable, Limit, Prices
from evaluation.llm.budget import Usage as Tokens
from evaluation.llm.client import ModelClient
from evaluation.llm.endpoints import EndpointRefused
from evaluation.models import EvaluationRun
from evaluation.runs.results import CannotMeasure, Measurement
from evaluation.runs.storage import path_of
from evaluation.runs.systems import OTHER_BASELINE, SystemKind, endpoint_for

SCOPE_GONE = "The corpus or batch of this run no longer exists. Start a new run."
NO_GOLD = "No profile has gold yet. Label profiles and build gold first."
FILE_GONE = "The file is no longer on the server. Start a new run and upload it again."
STANDING = "{reason} Answered so far: {answered} of {profiles}."

Tell = Callable[[int, int], None]


def measure_inference(run: EvaluationRun, tell: Tell, texts: TextVersion = ORIGINALS) -> Measurement:
    """Raises CannotMeasure with a sentence, and JobLost once somebody cancelled the run."""
    try:
        if run.settings["system"]["kind"] == SystemKind.FILE:
            return _measure_file(run, tell)
        return _measure_gold(run, tell, texts)
    except (NothingToScore, UnreadablePredictions, EndpointRefused, BudgetUnusable, PromptGone) as refusal:
        raise CannotMeasure(str(refusal)) from refusal


def _measure_gold(run: EvaluationRun, tell: Tell, texts: TextVersion) -> Measurement:
    scope = stored_scope(run)
    profiles = scope.profiles() if scope else []
    if scope is None or not profiles:
        raise CannotMeasure(NO_GOLD if scope else SCOPE_GONE)
    judge = open_judge(run)  # first, so that nothing is paid for if the judge is gone
    tell(0, len(profiles))
    if run.settings["system"]["kind"] == SystemKind.BASELINE:
        answers = _predict(run, profiles, texts)
    else:
        answers = _ask(run, profiles, texts, tell)
    answers = replace(
        answers, signature={**answers.signature, **texts.signature}, details={**answers.details, **texts.details}
    )
    tell(len(profiles), len(profiles))

    def tell_judged(done: int, pairs: int) -> None:
        tell(len(profiles) + done, len(profiles) + pairs)

    return score_against_gold(run, scope, profiles, answers, judge=judge, tell=tell_judged)


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
    return Measurement(report, cases=describe_cases(cases, scoring, file.format), inputs=inputs)


# ── Baselines and models ────────────────────────────────────────────────────


def _predict(run: EvaluationRun, profiles: Sequence[GoldProfile], texts: TextVersion) -> Answers:
    name = run.settings["system"]["name"]
    if name not in BASELINES:
        raise CannotMeasure(OTHER_BASELINE)
    predictions = predict(name, list(baseline_profiles(profiles, texts.load)), seed=run.settings["scoring"]["seed"])
    details = {"baseline": {"name": name, "description": BASELINES[name]}}
    return Answers(predictions, {"baseline": f"{name}@{VERSION}"}, details)


def _ask(run: EvaluationRun, profiles: Sequence[GoldProfile], texts: TextVersion, tell: Tell) -> Answers:
    """Ask about every profile. A run that could not ask about all of them has no report: it would be biased."""
    endpoint, prices = endpoint_for(run.settings["system"])
    question, prompt = question_of(run)
    inference, budget = Inference(), Limit.of(run.settings["budget"]).budget(prices)
    infer_attributes(
        profiles, ModelClient(endpoint, run.asked_by), question, budget=budget, prompt=prompt,
        account=run.settings["account"], inference=inference, load=texts.load,
        tell=lambda standing: tell(min(inference.answered, len(profiles)), len(profiles)),
    )  # fmt: skip
    if inference.ended_early:
        answered, total = number(inference.answered), plural(len(profiles), "profile")
        raise CannotMeasure(STANDING.format(reason=inference.ended_early, answered=answered, profiles=total))
    details = {
        "question": run.settings["question"],
        "replies": {"forms": dict(inference.forms), "problems": dict(inference.problems), "parser": PARSER_VERSION},
        "selection": {"cut_profiles": inference.cut_profiles, "left_out": inference.left_out},
    }
    usage = total_usage([inference], prices, len(profiles))
    return Answers(inference.predictions, question_signature(question, prompt), details, usage, budget)


def question_signature(question: QuestionSettings, prompt: Prompt) -> dict[str, str]:
    return {
        "prompt": f"{prompt.name}@{prompt.digest[:DIGEST_LENGTH]}",
        "question": question.digest,
        "parser": str(PARSER_VERSION),
    }


def total_usage(inferences: Sequence[Inference], prices: Prices | None, profiles: int) -> Usage:
    tokens = sum((inference.usage for inference in inferences), Tokens())
    return Usage(
        calls=sum(inference.answers for inference in inferences),
        prompt_tokens=tokens.prompt, completion_tokens=tokens.completion,
        seconds=sum(inference.seconds for inference in inferences), cost=prices.cost(tokens) if prices else None,
        currency=prices.currency if prices else "", prices_date=prices.read_on if prices else None,
        # some of those that were kept have no text
        kept=sum(min(inference.kept, inference.answers) for inference in inferences),
        profiles=profiles,
    )  # fmt: skip
