"""A small real report on defences, from invented profiles and cases."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from evaluation.defences.masking import MaskedSpan, by_tag, mask
from evaluation.defences.population import parse_population
from evaluation.defences.recipes import DefenceRecipe, Method
from evaluation.defences.records import Attack, AttackedProfile, DefenceInput, DefenceStudy, RewritingCounts
from evaluation.defences.scores import build_defence_report
from evaluation.inference.records import Case, Label, Prediction
from evaluation.inference.selection import Text
from evaluation.inference.settings import Settings

CITIES = ("Oslo", "Bergen", "Paris", "Lyon", "Berlin", "Hamburg", "Madrid", "Rome", "Turin", "Vienna")
TOPICS = {"cooking": "soup oven garlic bread recipe", "cycling": "bike helmet brakes wheel hill"}
POPULATION = b"sex,age,count\nmale,18-29,100\nmale,30-49,3\nfemale,18-29,1\nfemale,30-49,250\n"
ATTACK = Attack(
    attacker="gpt-test at https://example.org", kind="endpoint", prompt="profile-1",
    signature={"attack": "gpt-test", "prompt": "profile-1@12345678"},
)  # fmt: skip


def make_profiles(count: int = 12, comments: int = 2) -> list[AttackedProfile]:
    """Profile n lives in the nth city and says so in the first of its comments."""
    return [AttackedProfile(f"profile-{at:05}", _texts(at, comments)) for at in range(count)]


def _texts(at: int, comments: int) -> list[Text]:
    rng, names = np.random.default_rng(at), list(TOPICS)
    when = datetime(2014, 5, 1, tzinfo=UTC)
    texts = []
    for number in range(comments):
        topic = names[(at + number) % len(names)]
        words = " ".join(rng.choice(TOPICS[topic].split(), 8))
        start = f"I live in {city_of(at)} and" if number == 0 else "Again"
        texts.append(Text(at * comments + number, topic, when, f"{start} like {words} number{at}"))
    return texts


def city_of(at: int) -> str:
    return CITIES[at % len(CITIES)]


def make_cases(count: int = 12, *, right: float = 1.0, seed: int = 1) -> list[Case]:
    """Two labels for each profile; the given share of them is guessed right."""
    is_right = np.random.default_rng(seed).random((count, 2)) < right
    return [case for at in range(count) for case in _cases(at, is_right[at].tolist())]


def _cases(at: int, is_right: Sequence[bool]) -> list[Case]:
    place, age = city_of(at), str(22 + at % 20)
    guesses = (place if is_right[0] else "Tokyo", age if is_right[1] else "77")
    labels = Label(place, 1, 5), Label(age, 1 + at % 5, 4)
    return [
        Case(f"profile-{at:05}", attribute, label, Prediction((guess,)))
        for attribute, label, guess in zip(("location", "age"), labels, guesses, strict=True)
    ]


def make_study(count: int = 12, comments: int = 2, **changes: Any) -> DefenceStudy:
    study = DefenceStudy(
        profiles=make_profiles(count, comments), settings=Settings(bootstrap=50), attack=ATTACK, scope="demo",
        gold_sha256="a" * 64, population=parse_population(POPULATION), version="1",
    )  # fmt: skip
    return replace(study, **changes)


def undefended(study: DefenceStudy, right: float = 0.9) -> DefenceInput:
    count = len(study.profiles)
    return DefenceInput(recipe=DefenceRecipe(method=Method.NONE), answered=count, cases=make_cases(count, right=right))


def masked(study: DefenceStudy, method: Method = Method.DETECTIONS, right: float = 0.4) -> DefenceInput:
    """Mask the city in every first comment."""
    count, changed, characters = len(study.profiles), {}, 0
    for at, profile in enumerate(study.profiles):
        text, city = profile.texts[0], city_of(at)
        start = text.body.index(city)
        changed[text.id] = mask(text.body, [MaskedSpan(start, start + len(city), "LOCATION")], by_tag)
        characters += len(city)
    return DefenceInput(
        recipe=DefenceRecipe(method=method, detector="abc"), answered=count, cases=make_cases(count, right=right),
        changed=changed, spans=len(changed), characters=characters,
    )  # fmt: skip


def rewritten(study: DefenceStudy, right: float = 0.2) -> DefenceInput:
    count = len(study.profiles)
    changed = {profile.texts[0].id: "I live somewhere and like food" for profile in study.profiles[1:]}
    counts = RewritingCounts(rounds=2, rewritten=count - 1, refused=1, kept_original=1)
    return DefenceInput(
        recipe=DefenceRecipe(method=Method.REWRITE, rounds=2), answered=count, cases=make_cases(count, right=right),
        changed=changed, rewriting=counts,
    )  # fmt: skip


def incomplete(study: DefenceStudy) -> DefenceInput:
    recipe = DefenceRecipe(method=Method.EVIDENCE)
    return DefenceInput(recipe=recipe, answered=1, reason="The budget of the run is used up.")


def make_report(count: int = 12, **changes: Any) -> dict[str, Any]:
    """Five defences: none, detections, the random control, a rewrite, and evidence, which is incomplete."""
    study = make_study(count, **changes)
    defences = [
        undefended(study), masked(study), masked(study, Method.RANDOM, right=0.8), rewritten(study), incomplete(study)
    ]  # fmt: skip
    return build_defence_report(study, defences)
