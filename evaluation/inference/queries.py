"""Profiles with gold and their comments, as a model is asked about them; what people said and how long they took."""

from dataclasses import dataclass, field
from itertools import combinations, groupby
from operator import itemgetter

from django.db.models import Count, Sum

from annotator.models import Assignment, Batch, GoldRecord, Judgement, SameMeaning
from evaluation.inference.ceiling import HumanPair
from evaluation.inference.costs import HumanTime
from evaluation.inference.grades import Grade
from evaluation.inference.records import Label
from evaluation.inference.selection import Text
from evaluation.inference.sound import decision_key
from profiles.attributes import Attribute
from profiles.models import Comment, Corpus


@dataclass(frozen=True, slots=True)
class GoldProfile:
    """A profile and what people agreed on, by attribute. An attribute without gold isn't there."""

    pk: int
    pseudonym: str
    labels: dict[str, Label] = field(default_factory=dict)


def gold_profiles(corpus: Corpus, batch: Batch | None = None) -> list[GoldProfile]:
    """Profiles with at least one gold record, by pseudonym. 1 query."""
    records = GoldRecord.objects.filter(profile__corpus=corpus)
    if batch:
        records = records.filter(batch_ids__contains=[batch.pk])
    columns = "profile_id profile__pseudonym attribute value hardness certainty required_subreddit".split()
    profiles: dict[int, GoldProfile] = {}
    for pk, pseudonym, attribute, *label in records.order_by("profile__pseudonym", "pk").values_list(*columns):
        profiles.setdefault(pk, GoldProfile(pk, pseudonym)).labels[attribute] = Label(*label)
    return list(profiles.values())


def texts_of(profile_id: int) -> list[Text]:
    """1 query."""
    rows = Comment.objects.filter(profile_id=profile_id).order_by("pk")
    return [Text(*row) for row in rows.values_list("pk", "subreddit__name", "written_at", "body")]


def human_pairs(corpus: Corpus, batch: Batch | None = None) -> list[HumanPair]:
    """What any two annotators concluded, in counted judgements, about an attribute of a profile. 1 query."""
    counted = Assignment.objects.counted_in(corpus, batch)
    columns = "assignment__profile__pseudonym attribute value hardness certainty required_subreddit".split()
    rows = Judgement.objects.filter(assignment__in=counted).order_by("assignment__profile_id", "attribute", "pk")
    return [
        HumanPair(pseudonym, attribute, *pair)
        for (pseudonym, attribute), members in groupby(rows.values_list(*columns), key=itemgetter(0, 1))
        for pair in combinations([Label(*label) for _, _, *label in members], 2)
    ]


def active_seconds(corpus: Corpus, batch: Batch | None = None) -> HumanTime:
    """The active time of counted readings. Imported ones have none, and are left out. 1 query."""
    counted = Assignment.objects.counted_in(corpus, batch).filter(active_seconds__gt=0)
    totals = counted.aggregate(
        seconds=Sum("active_seconds", default=0), readings=Count("pk"), profiles=Count("profile", distinct=True)
    )
    return HumanTime(**totals)


def occupation_decisions() -> dict[tuple[str, str], Grade]:
    """Pairs of occupations that adjudicators decided to mean the same, as the scorer takes them. 1 query.

    A pair that doesn't mean the same is left to the rules: one may still be less precise than the other.
    """
    rows = SameMeaning.objects.filter(attribute=Attribute.OCCUPATION, is_same=True).order_by("pk")
    return {decision_key(first, second): Grade.EXACT for first, second in rows.values_list("one", "other")}
