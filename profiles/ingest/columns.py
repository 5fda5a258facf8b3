"""The columns of comments on their way, as Ibis names their types. Apart from the rules, which import Ibis."""

RAW_COLUMNS = dict.fromkeys(("author", "body", "created_utc", "id", "subreddit"), "string")
KEPT_COLUMNS = {
    "account": "string", "author": "string", "subreddit": "string",
    "id": "string", "created": "int64", "body": "string",
}  # fmt: skip
