"""Judgements of several people about one profile, for tests of gold and adjudication."""

from typing import Any

from django.utils import timezone

from annotator.comments.blocks import BLOCK_SIZE
from annotator.gold.build import build_gold
from annotator.models import Annotator, Assignment, Batch, Dispute, Evidence, GoldRecord, Judgement
from profiles.models import Comment, Profile
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


def cite(assignment: Assignment, attribute: str, comment: Comment, words: str) -> Evidence:
    start = comment.body.index(words)
    judgement = assignment.judgements.get(attribute=attribute)
    return Evidence.objects.create(
        judgement=judgement, comment=comment, start=start, end=start + len(words), text=words
    )


def cited_profile(*, comments: int = BLOCK_SIZE + 10) -> tuple[Profile, Comment, Comment]:
    """Two people disagree about age and cite the last comment; they agree on sex, and one cites the first."""
    profile = make_profile(*(f"comment {n}" for n in range(comments - 1)), "I am 27, truly")
    batch = make_batch(corpus=profile.corpus, overlap=2)
    first, *_, last = profile.comments.order_by("written_at", "pk")
    ada = say(profile, batch, make_annotator("wilhelmina"), age="27", sex="male")
    ben = say(profile, batch, make_annotator("ottokar"), age="60", sex="male")
    cite(ada, "age", last, "I am 27")
    cite(ben, "age", last, "27, truly")
    cite(ben, "sex", first, "comment")
    build_gold(profile.corpus)
    return profile, first, last


def gold_of(profile: Profile) -> dict[str, tuple[str, int, int, str]]:
    rows = GoldRecord.objects.filter(profile=profile)
    return {row.attribute: (row.value, row.hardness, row.certainty, row.reached) for row in rows}


def disputes_of(profile: Profile) -> dict[str, str]:
    return dict(Dispute.objects.filter(profile=profile).values_list("attribute", "kind"))
