"""From judgements to gold: what agrees by rule becomes a gold record, what does not a dispute.

One run at a time for each corpus. Running it twice leaves the same rows.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from annotator.core.timeouts import RUN
from annotator.gold.build_rows import Tally, build_profiles, context_for
from annotator.gold.consensus import RULE
from annotator.models import GoldBuild, LabelImport
from profiles.models import Corpus, Profile

CHUNK = 500  # profiles in one transaction
OVERLAP = timedelta(minutes=10)  # looked at again, for what was being written when the last run began
TOUCHED = """
    SELECT slot.profile_id
    FROM annotator_assignment slot JOIN annotator_batch batch ON batch.id = slot.batch_id
    WHERE batch.corpus_id = %(corpus)s AND NOT batch.is_practice AND NOT slot.is_planted
      AND (%(since)s::timestamptz IS NULL OR greatest(slot.submitted_at, slot.skipped_at, batch.closed_at) >= %(since)s)
    UNION
    SELECT slot.profile_id
    FROM annotator_samemeaningevent decision
    JOIN annotator_judgement one ON one.attribute = decision.attribute AND one.value = decision.one
    JOIN annotator_assignment slot ON slot.id = one.assignment_id
    JOIN annotator_batch batch ON batch.id = slot.batch_id AND batch.corpus_id = %(corpus)s
    WHERE decision.pgh_created_at >= %(since)s AND slot.submitted_at IS NOT NULL
    ORDER BY 1
"""
Tell = Callable[[int, int], object]


class AlreadyBuilding(Exception):
    """Another run is at it, and alive."""


class TakenOver(Exception):
    """This run was silent for so long that another took over."""


def build_gold(corpus: Corpus, *, everything: bool = False, tell: Tell | None = None) -> Tally:
    """Look at all profiles about which something changed since the last run, or at all there are.

    A profile waits while anybody is still to judge it. What a person decided stays; where its ground changed, that is
    a dispute. Memory does not grow with the study; chunks are kept as they are done.
    """
    build, began_at = _begin(corpus)
    try:
        since = None if everything or _is_from_scratch(build) else build.built_to and build.built_to - OVERLAP
        tally = _work_through(corpus, _touched(corpus, since), began_at, tell)
        _mine(corpus, began_at).update(built_to=began_at, built_at=timezone.now(), rule=RULE)
    finally:
        _mine(corpus, began_at).update(began_at=None)
    return tally


def build_profile(profile: Profile) -> Tally:
    """Only this profile, at once."""
    return build_profiles(context_for(profile.corpus), [profile.pk])


def run(corpus_id: int) -> None:
    """What a worker does. Where another is at it, or the corpus is gone, there is nothing to do."""
    corpus = Corpus.objects.filter(pk=corpus_id).first()
    if corpus is not None:
        with suppress(AlreadyBuilding, TakenOver):
            build_gold(corpus)


def request_key(corpus_id: int) -> str:
    """Where it is kept that a build was requested. A build that begins clears it."""
    return f"gold-build:{corpus_id}"


def _begin(corpus: Corpus) -> tuple[GoldBuild, datetime]:
    """The row as it stood, and this run's mark on it. One statement decides who has it."""
    GoldBuild.objects.bulk_create([GoldBuild(corpus=corpus)], ignore_conflicts=True)
    now = timezone.now()
    free = GoldBuild.objects.filter(Q(began_at=None) | Q(beat_at__lt=now - RUN), corpus=corpus)
    if not free.update(began_at=now, beat_at=now, done=0, total=0):
        raise AlreadyBuilding(f"“{corpus.name}” is being worked out already. Nothing was changed.")
    cache.delete(request_key(corpus.pk))
    return GoldBuild.objects.get(corpus=corpus), now


def _mine(corpus: Corpus, began_at: datetime) -> Any:
    return GoldBuild.objects.filter(corpus=corpus, began_at=began_at)


def _is_from_scratch(build: GoldBuild) -> bool:
    """Never done, done by another rule, or judgements came in from a file, with times of their own."""
    if build.built_to is None or build.rule != RULE:
        return True
    since = build.built_to - OVERLAP
    return LabelImport.objects.filter(corpus=build.corpus_id, finished_at__gte=since).exists()


def _touched(corpus: Corpus, since: datetime | None) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(TOUCHED, {"corpus": corpus.pk, "since": since})
        return [pk for (pk,) in cursor.fetchall()]


def _work_through(corpus: Corpus, profiles: list[int], began_at: datetime, tell: Tell | None) -> Tally:
    context, tally = context_for(corpus), Tally()
    for first in range(0, len(profiles), CHUNK):
        tally += build_profiles(context, profiles[first : first + CHUNK])
        done = min(first + CHUNK, len(profiles))
        if not _mine(corpus, began_at).update(done=done, total=len(profiles), beat_at=timezone.now()):
            raise TakenOver(f"Another run of “{corpus.name}” took over.")
        if tell:
            tell(done, len(profiles))
    return tally
