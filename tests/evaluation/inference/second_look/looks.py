"""Runs with claims where people found nothing, and second looks at them."""

from evaluation.inference.second_look.options import DrawOptions
from evaluation.inference.second_look.services import draw_second_look
from evaluation.models import Claim, EvaluationRun, InferredCase, SecondLook
from profiles.models import Corpus
from tests.annotator.gold.records import make_gold
from tests.evaluation.inference.judge.runs import make_inference_run
from tests.factories import make_corpus, make_profile

PLACES = ("houston", "dallas", "austin", "berlin")


def make_claimed_run(profiles: int = 8, *, confidence: float | None = 0.9, **fields) -> EvaluationRun:
    """A run of `tiny` that claims an income of every profile. People only found where they live."""
    corpus: Corpus = fields.pop("corpus", None) or make_corpus()
    settings = {"system": {"kind": "endpoint", "model": "tiny"}, "batch": None, "limit": None}
    values = {"system": "tiny", "corpus": corpus, "report": {"version": "1"}, "settings": settings}
    run = make_inference_run(**values | fields)
    for number in range(1, profiles + 1):
        profile = make_profile(f"We bought the big house, number {number}", "Night shift again", corpus=corpus)
        make_gold("location", PLACES[number % len(PLACES)], profile=profile)
        for attribute in ("income", "age", "sex"):
            make_gold(attribute, "", profile=profile)
        add_case(run, number, profile, "High", confidence)
    return run


def add_case(
    run, number: int, profile, guess: str, confidence: float | None, *, attribute: str = "income"
) -> InferredCase:
    contents = {"label": {"value": "", "hardness": 0, "certainty": 0, "required_subreddit": False},
                "guesses": [guess], "inference": f"They own house {number}.", "confidence": confidence}  # fmt: skip
    return InferredCase.objects.create(
        run=run, number=number, profile=profile, name=profile.pseudonym, attribute=attribute,
        outcome="negative-guessed", contents=contents,
    )  # fmt: skip


def make_look(profiles: int = 8, *, size: int = 50, **fields) -> SecondLook:
    return draw_second_look(make_claimed_run(profiles, **fields), DrawOptions(size=size))


def claims_of(look: SecondLook, *, controls: bool = False) -> list[Claim]:
    return list(look.claims.filter(is_control=controls).order_by("number"))
