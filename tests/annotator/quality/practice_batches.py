"""Profiles whose answers are known, for tests of practice and quality."""

from django.utils import timezone

from annotator.models import Annotator, Assignment, Batch, GuidelineVersion, KnownAnswer
from annotator.quality.services.practice import make_practice
from profiles.models import Corpus, Profile
from tests.factories import make_assignment, make_judgement, make_profile


def make_known(*bodies: str, corpus: Corpus | None = None, **values: str) -> Profile:
    """A profile with these known answers. The evidence for its location is wherever a comment says Houston."""
    profile = make_profile(*bodies, corpus=corpus)
    for number, (attribute, value) in enumerate((values or {"location": "houston / texas / united states"}).items()):
        KnownAnswer.objects.create(
            profile=profile, attribute=attribute, value=value, hardness=1 + number % 5, certainty=5,
            why=f"because of the {attribute}", evidence=clues(profile) if attribute == "location" else [],
        )  # fmt: skip
    return profile


def clues(profile: Profile, words: str = "Houston") -> list[list[int]]:
    starts = [(comment.pk, comment.body.find(words)) for comment in profile.comments.order_by("pk")]
    return [[pk, start, start + len(words)] for pk, start in starts if start >= 0]


def make_practice_of(*profiles: Profile, name: str = "Practice", **fields: object) -> Batch:
    guideline, _ = GuidelineVersion.objects.get_or_create(number=1, defaults={"text": "Read, then judge."})
    return make_practice(
        name=name, corpus=profiles[0].corpus, guideline=guideline, profiles=[p.pk for p in profiles], **fields
    )


def submitted(annotator: Annotator, profile: Profile, batch: Batch, *, planted: bool = False, **values: str):
    """A submitted assignment with these values, and no judgements on other attributes."""
    done: Assignment = make_assignment(
        annotator=annotator, profile=profile, batch=batch, submitted_at=timezone.now(), is_planted=planted,
        slot=100 + annotator.pk,
    )  # fmt: skip
    for attribute, value in values.items():
        make_judgement(done, attribute, value)
    return done
