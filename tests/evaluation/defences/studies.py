"""Runs over defences on a small study with gold, evidence and detections."""

from typing import Any

from evaluation.defences.plans import DefencePlan, recipe_of
from evaluation.defences.services import request_defence_run
from evaluation.inference.prompt_store import prompt_named
from evaluation.inference.questions import QuestionSettings
from evaluation.inference.scopes import Scope
from evaluation.models import EvaluationRun, ModelEndpoint
from evaluation.runs.systems import System
from profiles.attributes import Attribute
from profiles.models import Corpus, DetectionRun
from tests.annotator.comments.marks import make_detection, make_run
from tests.annotator.gold.records import make_gold
from tests.evaluation.inference.studies import HOUSTON, QUICK, finish
from tests.factories import make_corpus, make_profile

LIVES = "I live in Houston. I am a {age} year old nurse."
KEYS = ("detections-tag", "evidence-stars", "random-tag")


def make_study(profiles: int = 3) -> tuple[Corpus, DetectionRun]:
    """Each profile says where it lives, which Presidio marked, and how old it is, which is evidence."""
    corpus = make_corpus()
    run = make_run(corpus)
    for number in range(profiles):
        age = str(31 + number)
        profile = make_profile(LIVES.format(age=age), corpus=corpus)
        comment = profile.comments.get()
        make_detection(run, comment, "Houston")
        start = comment.body.index(age)
        span = {"comment": comment.pk, "start": start, "end": start + 2, "text": age}
        make_gold(Attribute.LOCATION, HOUSTON, profile=profile)
        make_gold(Attribute.AGE, age, profile=profile, evidence=[span])
    return corpus, run


def rules_plan(corpus: Corpus, detection: DetectionRun | None, *keys: str, **fields: Any) -> DefencePlan:
    recipes = [recipe_of(key) for key in keys or KEYS]
    return DefencePlan(
        system=System.baseline("rules"), scope=Scope(corpus), recipes=recipes, detection=detection, scoring=QUICK,
        **fields,
    )  # fmt: skip


def model_plan(
    corpus: Corpus, detection: DetectionRun, endpoint: ModelEndpoint, *keys: str, **fields: Any
) -> DefencePlan:
    question = QuestionSettings()
    return DefencePlan(
        system=System.stored(endpoint), scope=Scope(corpus), recipes=[recipe_of(key) for key in keys or KEYS],
        detection=detection, scoring=QUICK, question=question, prompt=prompt_named(question.prompt), **fields,
    )  # fmt: skip


def do_run(plan: DefencePlan, **options: Any) -> EvaluationRun:
    return finish(request_defence_run(plan, is_queued=False, **options))
