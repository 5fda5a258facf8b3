"""Writing batches: existing comments stay, new ones are added, and the counts are right."""

import zlib
from collections import Counter
from datetime import UTC, datetime
from itertools import chain, pairwise

import pytest
from django.db.models import Max, Min
from hypothesis import given
from hypothesis import strategies as st

from profiles.encryption import account_digest, unseal
from profiles.ingest import comment_batches
from profiles.ingest.columns import GroupedComment
from profiles.ingest.corpus_writer import MAX_SPELLING, BatchResult, CorpusWriter
from profiles.models import AccountName, Comment, Corpus, ForgottenAccount, Presence, Profile, Subreddit
from tests.chance import at_most
from tests.factories import make_corpus, make_subreddit
from tests.profiles.ingest.dumps import MAY_2013

pytestmark = pytest.mark.django_db


def batch(*comments: tuple, **fields) -> list[GroupedComment]:
    """Comments as `author, id`, or with the hour as a third."""
    return [
        GroupedComment(
            author.lower(), author, "houston", reddit_id, MAY_2013 + 3600 * (hour[0] if hour else 0),
            f"The text of {reddit_id}",
        )._replace(**fields)
        for author, reddit_id, *hour in comments
    ]  # fmt: skip


def as_spelt(rows: list[GroupedComment]) -> list[GroupedComment]:
    return [row._replace(account=row.author) for row in rows]


def everything(corpus: Corpus) -> list[tuple]:
    comments = Comment.objects.filter(profile__corpus=corpus).order_by("profile", "reddit_id", "copy_number")
    columns = "profile__pseudonym", "profile__comment_count", "subreddit__name", "reddit_id", "written_at", "body"
    return [*comments.values_list(*columns), *Presence.objects.order_by("pk").values_list()]


def assert_counts_are_true(corpus: Corpus) -> None:
    for profile in corpus.profiles.all():
        span = profile.comments.aggregate(first=Min("written_at"), last=Max("written_at"))
        assert profile.comment_count == profile.comments.count()
        assert (profile.first_written_at, profile.last_written_at) == (span["first"], span["last"])
        subreddits = Counter(profile.comments.values_list("subreddit", flat=True))
        assert dict(profile.presences.values_list("subreddit", "comment_count")) == subreddits


def test_writing_twice_changes_nothing():
    corpus, rows = make_corpus(), batch(("Ann", "a1", 3), ("Ann", "a2", 1), ("zoe", "z1", 2))
    assert CorpusWriter(corpus).write_rows(rows) == BatchResult(loaded=3)
    before = everything(corpus)
    for writer in (CorpusWriter(corpus), CorpusWriter(corpus)):
        assert writer.write_rows(rows) == BatchResult(loaded_before=3)
    assert everything(corpus) == before
    assert_counts_are_true(corpus)
    assert corpus.profiles.get(comment_count=2).first_written_at == datetime(2013, 5, 1, 1, tzinfo=UTC)


def test_more_rows_than_are_sent_at_once_all_arrive():
    corpus = make_corpus()
    rows = batch(*((f"a{n % 1100:04d}", f"k{n:05d}") for n in sorted(range(2300), key=lambda n: n % 1100)))
    assert CorpusWriter(corpus).write_rows(rows) == BatchResult(loaded=2300)
    assert (Comment.objects.count(), corpus.profiles.count(), AccountName.objects.count()) == (2300, 1100, 1100)
    assert_counts_are_true(corpus)


def test_an_empty_batch_writes_nothing():
    assert CorpusWriter(make_corpus()).write_rows(batch()) == BatchResult()


def test_only_new_comments_are_added_and_the_counts_follow():
    corpus = make_corpus()
    writer = CorpusWriter(corpus)
    writer.write_rows(batch(("ann", "a1", 5), ("zoe", "z1", 5)))
    elsewhere = batch(("ann", "a2", 9), ("ann", "a3", 1), subreddit="Austin")
    grown = [*elsewhere, *batch(("ann", "a1", 5), ("ann", "a4", 2), ("mia", "m1", 7))]
    assert writer.write_rows(grown) == BatchResult(loaded=4, loaded_before=1)
    assert sorted(corpus.profiles.values_list("comment_count", flat=True)) == [1, 1, 4]
    assert_counts_are_true(corpus)


def test_other_corpora_are_left_alone():
    first, second = make_corpus(), make_corpus()
    CorpusWriter(first).write_rows(batch(("ann", "a1")))
    before = everything(first)
    assert CorpusWriter(second).write_rows(batch(("ann", "a1"), ("ann", "a2"))) == BatchResult(loaded=2)
    assert everything(first)[:1] == before[:1]
    assert Profile.objects.values("pseudonym").distinct().count() == 1  # the same name stands for the same account


@at_most(20)
@given(cuts=st.sets(st.integers(0, 12)), twice=st.booleans())
def test_an_account_may_be_cut_over_batches(cuts, twice):
    corpus = make_corpus()
    rows = batch(*((f"name{n // 5}", f"c{n}", (n * 7) % 12) for n in range(12)))
    pieces = [rows[start:end] for start, end in pairwise(sorted({0, 12} | cuts))]
    for piece in pieces * (1 + twice):
        CorpusWriter(corpus).write_rows(piece)
    assert sorted(corpus.profiles.values_list("comment_count", flat=True)) == [2, 5, 5]
    assert_counts_are_true(corpus)


