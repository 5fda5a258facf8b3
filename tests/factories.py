"""Plain functions that create rows, with boring defaults."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from itertools import count

from django.utils import timezone

from annotator.models import Annotator, Assignment, Batch, GuidelineVersion, Judgement, Role
from profiles.encryption import account_digest
from profiles.models import Comment, Corpus, Presence, Profile, Subreddit

PASSWORD = "a quiet blue kettle"
_numbers = count(1)


def make_annotator(username: str = "", *, roles: Iterable[Role] = (Role.EVALUATOR,), **fields: object) -> Annotator:
    username = username or f"person{next(_numbers)}"
    defaults = {"display_name": username.title(), "email": f"{username}@example.org", "roles": [r.value for r in roles]}
    defaults |= {"welcomed_at": timezone.now()}
    return Annotator.objects.create_user(username, password=PASSWORD, **(defaults | fields))


def make_corpus(name: str = "", *, ready: bool = True) -> Corpus:
    ready_at = timezone.now() if ready else None
    return Corpus.objects.create(name=name or f"corpus {next(_numbers)}", ready_at=ready_at)


def make_subreddit(name: str = "AskReddit") -> Subreddit:
    return Subreddit.objects.get_or_create(name=name)[0]


def make_profile(*bodies: str, corpus: Corpus | None = None, subreddit: str = "AskReddit") -> Profile:
    """A profile with one comment for each body, a day apart."""
    number, home, bodies = next(_numbers), make_subreddit(subreddit), bodies or ("I moved to Houston",)
    dates = [datetime(2013, 5, 1, tzinfo=UTC) + timedelta(days=n) for n in range(len(bodies))]
    profile = Profile.objects.create(
        corpus=corpus or make_corpus(),
        pseudonym=f"quiet-heron-{number}",
        account_digest=account_digest(f"account{number}"),
        comment_count=len(bodies),
        first_written_at=dates[0],
        last_written_at=dates[-1],
    )
    Presence.objects.create(profile=profile, subreddit=home, comment_count=len(bodies))
    for body, written_at in zip(bodies, dates, strict=True):
        Comment.objects.create(
            profile=profile, subreddit=home, reddit_id=next(_numbers), written_at=written_at, body=body
        )
    return profile


def make_batch(*, corpus: Corpus | None = None, **fields: object) -> Batch:
    guideline, _ = GuidelineVersion.objects.get_or_create(number=1, defaults={"text": "Read, then judge."})
    return Batch.objects.create(
        name=f"batch {next(_numbers)}", corpus=corpus or make_corpus(), guideline=guideline,
        **({"started_at": timezone.now()} | fields),
    )  # fmt: skip


def make_assignment(
    *, annotator: Annotator | None = None, profile: Profile | None = None, batch: Batch | None = None, **fields: object
) -> Assignment:
    """An assignment held by the annotator if there is one, otherwise unclaimed."""
    profile = profile or make_profile()
    claimed = {"claimed_at": timezone.now()} if annotator else {}
    return Assignment.objects.create(
        batch=batch or make_batch(corpus=profile.corpus), profile=profile, annotator=annotator,
        **({"position": next(_numbers)} | claimed | fields),
    )  # fmt: skip


def make_judgement(
    assignment: Assignment, attribute: str = "location", value: str = "houston", **fields: object
) -> Judgement:
    rated = {"hardness": 2, "certainty": 4} if value else {}
    return Judgement.objects.create(
        assignment=assignment, attribute=attribute, value=value, judged_at=timezone.now(), **(rated | fields)
    )
