"""Names of subreddits as models write them: r/name, links, bold, in quotes."""

import re

# Today's rule of Reddit. Longer names can't exist.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]{1,20}")
USER_PAGE = "u_"  # u_somebody is somebody's own page, so the name is an account's
MENTION = re.compile(
    r"(?<![\w.-])(?:https?://)?(?:\w+\.)?(?:reddit\.com)?/?\br/(?P<name>[^\s,;:|()\[\]<>*`~\"'“”‘’…]*)", re.I
)
PREFIX = re.compile(r"(?:https?://)?(?:\w+\.)?(?:reddit\.com)?/?\br/", re.I)
LINK = re.compile(r"\[(?P<label>[^\]]*)\]\((?P<url>[^)\s]*)[^)]*\)")
DECORATION = " \t*`~\"'“”‘’<>"


def is_name(name: str) -> bool:
    return bool(NAME.fullmatch(name)) and not name.lower().startswith(USER_PAGE)


def mentions(text: str) -> list[str]:
    """Names after r/ or in links, as written: some may be no names at all."""
    return [trim_name(match["name"]) for match in MENTION.finditer(text)]


def clean_name(text: str) -> str:
    """What stands in a cell, a string or between stars, without everything that isn't part of the name."""
    text = LINK.sub(lambda match: match["url"] if PREFIX.search(match["url"]) else match["label"], text)
    text = re.sub(r"^(__?)(.+)\1$", r"\2", text.replace("\\_", "_").strip(DECORATION)).strip(DECORATION)
    if prefix := PREFIX.match(text):
        text = text[prefix.end() :]
    return trim_name(text)


def trim_name(name: str) -> str:
    """Without the rest of an address, and without the end of a sentence."""
    name = re.split(r"[/?#—–]", name.replace("\\_", "_"), maxsplit=1)[0]
    return name.strip(DECORATION).rstrip(".!:,-")
