"""A batch of comments, by account."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from profiles.encryption import account_digest, seal
from profiles.ingest.columns import GroupedComment
from profiles.pseudonyms import pseudonym


@dataclass(frozen=True)
class CommentBatch:
    accounts: list[str]
    comments: list[list[GroupedComment]]  # of each account

    @classmethod
    def from_rows(cls, rows: Iterable[GroupedComment]) -> "CommentBatch":
        by_account: dict[str, list[GroupedComment]] = {}
        for row in rows:
            by_account.setdefault(row.account, []).append(row)
        return cls(list(by_account), list(by_account.values()))

    def select_accounts(self, is_selected: Sequence[bool]) -> "CommentBatch":
        """Keep the comments of the selected accounts, which are usually all."""
        if all(is_selected):
            return self
        kept = [n for n, is_so in enumerate(is_selected) if is_so]
        return CommentBatch([self.accounts[n] for n in kept], [self.comments[n] for n in kept])

    def precompute(self) -> "CommentBatch":
        """Compute everything that needs no database, ahead of its use."""
        for name in ("pseudonyms", "sealed", "periods"):
            getattr(self, name)
        return self

    def __len__(self) -> int:
        return sum(self.counts)

    @cached_property
    def digests(self) -> list[bytes]:
        return [account_digest(account) for account in self.accounts]

    @cached_property
    def pseudonyms(self) -> list[str]:
        """The first choice for each account; it may be taken."""
        return [pseudonym(digest) for digest in self.digests]

    @cached_property
    def sealed(self) -> list[bytes]:
        """The accounts in their first spelling."""
        return [seal(comments[0].author) for comments in self.comments]

    @cached_property
    def counts(self) -> list[int]:
        return [len(comments) for comments in self.comments]

    @cached_property
    def periods(self) -> list[tuple[datetime, datetime]]:
        """When each account wrote first and last."""
        seconds = [[comment.created for comment in comments] for comments in self.comments]
        return [(as_time(min(written)), as_time(max(written))) for written in seconds]

    @property
    def subreddits(self) -> dict[str, None]:
        """The names as they are spelled, in order."""
        return dict.fromkeys(comment.subreddit for comments in self.comments for comment in comments)


def as_time(second: int) -> datetime:
    return datetime.fromtimestamp(second, UTC)
