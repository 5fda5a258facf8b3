"""Strip texts and the account name from a line of another study, and restore them. Pure.

Texts are stored with the comments and the name is sealed, so neither may be stored a second time in the clear.
"""

from typing import Any

from annotator.exchange.formats.records import LabelledProfile

TEXT, ACCOUNT = {"$": "text"}, {"$": "account"}
QUOTING_KEYS = ("predictions", "evaluations")  # may quote comments


def strip_texts(line: dict[str, Any], account: str, ids: list[str]) -> dict[str, Any]:
    """Strip the line; `ids` are its comments' ids in order, empty for a comment without text, which is not loaded."""
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
