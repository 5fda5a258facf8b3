"""Filling a corpus: records in, rows by COPY, all or nothing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import connection, models, transaction
from django.utils import timezone

from profiles.models import AccountName, Comment, Corpus, ForgottenAccount, Presence, Profile, Subreddit
from profiles.pseudonyms import pseudonym
from profiles.sealing import account_digest, seal


@dataclass(frozen=True, slots=True)
class CommentRecord:
    reddit_id: str
    subreddit: str
    written_at: datetime
    body: str


@dataclass(frozen=True, slots=True)
class ProfileRecord:
    """Everything one account wrote that a corpus keeps."""

    account: str
    comments: Sequence[CommentRecord]


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came of a load: comments written, and profiles left out because their account is forgotten."""

    comments: int
    left_out: int


def load_profiles(corpus: Corpus, records: Iterable[ProfileRecord]) -> Loaded:
    """Add the profiles, but none of a forgotten account, and make the corpus visible."""
    accounts = _one_per_account(records)
    with transaction.atomic():
        forgotten = accounts.keys() & forgotten_digests()
        digests = [digest for digest in accounts if digest not in forgotten]
        records = [accounts[digest] for digest in digests]
        places = ensure_subreddits(comment.subreddit for record in records for comment in record.comments)
        ids = _reserve_ids(Profile, len(records))
        rows = (_profile_row(i, corpus, d, r) for i, d, r in zip(ids, digests, records, strict=True))
        _copy(Profile, PROFILE_COLUMNS, rows)
        _copy(AccountName, ("profile_id", "sealed"), ((i, seal(r.account)) for i, r in zip(ids, records, strict=True)))
        _copy(Presence, ("profile_id", "subreddit_id", "comment_count"), _presence_rows(ids, records, places))
        _copy(Comment, COMMENT_COLUMNS, _comment_rows(ids, records, places))
        Corpus.objects.filter(pk=corpus.pk).update(ready_at=timezone.now())
    return Loaded(sum(len(record.comments) for record in records), left_out=len(forgotten))


def forgotten_digests() -> set[bytes]:
    """The accounts that must not come back. Until the transaction ends, no other account can be forgotten.

    Without that hold, an account forgotten between this look and the end of the load would come back with it.
    Takedowns are few, so all are read; profiles are millions.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {connection.ops.quote_name(ForgottenAccount._meta.db_table)} IN SHARE MODE")
    return {bytes(digest) for digest in ForgottenAccount.objects.values_list("account_digest", flat=True)}


def _one_per_account(records: Iterable[ProfileRecord]) -> dict[bytes, ProfileRecord]:
    """By digest, in order. Two spellings of a name are one account, under the spelling that came first."""
    accounts: dict[bytes, ProfileRecord] = {}
    for record in records:
        digest = account_digest(record.account)
        first = accounts.get(digest)
        accounts[digest] = replace(first, comments=[*first.comments, *record.comments]) if first else record
    return accounts


def ensure_subreddits(names: Iterable[str]) -> dict[str, int]:
    """The id of each subreddit by its lower-case name, with unknown ones added as first spelt."""
    spelt: dict[str, str] = {}
    for name in names:
        spelt.setdefault(name.lower(), name)
    Subreddit.objects.bulk_create([Subreddit(name=name) for name in spelt.values()], ignore_conflicts=True)
    known = Subreddit.objects.annotate(key=models.functions.Lower("name")).filter(key__in=spelt)
    return dict(known.values_list("key", "pk"))


PROFILE_COLUMNS = (
    "id", "corpus_id", "pseudonym", "account_digest", "comment_count", "first_written_at", "last_written_at"
)  # fmt: skip
COMMENT_COLUMNS = ("profile_id", "subreddit_id", "reddit_id", "written_at", "body")


def _profile_row(pk: int, corpus: Corpus, digest: bytes, record: ProfileRecord) -> tuple[object, ...]:
    dates = [comment.written_at for comment in record.comments]
    return (pk, corpus.pk, pseudonym(digest), digest, len(dates), min(dates), max(dates))


def _presence_rows(
    ids: Sequence[int], records: Sequence[ProfileRecord], places: dict[str, int]
) -> Iterator[tuple[object, ...]]:
    for pk, record in zip(ids, records, strict=True):
        counts = Counter(places[comment.subreddit.lower()] for comment in record.comments)
        yield from ((pk, place, count) for place, count in sorted(counts.items()))


def _comment_rows(
    ids: Sequence[int], records: Sequence[ProfileRecord], places: dict[str, int]
) -> Iterator[tuple[object, ...]]:
    for pk, record in zip(ids, records, strict=True):
        for comment in record.comments:
            place = places[comment.subreddit.lower()]
            body = comment.body.replace("\x00", "")  # Postgres cannot hold it
            yield (pk, place, int(comment.reddit_id, 36), comment.written_at, body)


def _reserve_ids(model: type[models.Model], count: int) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [model._meta.db_table, count],
        )
        return [row[0] for row in cursor.fetchall()]


def _copy(model: type[models.Model], columns: Sequence[str], rows: Iterable[tuple[object, ...]]) -> None:
    names = ", ".join(connection.ops.quote_name(column) for column in columns)
    with (
        connection.wrap_database_errors,
        connection.cursor() as cursor,
        cursor.copy(f"COPY {connection.ops.quote_name(model._meta.db_table)} ({names}) FROM STDIN") as copy,
    ):
        for row in rows:
            copy.write_row(row)
