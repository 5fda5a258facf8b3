"""A batch of comments in columns, taken apart by account. The comments of an account stand together."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from profiles.encryption import account_digest, seal
from profiles.ingest.rules import KEPT
from profiles.pseudonyms import pseudonym

GROUPED = pa.schema([
    *((name, pa.string() if kind == "string" else pa.int64()) for name, kind in KEPT.items()), ("copy", pa.int64())
])  # fmt: skip


@dataclass(frozen=True)
class CommentBatch:
    """`owner` says for each comment which of the accounts wrote it."""

    rows: pa.Table
    accounts: list[str]  # by which comments are grouped
    authors: list[str]  # as first spelt
    owner: npt.NDArray[np.int32]

    @classmethod
    def of(cls, rows: pa.Table) -> "CommentBatch":
        rows = rows.combine_chunks()
        coded = rows["account"].combine_chunks().dictionary_encode()
        owner = coded.indices.to_numpy()
        authors = rows["author"].take(_starts(owner)).to_pylist()
        return cls(rows, coded.dictionary.to_pylist(), authors, owner)

    def only(self, wanted: npt.NDArray[np.bool_]) -> "CommentBatch":
        """The comments of some accounts: mostly of all of them."""
        if wanted.all():
            return self
        return CommentBatch.of(self.rows.filter(pa.array(wanted[self.owner])))

    def worked_out(self) -> "CommentBatch":
        """With all that can be known without the database, for whoever has time before it is needed."""
        for name in ("pseudonyms", "sealed", "counts", "first", "last", "written", "reddit_ids", "subreddits"):
            getattr(self, name)
        return self

    @cached_property
    def digests(self) -> list[bytes]:
        return [account_digest(account) for account in self.accounts]

    @cached_property
    def pseudonyms(self) -> list[str]:
        """The first choice for each account; somebody may have it already."""
        return [pseudonym(digest) for digest in self.digests]

    @cached_property
    def sealed(self) -> list[bytes]:
        return [seal(author) for author in self.authors]

    @cached_property
    def counts(self) -> list[int]:
        return np.bincount(self.owner, minlength=len(self.accounts)).tolist()  # type: ignore[no-any-return]

    @cached_property
    def first(self) -> pa.Array:
        return _moments(np.minimum.reduceat(self._created, _starts(self.owner)))

    @cached_property
    def last(self) -> pa.Array:
        return _moments(np.maximum.reduceat(self._created, _starts(self.owner)))

    @cached_property
    def written(self) -> pa.Array:
        return _moments(self._created)

    @cached_property
    def reddit_ids(self) -> pa.Array:
        return pa.array([int(text, 36) for text in self.rows["id"].to_pylist()], pa.int64())

    @cached_property
    def subreddits(self) -> tuple[npt.NDArray[np.int32], list[str]]:
        """For each comment which subreddit, and the subreddits in lower case."""
        coded = self.rows["subreddit"].combine_chunks().dictionary_encode()
        return coded.indices.to_numpy(), coded.dictionary.to_pylist()

    @cached_property
    def _created(self) -> npt.NDArray[np.int64]:
        return self.rows["created"].to_numpy()  # type: ignore[no-any-return]


def _starts(owner: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    return np.concatenate(([0], np.flatnonzero(np.diff(owner)) + 1)) if len(owner) else np.empty(0, np.int64)


def _moments(seconds: npt.NDArray[np.int64]) -> pa.Array:
    return pa.array(seconds.astype("datetime64[s]"), pa.timestamp("s", tz="UTC"))
