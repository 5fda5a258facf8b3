"""Strip texts and the account name from a line of another study, and restore them. Pure.

Texts are stored with the comments and the name is sealed, so neither may be stored a second time in the clear.
"""

import re
from collections.abc import Mapping
from typing import Any

from annotator.exchange.formats.records import LabelledProfile

TEXT, ACCOUNT = {"$": "text"}, {"$": "account"}
QUOTING_KEYS = ("predictions", "evaluations")  # may quote comments
MISSING_ID = "0"  # of a comment that is not here any more
REDDIT_KEYS = frozenset(
    "id name fullname author author_fullname user_id comment_id link_id link_title parent_id post_id thread_id "
    "submission_id subreddit_id permalink link_permalink url link_url children".split()
)
LOCAL_NUMBER = re.compile(r"[0-9]{1,6}")
# A fullname such as `t1_c3vpi9z`, or a link to a thread or comment.
REDDIT_WORDS = re.compile(r"t[1-6]_[0-9a-z]{1,13}|\S*(/comments/|redd\.it/)\S*", re.IGNORECASE)


def strip_texts(line: dict[str, Any], account: str, ids: list[str]) -> dict[str, Any]:
    """Strip the line. `ids` are its comments' ids in order; empty for a comment without text, which is not loaded."""
    kept = {name: _without_account(value, account) for name, value in line.items() if name != "comments"}
    comments = [
        _without_text(comment, account, comment_id) for comment, comment_id in zip(line["comments"], ids, strict=True)
    ]
    return {"keys": list(line), "line": kept, "comments": comments}


def restore_line(profile: LabelledProfile) -> dict[str, Any]:
    """Restore the line with the name that the export shows; texts are empty unless they are exported."""
    source = profile.source or {}
    texts = {comment.id: comment.text for comment in profile.comments}
    comments = [_with_text(comment, profile.name, texts) for comment in source["comments"]]
    has_texts = any(texts.values())
    line = {name: _with_account(value, profile.name) for name, value in source["line"].items()}
    line |= {"comments": comments} | ({} if has_texts else {name: {} for name in QUOTING_KEYS if name in line})
    return {name: line[name] for name in source["keys"]}


def with_ids(source: dict[str, Any], ids: Mapping[str, str]) -> dict[str, Any]:
    """Replace the ids of a source's comments. The id of a comment that was not loaded stays empty."""
    comments = [
        comment | {"id": ids.get(comment["id"], MISSING_ID)} if comment.get("id") else comment
        for comment in source.get("comments", ())
    ]
    return source | {"comments": comments} if source else source


def without_reddit_ids(source: dict[str, Any]) -> dict[str, Any]:
    """Remove Reddit's ids and links from a source, by their usual names and by their look.

    Texts and what models wrote about them are not touched: those are exported only if texts are.
    """
    if not source:
        return source
    line = {
        name: value if name in QUOTING_KEYS else _anonymous_reviews(name, value)
        for name, value in source["line"].items()
    }
    line = {name: value for name, value in line.items() if not _is_identifying(name, value)}
    keys = [name for name in source["keys"] if name in line or name == "comments"]
    comments = [comment | {"kept": _anonymous(comment["kept"])} for comment in source["comments"]]
    return source | {"keys": keys, "line": line, "comments": comments}


def _anonymous_reviews(name: str, value: Any) -> Any:
    """Reviewers may have any name, so only what is inside a review is looked at."""
    if name == "reviews" and isinstance(value, dict):
        return {reviewer: _anonymous(review) for reviewer, review in value.items()}
    return _anonymous(value)


def _anonymous(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {name: inner for name, inner in value.items() if not _is_identifying(name, inner)}
        return {name: _anonymous(inner) for name, inner in kept.items()}
    if isinstance(value, list):
        return [_anonymous(inner) for inner in value if not _is_identifying("", inner)]
    return value


def _is_identifying(name: str, value: object) -> bool:
    if value == ACCOUNT:
        return False  # becomes the pseudonym
    if name == "comment" and isinstance(value, str):  # cited by evidence
        return not LOCAL_NUMBER.fullmatch(value)
    return name.lower() in REDDIT_KEYS or (isinstance(value, str) and bool(REDDIT_WORDS.fullmatch(value.strip())))


def _without_text(comment: Any, account: str, comment_id: str) -> dict[str, Any]:
    kept = _without_account(comment, account)
    return {"id": comment_id, "kept": kept | {"text": TEXT} if comment_id else kept}


def _with_text(comment: dict[str, Any], name: str, texts: dict[str, str]) -> Any:
    kept = _with_account(comment["kept"], name)
    return kept | {"text": texts.get(comment["id"], "")} if comment["id"] else kept


def _without_account(value: Any, account: str) -> Any:
    if isinstance(value, str):
        return ACCOUNT if value == account else value
    if isinstance(value, dict):
        return {name: _without_account(inner, account) for name, inner in value.items()}
    return [_without_account(inner, account) for inner in value] if isinstance(value, list) else value


def _with_account(value: Any, name: str) -> Any:
    if value == ACCOUNT:
        return name
    if isinstance(value, dict):
        return {key: _with_account(inner, name) for key, inner in value.items()}
    return [_with_account(inner, name) for inner in value] if isinstance(value, list) else value
