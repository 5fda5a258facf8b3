"""Judgements of several people about one profile, for tests of gold and adjudication."""

from typing import Any

from django.utils import timezone

from annotator.models import Annotator, Assignment, Batch, Dispute, Evidence, GoldRecord, Judgement
from profiles.models import Profile
from tests.factories import make_annotator, make_assignment, make_batch, make_judgement, make_profile


def say(profile: Profile, batch: Batch, by: Annotator | None = None, **answers: Any) -> Assignment:
    """Submit answers: `age="27"`, or `age=dict(value="27", certainty=1)`."""
    by = by or make_annotator()
    assignment: Assignment = make_assignment(
        annotator=by, profile=profile, batch=batch, submitted_at=timezone.now(), slot=by.pk, active_seconds=90
    )
    for attribute, answer in answers.items():
        make_judgement(assignment, attribute, **(answer if isinstance(answer, dict) else {"value": answer}))
    return assignment


def disputed(*values: str, attribute: str = "age", profile: Profile | None = None) -> Profile:
    """A profile with one annotator's judgement per value."""
    profile = profile or make_profile("I am 27 and moved to Houston")
    batch = make_batch(corpus=profile.corpus, overlap=min(5, len(values)))
    for value in values:
        say(profile, batch, **{attribute: value})
    return profile


def quote(judgement: Judgement, words: str) -> Evidence:
    comment = judgement.assignment.profile.comments.get()
    start = comment.body.index(words)
    return Evidence.objects.create(
        judgement=judgement, comment=comment, start=start, end=start + len(words), text=words
    )


def gold_of(profile: Profile) -> dict[str, tuple[str, int, int, str]]:
    rows = GoldRecord.objects.filter(profile=profile)
    return {row.attribute: (row.value, row.hardness, row.certainty, row.reached) for row in rows}


def disputes_of(profile: Profile) -> dict[str, str]:
    return dict(Dispute.objects.filter(profile=profile).values_list("attribute", "kind"))
