"""Forgotten accounts do not come back, and account names are parsed however people write them."""

import threading
from datetime import UTC, datetime

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from profiles.accounts import NotAnAccount, parse_account
from profiles.bulk_load import CommentRecord, LoadResult, ProfileRecord, load_profiles
from profiles.encryption import account_digest, unseal
from profiles.ingest import corpus_writer
from profiles.models import AccountName, Comment, ForgottenAccount, Profile
from tests.factories import make_corpus

DAY = datetime(2013, 5, 1, tzinfo=UTC)


def record(account: str, *ids: str) -> ProfileRecord:
    return ProfileRecord(account, [CommentRecord(i, "houston", DAY, "I moved to Houston") for i in ids or ("c3xk9qa",)])


def forget(account: str) -> ForgottenAccount:
    return ForgottenAccount.objects.create(account_digest=account_digest(account))


@pytest.mark.django_db
def test_a_load_leaves_forgotten_accounts_out_and_says_how_many():
    forget("tinroof_rusty")
    loaded = load_profiles(make_corpus(), [record("TinRoof_Rusty", "a1", "a2"), record("somebody", "a3")])
    assert loaded == LoadResult(comments=1, left_out=1)
    assert unseal(bytes(AccountName.objects.get().sealed)) == "somebody"
    assert Comment.objects.count() == 1


@pytest.mark.django_db
def test_a_load_of_nobody_else_leaves_an_empty_corpus():
    forget("tinroof_rusty")
    assert load_profiles(make_corpus(), [record("tinroof_rusty")]) == LoadResult(comments=0, left_out=1)
    assert not Profile.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("accounts", [1, 40])
def test_looking_for_forgotten_accounts_takes_one_query_for_a_load(accounts):
    corpus = make_corpus()
    for number in range(accounts):
        forget(f"gone{number}")
    records = [record(f"{kind}{n}", f"{kind[0]}{n}") for n in range(accounts) for kind in ("gone", "kept")]
    with CaptureQueriesContext(connection) as queries:
        assert load_profiles(corpus, records).left_out == accounts
    assert len([query for query in queries if "forgottenaccount" in query["sql"]]) == 2  # the lock and the look


@pytest.mark.django_db
def test_two_spellings_in_a_load_are_one_profile():
    load_profiles(make_corpus(), [record("TinRoof", "a1"), record("other", "a2"), record("tinroof", "a3")])
    assert sorted(Profile.objects.values_list("comment_count", flat=True)) == [1, 2]
    names = {unseal(bytes(sealed)) for sealed in AccountName.objects.values_list("sealed", flat=True)}
    assert names == {"TinRoof", "other"}


@pytest.mark.django_db(transaction=True)
def test_nobody_is_forgotten_between_the_look_and_the_end_of_a_load(monkeypatch):
    """The takedown waits for the load, so that it sees what was loaded. Without the lock it would be done before."""
    looked, waited, forgotten = threading.Event(), [], threading.Event()
    look = corpus_writer.forgotten_digests

    def look_and_wait():
        digests = look()
        looked.set()
        waited.append(not forgotten.wait(timeout=1))
        return digests

    def take_down():
        looked.wait(timeout=10)
        forget("tinroof_rusty")
        forgotten.set()
        connection.close()

    monkeypatch.setattr(corpus_writer, "forgotten_digests", look_and_wait)
    thread = threading.Thread(target=take_down)
    thread.start()
    load_profiles(make_corpus(), [record("tinroof_rusty")])
    thread.join(20)
    assert waited == [True]
    assert forgotten.is_set()


@pytest.mark.django_db
def test_the_record_is_never_edited_and_never_doubled():
    forgotten = forget("tinroof_rusty")
    with pytest.raises(DatabaseError, match="Cannot update"), transaction.atomic():
        ForgottenAccount.objects.filter(pk=forgotten.pk).update(removed={"comments": 1})
    with pytest.raises(IntegrityError), transaction.atomic():
        forget("TINROOF_RUSTY")


@pytest.mark.parametrize("written", ["name", "u/name", "/u/name", "U/name", "  u/name \n", "\tname"])
def test_reads_a_name_however_it_is_written(written):
    assert parse_account(written) == "name"


@pytest.mark.parametrize("name", ["a", "A-b_9", "x" * 40, "-", "u"])
def test_takes_what_reddit_takes(name):
    assert parse_account(name) == name


@pytest.mark.parametrize(
    "written",
    ["", " ", "u/", "[deleted]", "u/[deleted]", "x" * 41, "two words", "naïve", "a\x00b", "a/b", "u/u/a", "٣"],
)
def test_refuses_what_is_no_name_without_repeating_it(written):
    with pytest.raises(NotAnAccount) as refusal:
        parse_account(written)
    assert str(refusal.value).startswith("An account name has 1 to 40 letters")
