"""What must be decided, worst first."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, Max, OuterRef, QuerySet
from django.utils import timezone

from annotator.core.formatting import number
from annotator.core.timeouts import LEASE, RUN
from annotator.models import AdjudicationLease, Annotator, Assignment, Dispute, GoldBuild, SameMeaning
from profiles.attributes import Attribute
from profiles.models import Corpus, Profile

PER_PAGE = 50
BADGES = {"value": "badge-bad", "presence": "badge-warn", "precision": "badge-accent", "changed": "badge-warn"}


@dataclass(frozen=True, slots=True)
class DisputeRow:
    profile: int
    pseudonym: str
    corpus: str
    attribute: Attribute
    kind: str
    badge: str
    severity: int
    judgements: int
    found_at: datetime
    held_by: str  # empty: nobody has it open


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a corpus is worked out."""

    corpus: str
    built_at: datetime | None
    is_running: bool
    done: int
    total: int
    is_waiting: bool  # something was said since, and no worker is at it yet

    @property
    def amount(self) -> str:
        return f"{number(self.done)} of {number(self.total)} profiles" if self.total else ""


def disputes(wanted: Mapping[str, Any], page: str, by: Annotator) -> "Page[DisputeRow]":
    """One page, with who else has it open. 2 queries."""
    rows: Any = wanted_disputes(wanted).select_related("profile__corpus", "profile__lease__held_by")
    shown: Page[Any] = Paginator(rows.order_by("-severity", "profile", "attribute"), PER_PAGE).get_page(page)
    shown.object_list = [_row(dispute, by) for dispute in shown.object_list]
    return shown


def counts(wanted: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Of what is wanted, by kind. 1 query."""
    found = dict(wanted_disputes(wanted).order_by().values_list("kind").annotate(count=Count("pk")))
    return [(str(kind.label), found.get(kind.value, 0)) for kind in Dispute.Kind]


def next_profiles(wanted: Mapping[str, Any], by: Annotator, but: Iterable[int] = ()) -> list[Profile]:
    """The worst that nobody else has open; several, since somebody may be quicker. 2 queries."""
    others = AdjudicationLease.objects.exclude(held_by=by).filter(held_at__gte=timezone.now() - LEASE)
    free = wanted_disputes(wanted).exclude(profile__in=list(but)).filter(
        ~Exists(others.filter(profile=OuterRef("profile")))
    )  # fmt: skip
    worst = free.order_by().values("profile").annotate(worst=Max("severity")).order_by("-worst", "profile")
    found = [row["profile"] for row in worst[:20]]
    there = Profile.objects.in_bulk(found)
    return [there[pk] for pk in found if pk in there]


def standings(stale: Iterable[int], corpus: Corpus | None = None) -> list[Standing]:
    """Of every corpus with judgements, by name. 1 query."""
    since, waiting = timezone.now() - RUN, set(stale)
    rows = GoldBuild.objects.select_related("corpus").order_by("corpus__name")
    kept = [row for row in rows if corpus is None or row.corpus_id == corpus.pk]
    known = [
        Standing(
            row.corpus.name, row.built_at, bool(row.began_at and row.beat_at and row.beat_at >= since), row.done,
            row.total, row.corpus_id in waiting,
        )
        for row in kept
    ]  # fmt: skip
    never = waiting - {row.corpus_id for row in rows}
    return [*known, *[Standing("", None, False, 0, 0, True)] * bool(never)]


def meanings(page: str) -> "Page[SameMeaning]":
    """What was decided to mean the same or not, the newest first. 2 queries."""
    decided = SameMeaning.objects.select_related("decided_by").order_by("-decided_at", "-pk")
    return Paginator(decided, PER_PAGE).get_page(page)


def wanted_disputes(wanted: Mapping[str, Any]) -> "QuerySet[Dispute]":
    found = Dispute.objects.all()
    if wanted.get("corpus"):
        found = found.filter(profile__corpus=wanted["corpus"])
    if wanted.get("batch"):
        slots = Assignment.objects.submitted().filter(batch=wanted["batch"], is_planted=False)
        found = found.filter(Exists(slots.filter(profile=OuterRef("profile"))))
    for name in ("attribute", "kind"):
        if wanted.get(name):
            found = found.filter(**{name: wanted[name]})
    return found


def _row(dispute: Dispute, by: Annotator) -> DisputeRow:
    profile, lease = dispute.profile, getattr(dispute.profile, "lease", None)
    is_held = lease is not None and lease.held_by_id != by.pk and lease.held_at >= timezone.now() - LEASE
    return DisputeRow(
        profile.pk, profile.pseudonym, profile.corpus.name, Attribute(dispute.attribute), dispute.get_kind_display(),
        BADGES[dispute.kind], dispute.severity, dispute.judgement_count, dispute.found_at,
        lease.held_by.display_name if lease and is_held else "",
    )  # fmt: skip
