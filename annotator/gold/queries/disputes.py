"""The dispute queue, most severe first."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page
from django.db.models import Count, Exists, Max, OuterRef, QuerySet
from django.utils import timezone

from annotator.core.pages import page_of
from annotator.core.sort_order import Sorting
from annotator.models import AdjudicationLease, Annotator, Assignment, Dispute
from annotator.models.disputes import LEASE
from profiles.attributes import Attribute
from profiles.models import Profile

PAGE_SIZE = 50
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


DISPUTE_COLUMNS = {
    "profile": "profile__pseudonym attribute",
    "attribute": "attribute -severity profile",
    "kind": "kind -severity profile attribute",
    "judgements": "-judgement_count -severity profile attribute",
    "severity": "-severity profile attribute",
    "found": "-found_at profile attribute",
}


def disputes(filters: Mapping[str, Any], sorting: Sorting, page: str, by: Annotator) -> "Page[DisputeRow]":
    """One page of disputes, each with the person who has it open, if anybody else does. 2 queries."""
    rows: Any = filtered_disputes(filters).select_related("profile__corpus", "profile__lease__held_by")
    return page_of(rows.order_by(*sorting.order), page, lambda dispute: _row(dispute, by), size=PAGE_SIZE)


def counts(filters: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Number of matching disputes by kind. 1 query."""
    counts_by_kind = dict(filtered_disputes(filters).order_by().values_list("kind").annotate(count=Count("pk")))
    return [(str(kind.label), counts_by_kind.get(kind.value, 0)) for kind in Dispute.Kind]


def next_profiles(filters: Mapping[str, Any], by: Annotator, exclude: Iterable[int] = ()) -> list[Profile]:
    """The 20 most severe profiles that nobody else has open; several, because somebody may be faster. 2 queries."""
    others = AdjudicationLease.objects.exclude(held_by=by).filter(held_at__gte=timezone.now() - LEASE)
    free = filtered_disputes(filters).exclude(profile__in=list(exclude)).filter(
        ~Exists(others.filter(profile=OuterRef("profile")))
    )  # fmt: skip
    worst = free.order_by().values("profile").annotate(worst=Max("severity")).order_by("-worst", "profile")
    ids = [row["profile"] for row in worst[:20]]
    profiles = Profile.objects.in_bulk(ids)
    return [profiles[pk] for pk in ids if pk in profiles]


def filtered_disputes(filters: Mapping[str, Any]) -> "QuerySet[Dispute]":
    disputes = Dispute.objects.all()
    if filters.get("corpus"):
        disputes = disputes.filter(profile__corpus=filters["corpus"])
    if filters.get("batch"):
        assignments = Assignment.objects.counted().filter(batch=filters["batch"])
        disputes = disputes.filter(Exists(assignments.filter(profile=OuterRef("profile"))))
    for name in ("attribute", "kind"):
        if filters.get(name):
            disputes = disputes.filter(**{name: filters[name]})
    return disputes


def _row(dispute: Dispute, by: Annotator) -> DisputeRow:
    profile, lease = dispute.profile, getattr(dispute.profile, "lease", None)
    is_held = lease is not None and lease.held_by_id != by.pk and lease.held_at >= timezone.now() - LEASE
    return DisputeRow(
        profile.pk, profile.pseudonym, profile.corpus.name, Attribute(dispute.attribute), dispute.get_kind_display(),
        BADGES[dispute.kind], dispute.severity, dispute.judgement_count, dispute.found_at,
        lease.held_by.display_name if lease and is_held else "",
    )  # fmt: skip
