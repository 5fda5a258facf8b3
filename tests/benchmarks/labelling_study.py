"""The study for the labelling benchmark: a thousand ordinary profiles and a few giants, the same every time.

Words are as frequent as in the demo corpus, so that a page compresses about as well as one of real comments.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

ORDINARY, PROFILES = 40, 1000
SIZES = (ORDINARY, 500, 5_000, 20_000)
PLACES = "AskReddit houston personalfinance Seattle AskMen running cooking gaming nursing Texas dogs teachers".split()
FOUND_IN = 0.2
START, SPAN = datetime(2012, 1, 1, tzinfo=UTC), timedelta(days=1400)


@dataclass(frozen=True, slots=True)
class Study:
    corpus: Any
    recipe: Any
    ordinary: list[int]  # profiles
    by_size: dict[int, int]  # one profile of each size


def make_study() -> Study:
    from profiles.bulk_load import load_profiles
    from profiles.hints.store import load_hints
    from profiles.models import Corpus, Profile

    load_hints()
    corpus = Corpus.objects.create(name="benchmark")
    load_profiles(corpus, _records(random.Random(5)))  # noqa: S311 repeatable on purpose
    rows = dict(Profile.objects.filter(corpus=corpus).values_list("pk", "comment_count"))
    ordinary = sorted(pk for pk, count in rows.items() if count == ORDINARY)
    by_size = {count: pk for pk, count in rows.items() if count != ORDINARY} | {ORDINARY: ordinary[0]}
    study = Study(corpus, _detect(corpus), ordinary[1:], by_size)
    _analyse()
    return study


def make_evaluators(count: int, prefix: str = "bench") -> list[Any]:
    from django.utils import timezone

    from annotator.models import Annotator

    fields = {"roles": ["evaluator"], "welcomed_at": timezone.now()}
    return [Annotator.objects.create_user(f"{prefix}{n}", display_name=f"{prefix} {n}", **fields) for n in range(count)]


def make_batch(study: Study, name: str, profiles: Sequence[int], *, overlap: int = 1) -> Any:
    """A started batch with a shared pool, in the order given, with the study's recipe."""
    from django.utils import timezone

    from annotator.guidelines.services import first_guidelines
    from annotator.models import Assignment, Batch, GuidelineVersion

    guideline, _ = GuidelineVersion.objects.get_or_create(number=1, defaults={"text": first_guidelines()})
    batch = Batch.objects.create(
        name=name, corpus=study.corpus, guideline=guideline, recipe=study.recipe, overlap=overlap,
        started_at=timezone.now(),
    )  # fmt: skip
    slots = [(position, profile, slot) for position, profile in enumerate(profiles) for slot in range(overlap)]
    Assignment.objects.bulk_create(
        (Assignment(batch=batch, profile_id=profile, position=at, slot=slot) for at, profile, slot in slots),
        batch_size=1000,
    )
    _analyse()  # as autovacuum does within a minute; until then taking a slot from a pool costs 40 ms more
    return batch


def _records(chance: random.Random) -> Iterator[Any]:
    from profiles.bulk_load import CommentRecord, ProfileRecord

    words, number = _words(), 0
    for at, size in enumerate([*SIZES[1:], *[ORDINARY] * PROFILES]):
        comments = []
        for n in range(size):
            number += 1
            body = " ".join(chance.choices(words, k=max(3, int(chance.expovariate(1 / 35)))))
            place = chance.choice(PLACES[: 5 + at % 8]) if size == ORDINARY else chance.choice(PLACES)
            comments.append(CommentRecord(f"{number:07x}", place, START + SPAN * (n / size), body))
        yield ProfileRecord(f"account{at}", comments)


def _words() -> list[str]:
    """Every word of the demo corpus, as often as it occurs there."""
    from profiles.demo.generator import generate

    return [word for profile in generate() for comment in profile.comments for word in comment.body.split()]


def _detect(corpus: Any) -> Any:
    """A finished run: every fifth comment has one word marked as a random entity type."""
    from django.utils import timezone

    from profiles.models import Comment, Detection, DetectionRun, EntityType, Recipe

    recipe = Recipe.objects.create(name="benchmark", digest="0" * 64, contents={})
    run = DetectionRun.objects.create(corpus=corpus, recipe=recipe, planned_at=timezone.now())
    chance, found = random.Random(6), []  # noqa: S311 repeatable on purpose
    for pk, body in Comment.objects.filter(profile__corpus=corpus).order_by("pk").values_list("pk", "body").iterator():
        if chance.random() < FOUND_IN:
            start, end = _stretch(body, chance)
            kind = chance.choice(EntityType.values)
            found.append(Detection(run=run, comment_id=pk, entity_type=kind, start=start, end=end, score=0.85))
    Detection.objects.bulk_create(found, batch_size=5000)
    DetectionRun.objects.filter(pk=run.pk).update(finished_at=timezone.now())
    return recipe


def _stretch(body: str, chance: random.Random) -> tuple[int, int]:
    word = chance.choice(body.split())
    return body.index(word), body.index(word) + len(word)


def _analyse() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
