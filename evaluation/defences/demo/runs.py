"""Request the run over defences that a new demo study has to show."""

from evaluation.defences.plans import DefencePlan, recipe_of
from evaluation.defences.services import request_defence_run
from evaluation.inference.scopes import Scope
from evaluation.models import EvaluationKind, EvaluationRun
from evaluation.runs.systems import System
from evaluation.spans.evidence.scopes import finished_run
from profiles.models import Corpus

MADE_BY = "profiles.demo"
BASELINE = "rules"
DEFENCES = ("detections-tag", "detections-surrogate", "evidence-tag", "both-tag", "random-tag")


def request_demo_run() -> None:
    """Request it unless it is there. Without a demo corpus, nothing. Raises NoDetection."""
    corpus = Corpus.objects.ready().filter(options__made_by=MADE_BY).order_by("pk").first()
    runs = EvaluationRun.objects.filter(kind=EvaluationKind.DEFENCE)
    if corpus is None or runs.filter(corpus=corpus).exists():
        return
    plan = DefencePlan(
        system=System.baseline(BASELINE), scope=Scope(corpus), recipes=[recipe_of(key) for key in DEFENCES],
        detection=finished_run(corpus),
    )  # fmt: skip
    request_defence_run(plan)
