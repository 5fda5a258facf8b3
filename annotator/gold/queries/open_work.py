"""Profiles that were judged but wait for more judgements before their gold is built, and what they wait for."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from annotator.core.formatting import plural
from annotator.core.pages import PAGE_SIZE
from annotator.gold.fingerprints import profiles_to_build
from annotator.models import Assignment, BuiltGold
from annotator.models.batches import HELD, REOPENED
from profiles.models import Corpus, Profile

NO_GOLD, OLDER, CURRENT = "No gold yet", "Older than its judgements: left out of exports", "Built from its judgements"


@dataclass(frozen=True, slots=True)
class OpenWork:
    """What is still open in one batch for one profile."""

    batch: int
    name: str
    unclaimed: int
    held: int
    reopened: int

    @property
    def summary(self) -> str:
        """`1 unclaimed, 2 being labelled`, without zeros."""
        parts = ((self.unclaimed, "unclaimed"), (self.held, "being labelled"), (self.reopened, "reopened"))
        return ", ".join(f"{count} {state}" for count, state in parts if count)


@dataclass(frozen=True, slots=True)
class WaitingRow:
    profile: Profile
    submitted: int
    work: Sequence[OpenWork]
    gold: str

    @property
    def submitted_text(self) -> str:
        return plural(self.submitted, "person", "people")


def waiting_profiles(corpus: Corpus) -> QuerySet[Profile]:
    """Profiles with judgements that count and with work that is open."""
    drawn = Assignment.objects.in_study().filter(profile=OuterRef("pk"))
    return Profile.objects.filter(Exists(drawn.submitted()), Exists(drawn.open()), corpus=corpus)


def waiting_page(corpus: Corpus, number: str) -> "Page[WaitingRow]":
    """By pseudonym. 6 queries."""
    page: Any = Paginator(waiting_profiles(corpus).order_by("pseudonym", "pk"), PAGE_SIZE).get_page(number)
    profiles: list[Profile] = list(page.object_list)
    work, states = _open_work(profiles), _gold_states(corpus, [profile.pk for profile in profiles])
    submitted = _submitted(profiles)
    page.object_list = [
        WaitingRow(profile, submitted[profile.pk], work[profile.pk], states[profile.pk]) for profile in profiles
    ]
    return page  # type: ignore[no-any-return]


def _open_work(profiles: Iterable[Profile]) -> Mapping[int, list[OpenWork]]:
    """1 query."""
    pending = Assignment.objects.open().in_study().filter(profile__in=profiles).order_by("batch__name", "batch")
    rows = pending.values_list("profile", "batch", "batch__name").annotate(
        unclaimed=Count("pk", filter=Q(claimed_at=None)),
        held=Count("pk", filter=HELD),
        reopened=Count("pk", filter=REOPENED),
    )
    work: dict[int, list[OpenWork]] = defaultdict(list)
    for profile, *fields in rows:
        work[profile].append(OpenWork(*fields))
    return work


def _submitted(profiles: Iterable[Profile]) -> Mapping[int, int]:
    """How many people have submitted each profile. 1 query."""
    counted = Assignment.objects.counted().filter(profile__in=profiles).order_by()
    return dict(counted.values_list("profile").annotate(people=Count("annotator", distinct=True)))


def _gold_states(corpus: Corpus, profiles: list[int]) -> Mapping[int, str]:
    """2 queries."""
    outdated = profiles_to_build(corpus, among=profiles) if profiles else {}
    built = set(BuiltGold.objects.filter(profile__in=profiles).values_list("profile", flat=True))
    return {pk: NO_GOLD if pk not in built else OLDER if pk in outdated else CURRENT for pk in profiles}
