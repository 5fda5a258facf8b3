"""Loading a corpus by COPY: all or nothing, and true to what was written."""

from datetime import UTC, datetime

import pytest
from django.db import DatabaseError
from hypothesis import given
from hypothesis import strategies as st

from profiles.bulk_load import CommentRecord, LoadResult, ProfileRecord, load_profiles
from profiles.encryption import unseal
from profiles.models import AccountName, Comment, Profile, Subreddit
from tests.chance import at_most
from tests.factories import make_corpus

DAY = datetime(2013, 5, 1, tzinfo=UTC)


def comment(body="I moved to Houston", subreddit="houston", reddit_id="c3xk9qa", at=DAY):
    return CommentRecord(reddit_id, subreddit, at, body)


@pytest.mark.django_db
def test_makes_profiles_comments_and_summaries():
    corpus = make_corpus(ready=False)
    second = comment("And back", reddit_id="c3xk9qb", at=datetime(2014, 1, 1, tzinfo=UTC))
    loaded = load_profiles(corpus, [ProfileRecord("tinroof_rusty", [comment(), second])])
    assert loaded == LoadResult(comments=2, left_out=0)
    profile = Profile.objects.get()
    assert (profile.comment_count, profile.first_written_at, profile.last_written_at.year) == (2, DAY, 2014)
    assert profile.presences.get().comment_count == 2
    assert profile.comments.order_by("written_at")[0].reddit_id == int("c3xk9qa", 36)
    corpus.refresh_from_db()
    assert corpus.ready_at


@pytest.mark.django_db
def test_subreddits_are_the_same_in_any_case_and_keep_their_first_spelling():
    spelt = [comment(subreddit="AskMen"), comment(subreddit="ASKMEN", reddit_id="c3xk9qb")]
    load_profiles(make_corpus(), [ProfileRecord("a", spelt)])
    assert Subreddit.objects.get().name == "AskMen"


@pytest.mark.django_db
def test_the_account_is_kept_apart_and_sealed():
    load_profiles(make_corpus(), [ProfileRecord("tinroof_rusty", [comment()])])
    sealed = bytes(AccountName.objects.get().sealed)
    assert b"tinroof" not in sealed
    assert unseal(sealed) == "tinroof_rusty"
    assert "tinroof" not in Profile.objects.get().pseudonym


@pytest.mark.django_db(transaction=True)
def test_a_corpus_that_fails_half_way_leaves_nothing():
    corpus = make_corpus(ready=False)
    twice = [comment(), comment("another text, same id")]
    with pytest.raises(DatabaseError, match="comment_loaded_once"):
        load_profiles(corpus, [ProfileRecord("a", [comment()]), ProfileRecord("b", twice)])
    assert not Profile.objects.exists()
    assert not Subreddit.objects.exists()
    corpus.refresh_from_db()
    assert corpus.ready_at is None


@pytest.mark.django_db
@at_most(30)
@given(body=st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(lambda text: text.strip("\x00")))
def test_text_comes_back_as_it_was_written_but_for_nul(body):
    Comment.objects.all().delete()
    Profile.objects.all().delete()
    load_profiles(make_corpus(), [ProfileRecord("a", [comment(body)])])
    assert Comment.objects.get().body == body.replace("\x00", "")
