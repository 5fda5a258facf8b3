"""Detection runs for tests."""

from profiles.detection.chunks import plan
from profiles.detection.recipes import Contents, Model, get_or_create_recipe
from profiles.models import Comment, Corpus, DetectionRun, Profile
from tests.factories import make_profile

NOWHERE = Contents(models=(Model("en", "en_core_web_none", "0"),), presidio="0", spacy="0")


def make_run(*bodies: str, contents: Contents = NOWHERE, planned: bool = True) -> DetectionRun:
    """A profile with these comments, and a run over it."""
    profile = make_profile(*bodies)
    run = DetectionRun.objects.create(corpus=profile.corpus, recipe=get_or_create_recipe(contents))
    if planned:
        plan(run.pk)
        run.refresh_from_db()
    return run


def add_comments(profile: Profile, *bodies: str) -> list[Comment]:
    first = profile.comments.first()
    number = profile.comments.count()
    return Comment.objects.bulk_create(
        Comment(
            profile=profile, subreddit=first.subreddit, reddit_id=-number - at, written_at=first.written_at, body=body
        )
        for at, body in enumerate(bodies)
    )


def comment_ids(corpus: Corpus) -> list[int]:
    return list(Comment.objects.filter(profile__corpus=corpus).order_by("pk").values_list("pk", flat=True))
