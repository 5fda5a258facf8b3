"""Profiles with gold, and their comments, as a model is asked about them."""

from dataclasses import dataclass, field

from annotator.models import Batch, GoldRecord
from evaluation.inference.records import Label
from evaluation.inference.selection import Text
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
