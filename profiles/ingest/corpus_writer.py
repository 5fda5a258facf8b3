"""Write batches of comments into a corpus: new profiles, and new comments of existing ones.

Writing the same batch twice changes nothing. No forgotten account comes back.
"""

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction

from profiles.accounts import forgotten_digests
from profiles.ingest import additions
from profiles.ingest.columns import GroupedComment
from profiles.ingest.comment_batches import CommentBatch, as_time
from profiles.ingest.postgres_copy import copy_table, reserve_ids
from profiles.models import AccountName, Comment, Corpus, Presence, Profile
from profiles.pseudonyms import other_pseudonym
from profiles.subreddits import ensure_subreddits

MAX_SPELLING = 0x7FFF  # fits into two bytes
PROFILE_COLUMNS = (
    "corpus_id", "id", "pseudonym", "account_digest", "spelling", "comment_count",
    "first_written_at", "last_written_at",
)  # fmt: skip
COMMENT_COLUMNS = ("profile_id", "subreddit_id", "reddit_id", "written_at", "copy_number", "body")


@dataclass(frozen=True, slots=True)
class BatchResult:
    """Counts of comments, and of accounts that were left out because they are forgotten."""

    loaded: int = 0
    forgotten: int = 0
    loaded_before: int = 0
    forgotten_accounts: int = 0


class CorpusWriter:
    """Writes to one corpus, and caches the ids of subreddits."""

    def __init__(self, corpus: Corpus, *, exact_spelling: bool = False) -> None:
        self._corpus = corpus
        self._exact_spelling = exact_spelling
        self._subreddit_ids: dict[str, int] = {}

    def write_rows(self, rows: Iterable[GroupedComment]) -> BatchResult:
        return self.write_batch(CommentBatch.from_rows(rows))

    def write_batch(self, whole: CommentBatch) -> BatchResult:
        """Write in one transaction. No account can be forgotten until it ends."""
        with transaction.atomic():
            forgotten = forgotten_digests()
            batch = whole.select_accounts([digest not in forgotten for digest in whole.digests])
            before = self._write(batch) if batch.accounts else 0
        loaded, left_out = len(batch) - before, len(whole.accounts) - len(batch.accounts)
        return BatchResult(loaded, len(whole) - len(batch), before, left_out)

    def _write(self, batch: CommentBatch) -> int:
        """Write the batch. Return how many comments existed before."""
        self._load_subreddits(batch)
        keys = list(zip(batch.digests, self._spellings(batch), strict=True))
        known = additions.known_profiles(self._corpus, keys)
        fresh = batch.select_accounts([key not in known for key in keys])
        rest = batch.select_accounts([key in known for key in keys])
        if fresh.accounts:
            self._add_profiles(fresh, [spelling for key, spelling in keys if (key, spelling) not in known])
        if not rest.accounts:
            return 0
        ids = [known[key] for key in keys if key in known]
        return len(rest) - additions.add_comments(COMMENT_COLUMNS, self._comments(rest, ids))

    def _add_profiles(self, batch: CommentBatch, spellings: list[int]) -> None:
        ids = reserve_ids(Profile, len(batch.accounts))
        pseudonyms = _choose_pseudonyms(self._corpus, batch)
        columns = zip(ids, pseudonyms, batch.digests, spellings, batch.counts, batch.periods, strict=True)
        copy_table(Profile, PROFILE_COLUMNS, ((self._corpus.pk, *row, *period) for *row, period in columns))
        copy_table(AccountName, ("profile_id", "sealed"), zip(ids, batch.sealed, strict=True))
        copy_table(Presence, ("profile_id", "subreddit_id", "comment_count"), self._presences(batch, ids))
        copy_table(Comment, COMMENT_COLUMNS, self._comments(batch, ids))

    def _comments(self, batch: CommentBatch, ids: Sequence[int]) -> Iterator[tuple[object, ...]]:
        for pk, comments in zip(ids, batch.comments, strict=True):
            for row in comments:
                place, number = self._subreddit_ids[row.subreddit.lower()], int(row.id, 36)
                yield pk, place, number, as_time(row.created), row.copy, row.body

    def _presences(self, batch: CommentBatch, ids: Sequence[int]) -> Iterator[tuple[int, int, int]]:
        for pk, comments in zip(ids, batch.comments, strict=True):
            places = Counter(self._subreddit_ids[row.subreddit.lower()] for row in comments)
            yield from ((pk, place, count) for place, count in places.items())

    def _load_subreddits(self, batch: CommentBatch) -> None:
        """Look up the ids of subreddits that are not in the cache yet; the others exist."""
        unknown = [name for name in batch.subreddits if name.lower() not in self._subreddit_ids]
        if unknown:
            self._subreddit_ids |= ensure_subreddits(unknown)

    def _spellings(self, batch: CommentBatch) -> list[int]:
        """The number of each account's spelling: 0, unless the corpus distinguishes spellings, which share a digest.

        The number starts from a short checksum. Where another spelling of the account has it, the next one is free.
        """
        if not self._exact_spelling:
            return [0] * len(batch.accounts)
        numbers = additions.known_spellings(self._corpus, batch.digests)
        return [
            _number_spelling(numbers.setdefault(digest, {}), account)
            for digest, account in zip(batch.digests, batch.accounts, strict=True)
        ]


def _number_spelling(numbers: dict[str, int], account: str) -> int:
    """The number of this spelling; a new one is added to those of the account."""
    if account not in numbers:
        number = zlib.crc32(account.encode()) & MAX_SPELLING
        while number in numbers.values():
            number = (number + 1) & MAX_SPELLING
        numbers[account] = number
    return numbers[account]


def _choose_pseudonyms(corpus: Corpus, batch: CommentBatch) -> list[str]:
    """Choose a pseudonym for each account that is unique in the corpus."""
    names = list(batch.pseudonyms)
    taken = additions.taken_pseudonyms(corpus, names)
    for at, digest in enumerate(batch.digests):
        if names[at] in taken:
            names[at] = _free_pseudonym(corpus, digest, taken | set(names))
        taken.add(names[at])
    return names


def _free_pseudonym(corpus: Corpus, digest: bytes, taken: set[str]) -> str:
    """The first alternative that nobody has, here or in an earlier batch."""
    name = other_pseudonym(digest, taken)
    while additions.taken_pseudonyms(corpus, [name]):
        taken.add(name)
        name = other_pseudonym(digest, taken)
    return name
