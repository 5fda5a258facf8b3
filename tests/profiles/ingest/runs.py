"""Run ingests in tests, and check what they stored."""

from collections import Counter
from pathlib import Path
from typing import Any

from django.db.models import Max, Min, Sum

from profiles.ingest.options import ALL, Options
from profiles.ingest.requests import request_ingest
from profiles.ingest.run import run_ingest
from profiles.models import Comment, Corpus, Ingest, Presence, Profile

EVERYTHING = Options(subreddits=ALL)


def ingest(*paths: Path, name: str = "corpus", options: Options | None = EVERYTHING) -> Corpus:
    job = request_ingest(name, options, paths)
    run_ingest(job)
    return Corpus.objects.get(pk=job.corpus_id)


def last_ingest() -> Ingest:
    return Ingest.objects.latest("pk")


def rows_of(corpus: Corpus) -> Counter[tuple[Any, ...]]:
    """Everything that was stored, without primary keys."""
    columns = ("profile__pseudonym", "subreddit__name", "reddit_id", "copy_number", "written_at", "body")
    return Counter(Comment.objects.filter(profile__corpus=corpus).values_list(*columns))


def assert_counts_are_true(corpus: Corpus) -> None:
    """The counts of profiles, presences and the funnel match the comments."""
    comments = Comment.objects.filter(profile__corpus=corpus)
    for profile in Profile.objects.filter(corpus=corpus):
        stored = (profile.comment_count, profile.first_written_at, profile.last_written_at)
        span = profile.comments.aggregate(first=Min("written_at"), last=Max("written_at"))
        assert stored == (profile.comments.count(), span["first"], span["last"])
        subreddits = Counter(profile.comments.values_list("subreddit", flat=True))
        assert dict(profile.presences.values_list("subreddit", "comment_count")) == dict(subreddits)
    in_subreddits = Presence.objects.filter(profile__corpus=corpus).aggregate(n=Sum("comment_count"))["n"] or 0
    assert corpus.funnel[-1]["left"] == comments.count() == in_subreddits
