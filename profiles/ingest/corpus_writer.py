"""Write batches of comments into a corpus: new profiles, and new comments of existing ones.

Writing the same batch twice changes nothing. No forgotten account comes back.
"""

import zlib
from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from django.db import transaction

from profiles.accounts import forgotten_digests
from profiles.ingest import additions
from profiles.ingest.comment_batches import CommentBatch
from profiles.ingest.postgres_copy import as_bytea, copy_table, reserve_ids
from profiles.models import AccountName, Comment, Corpus, Presence, Profile
from profiles.pseudonyms import other_pseudonym
from profiles.subreddits import ensure_subreddits

MAX_SPELLING = 0x7FFF  # fits into two bytes


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

    def write_rows(self, rows: pa.Table) -> BatchResult:
        return self.write_batch(CommentBatch.from_rows(rows)) if rows.num_rows else BatchResult()

    def write_batch(self, whole: CommentBatch) -> BatchResult:
        """Write in one transaction. No account can be forgotten until it ends."""
        with transaction.atomic():
            forgotten = forgotten_digests()
            is_forgotten = np.asarray([digest in forgotten for digest in whole.digests])
            batch = whole.select_accounts(~is_forgotten)
            before = self._write(batch) if batch.accounts else 0
        loaded = len(batch.owner) - before
        return BatchResult(loaded, len(whole.owner) - len(batch.owner), before, int(is_forgotten.sum()))

    def _write(self, batch: CommentBatch) -> int:
        """Write the batch. Return how many comments existed before."""
        keys = list(zip(batch.digests, self._spellings(batch), strict=True))
        known = additions.known_profiles(self._corpus, keys)
        is_known = np.asarray([key in known for key in keys])
        fresh, rest = batch.select_accounts(~is_known), batch.select_accounts(is_known)
        if fresh.accounts:
            self._add_profiles(fresh, [spelling for key, spelling in keys if (key, spelling) not in known])
        if not rest.accounts:
            return 0
        ids = [known[key] for key, there in zip(keys, is_known, strict=True) if there]
        return additions.add_comments(self._comments(rest, ids))

    def _add_profiles(self, batch: CommentBatch, spellings: list[int]) -> None:
        ids = reserve_ids(Profile, len(batch.accounts))
        copy_table(Profile, pa.table({
            "id": ids, "corpus_id": [self._corpus.pk] * len(ids), "pseudonym": _choose_pseudonyms(self._corpus, batch),
            "account_digest": as_bytea(batch.digests), "spelling": spellings,
            "comment_count": batch.counts,
            "first_written_at": batch.first_written_at, "last_written_at": batch.last_written_at,
        }))  # fmt: skip
        copy_table(AccountName, pa.table({"profile_id": ids, "sealed": as_bytea(batch.sealed)}))
        comments = self._comments(batch, ids)
        copy_table(Presence, _presences(comments))
        copy_table(Comment, comments)

    def _comments(self, batch: CommentBatch, ids: list[int]) -> pa.Table:
        return pa.table({
            "profile_id": np.asarray(ids, np.int64)[batch.owner], "subreddit_id": self._subreddit_ids_of(batch),
            "reddit_id": batch.reddit_ids, "written_at": batch.written_at, "copy_number": batch.rows["copy"],
            "body": batch.rows["body"],
        })  # fmt: skip

    def _subreddit_ids_of(self, batch: CommentBatch) -> npt.NDArray[np.int64]:
        codes, names = batch.subreddits
        unknown = [name for name in names if name.lower() not in self._subreddit_ids]
        if unknown:
            self._subreddit_ids |= ensure_subreddits(unknown)
        return np.asarray([self._subreddit_ids[name.lower()] for name in names], np.int64)[codes]

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


def _presences(comments: pa.Table) -> pa.Table:
    pairs = zip(comments["profile_id"].to_pylist(), comments["subreddit_id"].to_pylist(), strict=True)
    counts = Counter(pairs)
    return pa.table({
        "profile_id": [profile for profile, _ in counts], "subreddit_id": [place for _, place in counts],
        "comment_count": list(counts.values()),
    })  # fmt: skip
