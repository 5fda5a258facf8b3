"""From judgements to gold: what agrees by rule becomes a gold record, what does not a dispute.

One run at a time for each corpus. Running it twice leaves the same rows.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db import connection
from django.db.models.lookups import GreaterThanOrEqual
from django.utils import timezone

from annotator.core.sql import named_sql
from annotator.gold.build_rows import Tally, build_profiles, context_for
from annotator.gold.consensus import RULE
from annotator.models import Assignment, GoldBuild, LabelImport
from annotator.models.batches import CHANGED_AT
from profiles.jobs.claims import JobLost, NotFree, beat, finish
from profiles.jobs.heartbeat import work_on
from profiles.models import Corpus, Profile

CHUNK = 500  # profiles in one transaction
OVERLAP = timedelta(minutes=10)  # looked at again, for what was being written when the last run began
TOUCHED = """
    {changed}
    UNION
    SELECT submitted.profile_id
    FROM annotator_samemeaningevent decision
    JOIN annotator_judgement judgement ON judgement.attribute = decision.attribute AND judgement.value = decision.one
    JOIN ({submitted}) submitted ON submitted.id = judgement.assignment_id
    WHERE decision.pgh_created_at >= %(since)s
    ORDER BY 1
"""
BROKE = "It stopped because something went wrong on the server; the log says what. What was built is kept."
Tell = Callable[[int, int], object]


class AlreadyBuilding(NotFree):
    """Another build of this corpus runs."""


def build_gold(corpus: Corpus, *, everything: bool = False, tell: Tell | None = None) -> Tally:
    """Build all profiles about which something changed since the last build, or all there are.

    A profile waits while anybody is still to judge it. What a person decided stays; where its ground changed, that is
    a dispute. Memory does not grow with the study; chunks are kept as they are done.

    Raises AlreadyBuilding, or JobLost where another build took over.
    """
    GoldBuild.objects.bulk_create([GoldBuild(corpus=corpus)], ignore_conflicts=True)
    build = GoldBuild(corpus=corpus)
    try:
        with work_on(build, broke=BROKE, again=True, total=0):
            return _build(build, everything=everything, tell=tell)
    except NotFree as refusal:
        raise AlreadyBuilding(f"“{corpus.name}” is being worked out already. Nothing was changed.") from refusal


def build_profile(profile: Profile) -> Tally:
    """Only this profile, at once."""
    return build_profiles(context_for(profile.corpus), [profile.pk])


def run(corpus_id: int) -> None:
    """What a worker does. Where another is at it, or the corpus is gone, there is nothing to do."""
    corpus = Corpus.objects.filter(pk=corpus_id).first()
    if corpus is not None:
        with suppress(AlreadyBuilding, JobLost):
            build_gold(corpus)


def request_key(corpus_id: int) -> str:
    """Where it is kept that a build was requested. A build that begins clears it."""
    return f"gold-build:{corpus_id}"


def _build(build: GoldBuild, *, everything: bool, tell: Tell | None) -> Tally:
    cache.delete(request_key(build.corpus_id))
    build.refresh_from_db(fields=["built_to", "rule"])
    since = None if everything or _is_from_scratch(build) else build.built_to and build.built_to - OVERLAP
    tally = _build_chunks(build, _touched(build.corpus, since), tell)
    finish(build, built_to=build.began_at, built_at=timezone.now(), rule=RULE)
    return tally


def _is_from_scratch(build: GoldBuild) -> bool:
    """Never done, done by another rule, or judgements came in from a file, with times of their own."""
    if build.built_to is None or build.rule != RULE:
        return True
    since = build.built_to - OVERLAP
    return LabelImport.objects.filter(corpus=build.corpus_id, finished_at__gte=since).exists()


def _touched(corpus: Corpus, since: datetime | None) -> list[int]:
    """Profiles of the study about which something changed, or all of them. 1 query."""
    every = Assignment.objects.filter(batch__corpus=corpus)
    if since is None:
        return list(every.in_study().order_by("profile").values_list("profile", flat=True).distinct())
    changed, values = named_sql(every.in_study().filter(GreaterThanOrEqual(CHANGED_AT, since)).values("profile_id"))
    submitted, more = named_sql(every.submitted().values("id", "profile_id"), prefix="submitted")
    with connection.cursor() as cursor:
        cursor.execute(TOUCHED.format(changed=changed, submitted=submitted), values | more | {"since": since})
        return [pk for (pk,) in cursor.fetchall()]


def _build_chunks(build: GoldBuild, profiles: list[int], tell: Tell | None) -> Tally:
    context, tally = context_for(build.corpus), Tally()
    for first in range(0, len(profiles), CHUNK):
        tally += build_profiles(context, profiles[first : first + CHUNK])
        done = min(first + CHUNK, len(profiles))
        beat(build, done=done, total=len(profiles))
        if tell:
            tell(done, len(profiles))
    return tally
