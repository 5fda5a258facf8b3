"""Which profiles and which gold records an export holds."""

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Collate

from annotator.exchange.export.options import Asked
from annotator.models import Assignment, Batch, Format, GoldRecord, Reached, SourceRecord
from profiles.models import Corpus, Profile


def chosen_gold(asked: Asked, batch: Batch | None) -> QuerySet[GoldRecord]:
    wanted = Q(certainty__gte=asked.min_certainty)
    if batch:
        wanted &= Q(batch_ids__contains=[batch.pk])
    if asked.attributes:
        wanted &= Q(attribute__in=asked.attributes)
    if asked.hardness:
        wanted &= Q(hardness__in=asked.hardness)
    if asked.required_subreddit is not None:
        wanted &= Q(required_subreddit=asked.required_subreddit) & ~Q(value="")
    if asked.adjudicated_only:
        wanted &= Q(reached=Reached.ADJUDICATED)
    return GoldRecord.objects.filter(wanted)


def chosen_profiles(
    corpus: Corpus, asked: Asked, batch: Batch | None, *, annotator: int | None = None
) -> QuerySet[Profile]:
    """By pseudonym, in an order that no server's language changes."""
    profiles = Profile.objects.filter(corpus=corpus)
    has = _has_review(batch, annotator) if annotator else _has_any(asked, batch)
    return profiles.filter(has).order_by(Collate("pseudonym", "C"))


def _has_any(asked: Asked, batch: Batch | None) -> Q:
    gold = Q(Exists(chosen_gold(asked, batch).filter(profile=OuterRef("pk"))))
    if asked.filters_gold or asked.format in (Format.LLMPRIVACY, Format.SPANS, Format.CSV):
        return gold
    came_in = Q() if batch else Q(Exists(SourceRecord.objects.filter(profile=OuterRef("pk"))))
    if asked.format == Format.SYNTHPAI:
        return gold | came_in if came_in else gold
    reviewed = gold | _has_review(batch)
    return reviewed | came_in if came_in else reviewed


def _has_review(batch: Batch | None, annotator: int | None = None) -> Q:
    slots = Assignment.objects.submitted().filter(profile=OuterRef("pk"), is_planted=False, batch__is_practice=False)
    if batch:
        slots = slots.filter(batch=batch)
    return Q(Exists(slots.filter(annotator=annotator) if annotator else slots))
