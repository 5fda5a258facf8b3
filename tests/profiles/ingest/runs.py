"""Running ingests in tests, and recounting what they left."""

from collections import Counter
from pathlib import Path
from typing import Any

from django.db.models import Max, Min, Sum

from profiles.ingest.options import ALL, Options
from profiles.ingest.requests import ask_for_ingest
from profiles.ingest.run import run_ingest
from profiles.models import Comment, Corpus, Ingest, Presence, Profile

EVERYTHING = Options(subreddits=ALL)


def ingest(*paths: Path, name: str = "corpus", options: Options | None = EVERYTHING) -> Corpus:
    asked = ask_for_ingest(name, options, paths)
    run_ingest(asked)
    return Corpus.objects.get(pk=asked.corpus_id)


def last_run() -> Ingest:
    return Ingest.objects.latest("pk")


def rows_of(corpus: Corpus) -> Counter[tuple[Any, ...]]:
    """Everything that was written, without the numbers of rows."""
    columns = ("profile__pseudonym", "subreddit__name", "reddit_id", "copy_number", "written_at", "body")
    return Counter(Comment.objects.filter(profile__corpus=corpus).values_list(*columns))


def assert_counts_are_true(corpus: Corpus) -> None:
    """Profiles, presences and the funnel say what the comments say."""
    comments = Comment.objects.filter(profile__corpus=corpus)
    for profile in Profile.objects.filter(corpus=corpus):
        told = (profile.comment_count, profile.first_written_at, profile.last_written_at)
        seen = profile.comments.aggregate(first=Min("written_at"), last=Max("written_at"))
        assert told == (profile.comments.count(), seen["first"], seen["last"])
        places = Counter(profile.comments.values_list("subreddit", flat=True))
        assert dict(profile.presences.values_list("subreddit", "comment_count")) == dict(places)
    in_places = Presence.objects.filter(profile__corpus=corpus).aggregate(n=Sum("comment_count"))["n"] or 0
    assert corpus.funnel[-1]["left"] == comments.count() == in_places
