"""Subreddits in answers that are JSON, wherever it stands and however it is nested."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from evaluation.proposals.names import PREFIX, mentions

MAX_DEPTH = 6
MAX_STARTS = 50  # places at which JSON is tried
NAMES = ("name", "subreddit", "subreddit_name", "sub", "community", "title", "display_name")
REASONS = ("reason", "why", "reasoning", "explanation", "description", "rationale", "justification", "note", "comment")
LISTS = ("subreddits", "subreddit", "communities", "list", "results", "items", "recommendations", "kept", "certain")
KEPT = ("certain", "is_certain", "keep", "kept", "confident", "sure")
DROPPED = ("removed", "dropped", "excluded", "uncertain", "not_certain", "left_out", "discarded", "rejected")
NO = ("no", "false", "low", "unsure", "uncertain", "not certain")
CLOSERS = {"{": "}", "[": "]"}


def read_json(text: str, *, only_kept: bool = False) -> list[tuple[str, str]]:
    """Pairs of name and reason as they are written. With `only_kept`, without those that are marked as dropped."""
    return [pair for value in _values(text) for pair in _pairs(value, only_kept=only_kept)]


def _values(text: str) -> Iterator[Any]:
    """Objects and lists in the text, one after another. An answer that was cut off is closed and tried once more."""
    decoder, position, starts = json.JSONDecoder(strict=False), 0, 0
    while (match := re.compile(r"[{\[]").search(text, position)) and starts < MAX_STARTS:
        starts += 1
        try:
            value, position = decoder.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            value = _repaired(text[match.start() :])
            position = match.start() + 1 if value is None else len(text)
        yield value


def _repaired(text: str) -> Any:
    text = re.sub(r",\s*([}\]])", r"\1", text.split("```", maxsplit=1)[0].replace("“", '"').replace("”", '"'))
    for candidate in (text, _close(text)):
        try:
            return json.JSONDecoder(strict=False).raw_decode(candidate)[0]
        except (ValueError, RecursionError):
            continue
    return None


def _close(text: str) -> str:
    """End at the last complete object, and close what is open around it."""
    end, stack, stack_at_end, is_string, is_escaped = 0, list[str](), list[str](), False, False
    for position, character in enumerate(text):
        if is_string:
            is_string = is_escaped or character != '"'
            is_escaped = character == "\\" and not is_escaped
            is_element = not is_string and bool(stack) and stack[-1] == "]"
        elif character == '"':
            is_string, is_element = True, False
        elif character in CLOSERS:
            stack.append(CLOSERS[character])
            is_element = False
        else:
            is_element = bool(stack) and character == stack[-1]
            stack = stack[:-1] if is_element else stack
        if is_element:
            end, stack_at_end = position + 1, list(stack)
    return text[:end] + "".join(reversed(stack_at_end))


def _pairs(value: Any, *, only_kept: bool, is_list: bool = False, depth: int = 0) -> Iterator[tuple[str, str]]:
    """`is_list`: what stands here are subreddits, although nothing else says so."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, str) and is_list:
        yield from ((name, "") for name in _names_in(value))
    elif isinstance(value, list):
        for item in value:
            yield from _pairs(item, only_kept=only_kept, is_list=True, depth=depth + 1)
    elif isinstance(value, dict):
        yield from _pairs_of_object(value, only_kept=only_kept, is_list=is_list, depth=depth)


def _pairs_of_object(
    value: Mapping[str, Any], *, only_kept: bool, is_list: bool, depth: int
) -> Iterator[tuple[str, str]]:
    fields = {str(key).strip().lower().replace(" ", "_"): item for key, item in value.items()}
    name = next((fields[key] for key in NAMES if isinstance(fields.get(key), str)), None)
    if name is not None and (is_list or any(key in fields for key in REASONS) or PREFIX.match(name)):
        if not (only_kept and _is_dropped(fields)):
            yield name, next((fields[key] for key in REASONS if isinstance(fields.get(key), str)), "")
        return
    for key, item in value.items():
        field = str(key).strip().lower().replace(" ", "_")
        if only_kept and field in DROPPED:
            continue
        if isinstance(item, str) and (PREFIX.match(key) or (is_list and field not in REASONS)):
            yield key, item
        else:
            yield from _pairs(item, only_kept=only_kept, is_list=field in LISTS, depth=depth + 1)


def _is_dropped(fields: Mapping[str, Any]) -> bool:
    marks = [fields[key] for key in KEPT if key in fields]
    return any(mark is False or (isinstance(mark, str) and mark.strip().lower() in NO) for mark in marks)


def _names_in(text: str) -> list[str]:
    """A string may hold one name, or several with commas."""
    names = mentions(text)
    return names if len(names) > 1 else [text]
