"""Prepare a running Telltale for the race. It runs in the environment of that checkout, whichever it is.

usage: python telltale_site.py spans|seed|rest FILE
"""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

CORPUS, RECIPE = "race", "race"
COPY = 'COPY {} (run_id, comment_id, entity_type, start, "end", score) FROM STDIN'  # as the workers write detections
SEATS, POOLS, QUEUE = 8, ("idle", "busy"), 100


def main(command: str, file: Path) -> None:
    import django

    django.setup()
    answer = {"spans": _write_spans, "seed": _seed, "rest": _rest}[command](file)
    print(json.dumps(answer))


def _from(name: str, *modules: str) -> Any:
    """Something that checkouts have in different modules: from the first that exists."""
    for module in modules:
        try:
            return getattr(import_module(module), name)
        except ModuleNotFoundError:
            continue
    raise ModuleNotFoundError(name)


# ── Spans ────────────────────────────────────────────────────────────────────
def _write_spans(file: Path) -> dict[str, Any]:
    """The spans as detections of a finished run. In a study, Presidio's workers write them."""
    from django.db import connection, transaction
    from django.utils import timezone

    from profiles.models import Comment, Corpus, Detection, DetectionRun, Recipe

    spans = dict(_spans_by_comment(file))
    corpus, began = Corpus.objects.get(name=CORPUS), time.perf_counter()
    recipe = Recipe.objects.create(name=RECIPE, digest="1" * 64, contents={})
    run = DetectionRun.objects.create(corpus=corpus, recipe=recipe, planned_at=timezone.now())
    rows = [
        (run.pk, pk, entity_type, start, end, 0.85)
        for pk, reddit_id in Comment.objects.filter(profile__corpus=corpus).values_list("pk", "reddit_id")
        for start, end, entity_type in spans.get(reddit_id, ())
    ]
    with (
        transaction.atomic(),
        connection.cursor() as cursor,
        cursor.copy(COPY.format(Detection._meta.db_table)) as copy,
    ):
        for row in rows:
            copy.write_row(row)
    DetectionRun.objects.filter(pk=run.pk).update(finished_at=timezone.now())
    seconds = time.perf_counter() - began
    counts = {"spans": len(rows), "profiles": corpus.profiles.count(), "expected": sum(map(len, spans.values()))}
    return counts | {"comments": Comment.objects.filter(profile__corpus=corpus).count(), "seconds": seconds}


def _spans_by_comment(file: Path) -> Iterator[tuple[int, list[Any]]]:
    for line in file.read_text().splitlines():
        for name, *_, spans in json.loads(line)["comments"]:
            if spans:
                yield int(name, 36), spans


# ── People and batches ───────────────────────────────────────────────────────
def _seed(file: Path) -> dict[str, Any]:
    """Batches and people: one who reads, one with a queue of profiles, and eight for each pool."""
    from django.db import connection
    from django.db.models import Count, Q

    from profiles.models import Corpus

    profiles = Corpus.objects.get(name=CORPUS).profiles.all()
    sizes = dict(profiles.values_list("pk", "comment_count"))
    ordinary = sorted(pk for pk, size in sizes.items() if size < max(sizes.values()))
    detections = Count("comments__detections", filter=Q(comments__detections__run__recipe__name=RECIPE))
    giants = profiles.exclude(pk__in=ordinary).annotate(marks=detections).order_by("marks").values_list("pk", flat=True)
    reader, cookies = _person("reader")
    visits = {
        name: [_claim(_batch(name, [profile, *ordinary[1:3]]), reader), cookies]
        for name, profile in zip(("ordinary", "few", "many"), (ordinary[0], *giants), strict=True)
    }
    clerk, cookies = _person("clerk")
    visits["queue"] = [_claim(_batch("queue", ordinary[:QUEUE]), clerk), cookies]
    pools = {name: _pool(name, ordinary) for name in POOLS}
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return {"visits": visits, "pools": pools}


def _pool(name: str, profiles: Sequence[int]) -> dict[str, Any]:
    batch = _batch(name, profiles)
    people = [_person(f"{name}{number}") for number in range(SEATS)]
    seats = [[_claim(batch, person), cookies] for person, cookies in people]
    return {"seats": seats, "pseudonyms": dict(batch.assignments.values_list("pk", "profile__pseudonym"))}


def _person(name: str) -> tuple[Any, dict[str, str]]:
    from django.conf import settings
    from django.middleware.csrf import _get_new_csrf_string
    from django.test import Client
    from django.utils import timezone

    from annotator.models import Annotator

    person = Annotator.objects.create_user(name, display_name=name, roles=["evaluator"])
    if hasattr(person, "welcomed_at"):
        Annotator.objects.filter(pk=person.pk).update(welcomed_at=timezone.now())
    client = Client()
    client.force_login(person)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    return person, {settings.SESSION_COOKIE_NAME: session, settings.CSRF_COOKIE_NAME: _get_new_csrf_string()}


def _batch(name: str, profiles: Sequence[int]) -> Any:
    from django.utils import timezone

    from annotator.models import Assignment, Batch, GuidelineVersion
    from profiles.models import Corpus, Recipe

    fields = {
        "guideline": GuidelineVersion.objects.order_by("number").last(),
        "overlap": 1,
        "started_at": timezone.now(),
    }
    recipe, corpus = Recipe.objects.get(name=RECIPE), Corpus.objects.get(name=CORPUS)
    batch = Batch.objects.create(name=f"race {name}", corpus=corpus, recipe=recipe, **fields)
    Assignment.objects.bulk_create(
        Assignment(batch=batch, profile_id=profile, position=at, slot=0) for at, profile in enumerate(profiles)
    )
    return batch


def _claim(batch: Any, person: Any) -> int:
    claim_next = _from("claim_next", "annotator.batches.claims", "annotator.services.batches")
    return int(claim_next(batch=batch, annotator=person).pk)


# ── Presidio ─────────────────────────────────────────────────────────────────
def _rest(_: Path) -> int:
    """Cancel what an import started."""
    from profiles.models import DetectionRun

    cancel = _from("cancel", "annotator.detection.services", "annotator.services.detection")
    runs = DetectionRun.objects.filter(finished_at=None, cancelled_at=None)
    for run in runs:
        cancel(run)
    return len(runs)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
