"""The profiles and gold records that an export contains."""

from collections.abc import Collection

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Collate

from annotator.exchange.export.options import ExportOptions
from annotator.models import Assignment, Batch, Format, GoldRecord, PromptedAnswer, Reached, SourceRecord
from profiles.models import Corpus, Profile


def selected_gold(options: ExportOptions, batch: Batch | None, outdated: Collection[int] = ()) -> QuerySet[GoldRecord]:
    """The gold that matches the options, without profiles whose gold is older than their judgements.

    With prompted answers, also without the negatives that they replace.
    """
    gold = GoldRecord.objects.filter(_matches(options, outdated))
    if batch:
        gold = gold.filter(batch_ids__contains=[batch.pk])
    if options.adjudicated_only:
        gold = gold.filter(reached=Reached.ADJUDICATED)
    if options.with_prompted:
        prompted = PromptedAnswer.objects.filter(profile=OuterRef("profile"), attribute=OuterRef("attribute"))
        gold = gold.filter(~Q(value="") | ~Exists(prompted))
    return gold


def selected_prompted(
    options: ExportOptions, batch: Batch | None, outdated: Collection[int] = ()
) -> QuerySet[PromptedAnswer]:
    """The prompted answers that match the options. None of them was adjudicated."""
    if not options.with_prompted or options.adjudicated_only:
        return PromptedAnswer.objects.none()
    answers = PromptedAnswer.objects.standing().filter(_matches(options, outdated))
    if batch:
        same = GoldRecord.objects.filter(profile=OuterRef("profile"), attribute=OuterRef("attribute"))
        answers = answers.filter(Exists(same.filter(batch_ids__contains=[batch.pk])))
    return answers


def _matches(options: ExportOptions, outdated: Collection[int]) -> Q:
    """The filters that gold records and prompted answers share."""
    condition = Q(certainty__gte=options.min_certainty)
    if outdated:
        condition &= ~Q(profile__in=outdated)
    if options.attributes:
        condition &= Q(attribute__in=options.attributes)
    if options.hardness:
        condition &= Q(hardness__in=options.hardness)
    if options.required_subreddit is not None:
        condition &= Q(required_subreddit=options.required_subreddit) & ~Q(value="")
    return condition


def selected_profiles(
    corpus: Corpus,
    options: ExportOptions,
    batch: Batch | None,
    *,
    annotator: int | None = None,
    outdated: Collection[int] = (),
) -> QuerySet[Profile]:
    """Profiles to export, by pseudonym, in an order that does not depend on the server's locale."""
    profiles = Profile.objects.filter(corpus=corpus)
    is_selected = _has_review(batch, annotator) if annotator else _has_labels(options, batch, outdated)
    return profiles.filter(is_selected).order_by(Collate("pseudonym", "C"))


def _has_labels(options: ExportOptions, batch: Batch | None, outdated: Collection[int]) -> Q:
    gold = Q(Exists(selected_gold(options, batch, outdated).filter(profile=OuterRef("pk"))))
    if options.with_prompted:
        gold |= Q(Exists(selected_prompted(options, batch, outdated).filter(profile=OuterRef("pk"))))
    if options.filters_gold or options.format in (Format.LLMPRIVACY, Format.SPANS, Format.CSV):
        return gold
    imported = Q() if batch else Q(Exists(SourceRecord.objects.filter(profile=OuterRef("pk")).exclude(contents={})))
    if options.format == Format.SYNTHPAI:
        return gold | imported if imported else gold
    reviewed = gold | _has_review(batch)
    return reviewed | imported if imported else reviewed


def _has_review(batch: Batch | None, annotator: int | None = None) -> Q:
    assignments = Assignment.objects.counted().filter(profile=OuterRef("pk"))
    if batch:
        assignments = assignments.filter(batch=batch)
    return Q(Exists(assignments.filter(annotator=annotator) if annotator else assignments))
