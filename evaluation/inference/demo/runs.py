"""Request the run that a new demo study has to show."""

from evaluation.inference.plans import InferencePlan
from evaluation.inference.scopes import Scope
from evaluation.inference.services import request_inference_run
from evaluation.models import EvaluationKind, EvaluationRun
from evaluation.runs.systems import System
from profiles.models import Corpus

MADE_BY = "profiles.demo"
BASELINE = "hints"


def request_demo_run() -> None:
    """Request it unless it is there. Without a demo corpus, nothing."""
    corpus = Corpus.objects.ready().filter(options__made_by=MADE_BY).order_by("pk").first()
    runs = EvaluationRun.objects.filter(kind=EvaluationKind.INFERENCE)
    if corpus is not None and not runs.filter(corpus=corpus).exists():
        request_inference_run(InferencePlan(System.baseline(BASELINE), scope=Scope(corpus)))
