"""Build gold from judgements: those that agree by rule become a gold record, the others a dispute.

Each corpus has one build at a time. Building twice leaves the same rows.
"""

from collections.abc import Callable
from contextlib import suppress

from django.core.cache import cache
from django.utils import timezone

from annotator.core.vacuum import analyse_changed
from annotator.gold.build_rows import Tally, build_profiles, context_for
from annotator.gold.consensus import RULE
from annotator.gold.fingerprints import Fingerprints, profiles_to_build
from annotator.gold.stamps import current_stamp
from annotator.models import Assignment, Evidence, GoldBuild, Judgement
from profiles.jobs.claims import JobLost, NotFree, beat, finish
from profiles.jobs.heartbeat import work_on
from profiles.models import Corpus, Profile

CHUNK = 500  # profiles in one transaction
BROKE = "The build stopped because of a server error; the details are in the log. Everything built so far is kept."
Tell = Callable[[int, int], object]


class AlreadyBuilding(NotFree):
    """Another build of this corpus is running."""


def build_gold(corpus: Corpus, *, everything: bool = False, tell: Tell | None = None) -> Tally:
    """Build the gold of every profile that changed since the last build, or of all profiles.

    A profile waits while it has open assignments. Adjudicated records stay as they are; if their judgements changed,
    a dispute is opened. Memory doesn't grow with the size of the study, and every finished chunk is kept.

    Raises AlreadyBuilding, or JobLost if another build took over.
    """
    GoldBuild.objects.bulk_create([GoldBuild(corpus=corpus)], ignore_conflicts=True)
    build = GoldBuild(corpus=corpus)
    try:
        with work_on(build, broke=BROKE, again=True, total=0):
            return _build(build, everything=everything, tell=tell)
    except NotFree as refusal:
        raise AlreadyBuilding(f"“{corpus.name}” already has a build running. Nothing was changed.") from refusal


def build_profile(profile: Profile) -> Tally:
    """Build the gold of this profile immediately."""
    fingerprints = profiles_to_build(profile.corpus, among=[profile.pk], everything=True)
    return build_profiles(context_for(profile.corpus), fingerprints)


def run(corpus_id: int) -> None:
    """Run the worker's job. Do nothing if another build is running or the corpus is gone."""
    corpus = Corpus.objects.filter(pk=corpus_id).first()
    if corpus is not None:
        with suppress(AlreadyBuilding, JobLost):
            build_gold(corpus)
        cache.delete(request_key(corpus_id))


def request_key(corpus_id: int) -> str:
    """Cache key that marks a build as requested of a worker, which deletes it afterwards."""
    return f"gold-build:{corpus_id}"


def _build(build: GoldBuild, *, everything: bool, tell: Tell | None) -> Tally:
    """Take the stamp first: what is submitted during the build then differs from it, and asks for another."""
    analyse_changed((Assignment, Judgement, Evidence))
    stamp = current_stamp(build.corpus)
    tally = _build_chunks(build, profiles_to_build(build.corpus, everything=everything), tell)
    finish(build, stamp=stamp, built_at=timezone.now(), rule=RULE)
    return tally


def _build_chunks(build: GoldBuild, fingerprints: Fingerprints, tell: Tell | None) -> Tally:
    context, tally, profiles = context_for(build.corpus), Tally(), list(fingerprints.items())
    for first in range(0, len(profiles), CHUNK):
        tally += build_profiles(context, dict(profiles[first : first + CHUNK]))
        done = min(first + CHUNK, len(profiles))
        beat(build, done=done, total=len(profiles))
        if tell:
            tell(done, len(profiles))
    return tally
