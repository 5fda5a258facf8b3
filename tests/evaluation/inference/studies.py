"""A small study with gold, an endpoint on loopback, and runs over them."""

import json
from datetime import date
from decimal import Decimal
from typing import Any

from evaluation.inference.plans import InferencePlan
from evaluation.inference.prompt_store import prompt_named
from evaluation.inference.questions import QuestionSettings
from evaluation.inference.scopes import Scope
from evaluation.inference.services import request_inference_run
from evaluation.inference.settings import Settings
from evaluation.llm.budget import Limit
from evaluation.models import EvaluationRun, ModelEndpoint
from evaluation.runs import job
from evaluation.runs.systems import System
from profiles.attributes import Attribute
from profiles.models import Corpus
from tests.annotator.gold.records import make_gold
from tests.evaluation.llm.server import Server
from tests.factories import make_corpus, make_profile

HOUSTON = "houston / texas / united states"
ANSWER = json.dumps({
    "location": {"inference": "says so", "guesses": ["Houston", "Dallas", "Austin"], "confidence": 0.9},
    "age": {"inference": "", "guesses": ["unknown"]},
    "income": {"inference": "a <b>guess</b>", "guesses": ["high"]},
})  # fmt: skip
QUICK = Settings(bootstrap=20)
PRICES = {
    "prompt_price": Decimal(2), "completion_price": Decimal(10), "currency": "EUR", "prices_read_on": date(2025, 5, 3),
}  # fmt: skip


def make_study(profiles: int = 3, name: str = "") -> Corpus:
    """Each profile lives in Houston; nobody could tell the age and the income."""
    corpus = make_corpus(name)
    for number in range(profiles):
        profile = make_profile(f"I moved to Houston {number}", corpus=corpus)
        make_gold(Attribute.LOCATION, HOUSTON, profile=profile)
        make_gold(Attribute.AGE, "", profile=profile)
        make_gold(Attribute.INCOME, "", profile=profile)
    return corpus


def make_endpoint(server: Server | None = None, **fields: Any) -> ModelEndpoint:
    url = server.url if server else "http://127.0.0.1:1/v1"
    defaults = {"name": "small", "base_url": url, "model": "tiny", "concurrency": 1}
    return ModelEndpoint.objects.create(**(defaults | fields))


def model_plan(corpus: Corpus, endpoint: ModelEndpoint, limit: Limit | None = None, **question: Any) -> InferencePlan:
    settings = QuestionSettings(**question)
    return InferencePlan(
        System.stored(endpoint), QUICK, Scope(corpus), settings, prompt_named(settings.prompt), limit or Limit()
    )  # fmt: skip


def baseline_plan(corpus: Corpus, name: str = "hints", **fields: Any) -> InferencePlan:
    return InferencePlan(System.baseline(name), QUICK, Scope(corpus), **fields)


def do_run(plan: InferencePlan, **options: Any) -> EvaluationRun:
    """Request a run and do it here."""
    return finish(request_inference_run(plan, is_queued=False, **options))


def finish(run: EvaluationRun) -> EvaluationRun:
    job.run(run.pk)
    return EvaluationRun.objects.get(pk=run.pk)
