"""Which of a profile's comments to show, and the SQL condition for it.

Searching marks the words and leaves all comments in place. Only `matches_only` narrows the list to the matches.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class CommentFilter:
    """A filter without criteria matches all comments."""

    words: str = ""
    matches_only: bool = False
    subreddit: str = ""
    year: int | None = None
    found_only: bool = False

    @property
    def is_all(self) -> bool:
        return not (self._narrows_to_words or self.subreddit or self.year or self.found_only)

    @property
    def like(self) -> str:
        """The words as a pattern for ILIKE."""
        return "%" + self.words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"

    @property
    def condition(self) -> tuple[str, dict[str, Any]]:
        """SQL to append to a WHERE clause on `comment`, and its values. The caller adds the value of `run`."""
        sql, values = "", dict[str, Any]()
        if self._narrows_to_words:
            sql += " AND comment.body ILIKE %(like)s"
            values["like"] = self.like
        if self.subreddit:
            sql += " AND comment.subreddit_id = (SELECT id FROM profiles_subreddit WHERE lower(name) = lower(%(sub)s))"
            values["sub"] = self.subreddit
        if self.year:
            sql += " AND comment.written_at >= make_timestamptz(%(year)s, 1, 1, 0, 0, 0, 'UTC')"
            sql += " AND comment.written_at < make_timestamptz(%(year)s + 1, 1, 1, 0, 0, 0, 'UTC')"
            values["year"] = self.year
        if self.found_only:
            sql += " AND EXISTS (SELECT FROM profiles_detection WHERE comment_id = comment.id AND run_id = %(run)s)"
        return sql, values

    @property
    def _narrows_to_words(self) -> bool:
        return bool(self.words) and self.matches_only
