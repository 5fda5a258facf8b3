"""A batch of comments in columns, sorted by account."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from profiles.encryption import account_digest, seal
from profiles.ingest.columns import KEPT_COLUMNS
from profiles.pseudonyms import pseudonym

_TYPES = {"string": pa.string(), "int64": pa.int64()}
GROUPED_SCHEMA = pa.schema([(name, _TYPES[kind]) for name, kind in (KEPT_COLUMNS | {"copy": "int64"}).items()])


@dataclass(frozen=True)
class CommentBatch:
    """`owner` has the position of each comment's account."""

    rows: pa.Table
    accounts: list[str]  # by which comments are grouped
    authors: list[str]  # in their first spelling
    owner: npt.NDArray[np.int32]

    @classmethod
    def from_rows(cls, rows: pa.Table) -> "CommentBatch":
        rows = rows.combine_chunks()
        coded = rows["account"].combine_chunks().dictionary_encode()
        owner = coded.indices.to_numpy()
        authors = rows["author"].take(_starts(owner)).to_pylist()
        return cls(rows, coded.dictionary.to_pylist(), authors, owner)

    def select_accounts(self, is_selected: npt.NDArray[np.bool_]) -> "CommentBatch":
        """Keep the comments of the selected accounts, which are usually all."""
        if is_selected.all():
            return self
        return CommentBatch.from_rows(self.rows.filter(pa.array(is_selected[self.owner])))

    def precompute(self) -> "CommentBatch":
        """Compute everything that needs no database, ahead of its use."""
        for name in (
            "pseudonyms",
            "sealed",
            "counts",
            "first_written_at",
            "last_written_at",
            "written_at",
            "reddit_ids",
            "subreddits",
        ):
            getattr(self, name)
        return self

    @cached_property
    def digests(self) -> list[bytes]:
        return [account_digest(account) for account in self.accounts]

    @cached_property
    def pseudonyms(self) -> list[str]:
        """The first choice for each account; it may be taken."""
        return [pseudonym(digest) for digest in self.digests]

    @cached_property
    def sealed(self) -> list[bytes]:
        return [seal(author) for author in self.authors]

    @cached_property
    def counts(self) -> list[int]:
        return np.bincount(self.owner, minlength=len(self.accounts)).tolist()  # type: ignore[no-any-return]

    @cached_property
    def first_written_at(self) -> pa.Array:
        return _timestamps(np.minimum.reduceat(self._created, _starts(self.owner)))

    @cached_property
    def last_written_at(self) -> pa.Array:
        return _timestamps(np.maximum.reduceat(self._created, _starts(self.owner)))

    @cached_property
    def written_at(self) -> pa.Array:
        return _timestamps(self._created)

    @cached_property
    def reddit_ids(self) -> pa.Array:
        return pa.array([int(text, 36) for text in self.rows["id"].to_pylist()], pa.int64())

    @cached_property
    def subreddits(self) -> tuple[npt.NDArray[np.int32], list[str]]:
        """The position of each comment's subreddit, and the subreddits."""
        coded = self.rows["subreddit"].combine_chunks().dictionary_encode()
        return coded.indices.to_numpy(), coded.dictionary.to_pylist()

    @cached_property
    def _created(self) -> npt.NDArray[np.int64]:
        return self.rows["created"].to_numpy()  # type: ignore[no-any-return]


def _starts(owner: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    return np.concatenate(([0], np.flatnonzero(np.diff(owner)) + 1)) if len(owner) else np.empty(0, np.int64)


def _timestamps(seconds: npt.NDArray[np.int64]) -> pa.Array:
    return pa.array(seconds.astype("datetime64[s]"), pa.timestamp("s", tz="UTC"))
