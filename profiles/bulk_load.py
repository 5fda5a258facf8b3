"""Load a corpus from records, all or nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from profiles.ingest.columns import GroupedComment
from profiles.ingest.corpus_writer import CorpusWriter
from profiles.models import Corpus


@dataclass(frozen=True, slots=True)
class CommentRecord:
    reddit_id: str
    subreddit: str
    written_at: datetime
    body: str


@dataclass(frozen=True, slots=True)
class ProfileRecord:
    """An account and its comments."""

    account: str
    comments: Sequence[CommentRecord]


@dataclass(frozen=True, slots=True)
class LoadResult:
    """Comments written, and profiles left out because their account is forgotten."""

    comments: int
    left_out: int


def load_profiles(corpus: Corpus, records: Iterable[ProfileRecord]) -> LoadResult:
    """Add the profiles, except those of forgotten accounts, and publish the corpus."""
    rows = _rows(records)
    with transaction.atomic():
        result = CorpusWriter(corpus).write_rows(rows)
        Corpus.objects.filter(pk=corpus.pk).update(ready_at=timezone.now())
    return LoadResult(result.loaded, left_out=result.forgotten_accounts)


def _rows(records: Iterable[ProfileRecord]) -> list[GroupedComment]:
    """Merge spellings of a name that differ only in case; the first spelling wins."""
    accounts: dict[str, list[GroupedComment]] = {}
    for record in records:
        accounts.setdefault(record.account.lower(), []).extend(_row(record.account, c) for c in record.comments)
    return [row for rows in accounts.values() for row in rows]


def _row(account: str, comment: CommentRecord) -> GroupedComment:
    return GroupedComment(
        account=account.lower(),
        author=account,
        subreddit=comment.subreddit,
        id=comment.reddit_id,
        created=int(comment.written_at.timestamp()),
        body=comment.body.replace("\x00", ""),  # Postgres cannot store it
    )
