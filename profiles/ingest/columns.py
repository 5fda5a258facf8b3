"""The columns of comments on their way, with SQL types that DuckDB and Spark both know."""

from typing import NamedTuple

RAW_COLUMNS = dict.fromkeys(("author", "body", "created_utc", "id", "subreddit"), "STRING")
KEPT_COLUMNS = {
    "account": "STRING", "author": "STRING", "subreddit": "STRING",
    "id": "STRING", "created": "BIGINT", "body": "STRING",
}  # fmt: skip
GROUPED_COLUMNS = KEPT_COLUMNS | {"copy": "BIGINT"}


class GroupedComment(NamedTuple):
    """A row of `GROUPED_COLUMNS`."""

    account: str
    author: str
    subreddit: str
    id: str
    created: int
    body: str
    copy: int = 0