def test_colliding_pseudonyms_are_made_unique(monkeypatch):
    monkeypatch.setattr(comment_batches, "pseudonym", lambda digest: "amber-heron-22222")
    corpus = make_corpus()
    CorpusWriter(corpus).write_rows(batch(("ann", "a1"), ("zoe", "z1")))
    CorpusWriter(corpus).write_rows(batch(("mia", "m1"), ("tom", "t1"), ("ann", "a1")))
    names = set(corpus.profiles.values_list("pseudonym", flat=True))
    assert len(names) == 4
    assert "amber-heron-22222" in names


@pytest.mark.parametrize("exact_spelling", [False, True])
def test_forgotten_accounts_are_left_out_and_counted(exact_spelling):
    ForgottenAccount.objects.create(account_digest=account_digest("TinRoof"))
    corpus, rows = make_corpus(), batch(("TinRoof", "a1"), ("TinRoof", "a2"), ("zoe", "z1"))
    if exact_spelling:
        rows = as_spelt(rows)
    result = CorpusWriter(corpus, exact_spelling=exact_spelling).write_rows(rows)
    assert result == BatchResult(loaded=1, forgotten=2, forgotten_accounts=1)
    assert CorpusWriter(corpus).write_rows(rows[:2]) == BatchResult(forgotten=2, forgotten_accounts=1)
    assert [unseal(name.sealed) for name in AccountName.objects.all()] == ["zoe"]


BODIES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1)
HOSTILE = st.lists(st.sampled_from(['"', "'", "\\", "\\.", "\n", "\r", ",", "\\N", "\t", "x", "\ufeff"]), min_size=1)


@given(st.lists(BODIES | HOSTILE.map("".join), min_size=1, max_size=8))
def test_texts_come_back_as_they_were(bodies):
    """Both ways: with a new profile, and added to one that is there."""
    corpus = make_corpus()
    for start in (0, 100):
        rows = batch(*(("ann", f"{start + n}") for n in range(len(bodies))))
        CorpusWriter(corpus).write_rows(row._replace(body=body) for row, body in zip(rows, bodies, strict=True))
    written = Comment.objects.filter(profile__corpus=corpus).order_by("reddit_id").values_list("body", flat=True)
    assert list(written) == bodies * 2


def test_subreddits_are_the_same_in_any_case_and_keep_their_first_spelling():
    make_subreddit("Houston")
    rows = [batch(("ann", f"a{n}"), subreddit=name) for n, name in enumerate(["HOUSTON", "AskMen", "ASKMEN", "askmen"])]
    writer = CorpusWriter(make_corpus())
    writer.write_rows(chain(*rows))
    writer.write_rows(batch(("ann", "b1"), ("zoe", "b2"), subreddit="aSkMeN"))
    assert sorted(Subreddit.objects.values_list("name", flat=True)) == ["AskMen", "Houston"]
    assert dict(Presence.objects.filter(profile__comment_count=5).values_list("subreddit__name", "comment_count")) == {
        "Houston": 1, "AskMen": 4,
    }  # fmt: skip


def test_spellings_are_two_profiles_where_they_are_told_apart():
    rows = batch(("Tinroof", "a1"), ("tinroof", "a2"), ("TINROOF", "a3"))
    exact = as_spelt(rows)
    corpus = make_corpus()
    for result in (BatchResult(loaded=3), BatchResult(loaded_before=3)):
        assert CorpusWriter(corpus, exact_spelling=True).write_rows(exact) == result
    assert corpus.profiles.values("account_digest").distinct().count() == 1
    assert corpus.profiles.values("pseudonym").distinct().count() == 3
    assert {unseal(name.sealed) for name in AccountName.objects.all()} == {"Tinroof", "tinroof", "TINROOF"}


def test_copies_of_a_comment_are_kept_apart():
    corpus, rows = make_corpus(), batch(("ann", "a1"), ("ann", "a1"))
    rows[1] = rows[1]._replace(copy=1)
    assert CorpusWriter(corpus).write_rows(rows) == BatchResult(loaded=2)
    assert CorpusWriter(corpus).write_rows(rows) == BatchResult(loaded_before=2)


def test_the_longest_id_fits():
    CorpusWriter(make_corpus()).write_rows(batch(("ann", "z" * 12)))
    assert Comment.objects.get().reddit_id == 36**12 - 1


def colliding_spellings() -> list[str]:
    """Three spellings of one name whose short checksums are the same."""
    seen: dict[int, list[str]] = {}
    for number in range(1 << 20):
        name = "".join(c.upper() if number >> at & 1 else c for at, c in enumerate("tinroofrustyabcdefgh"))
        alike = seen.setdefault(zlib.crc32(name.encode()) & MAX_SPELLING, [])
        alike.append(name)
        if len(alike) == 3:
            return sorted(alike)
    raise AssertionError


@pytest.mark.parametrize("together", [True, False])
def test_spellings_with_the_same_short_checksum_are_different_profiles(together):
    names, corpus = colliding_spellings(), make_corpus()
    rows = [batch((name, f"a{n}"), account=name) for n, name in enumerate(names)]
    batches = [list(chain(*rows))] if together else rows
    for _ in range(2):  # the second time, each finds its own profile
        for table in batches:
            CorpusWriter(corpus, exact_spelling=True).write_rows(table)
    for table in reversed(rows):
        assert CorpusWriter(corpus, exact_spelling=True).write_rows(table) == BatchResult(loaded_before=1)
    assert sorted(unseal(bytes(name.sealed)) for name in AccountName.objects.all()) == names
    assert {profile.comment_count for profile in corpus.profiles.all()} == {1}
    assert_counts_are_true(corpus)
