"""Filling a corpus: records in, rows by COPY, all or nothing."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import connection, models, transaction
from django.utils import timezone

from profiles.models import AccountName, Comment, Corpus, Presence, Profile, Subreddit
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


def load_profiles(corpus: Corpus, records: Iterable[ProfileRecord]) -> int:
    """Add the profiles and make the corpus visible. Returns the number of comments."""
    records = list(records)
    with transaction.atomic():
        places = ensure_subreddits(comment.subreddit for record in records for comment in record.comments)
        ids = _reserve_ids(Profile, len(records))
        _copy(Profile, PROFILE_COLUMNS, (_profile_row(i, corpus, r) for i, r in zip(ids, records, strict=True)))
        _copy(AccountName, ("profile_id", "sealed"), ((i, seal(r.account)) for i, r in zip(ids, records, strict=True)))
        _copy(Presence, ("profile_id", "subreddit_id", "comment_count"), _presence_rows(ids, records, places))
        _copy(Comment, COMMENT_COLUMNS, _comment_rows(ids, records, places))
        Corpus.objects.filter(pk=corpus.pk).update(ready_at=timezone.now())
    return sum(len(record.comments) for record in records)


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


def _profile_row(pk: int, corpus: Corpus, record: ProfileRecord) -> tuple[object, ...]:
    digest = account_digest(record.account)
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
