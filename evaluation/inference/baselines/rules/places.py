"""Places of living and of birth: “I live in …”, “here in …”, “born and raised in …”, checked with the gazetteer."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from evaluation.inference.baselines.rules.matches import I_AM, Statement, real_matches
from profiles.gazetteer import find

MAX_WORDS = 6
MIN_POPULATION = 100_000  # of a place that isn't written with a capital
_SIDE = r"(?:(?:the |downtown |central |north|south|east|west)(?:ern)?[ -]?|upstate |rural |greater ){0,2}"
_PLACE = rf"{_SIDE}(?P<place>(?:St\. )?[^\s.!?;:()\[\]…][^.!?;:()\[\]…]{{1,60}})"
RULES = (
    ("location", "I live in", False, rf"\bI (?:currently |now |still |actually |also )?(?:live|reside) in {_PLACE}"),
    ("location", "I am living in", False, rf"{I_AM} (?:living|based|located|residing|currently) in {_PLACE}"),
    (
        "location", "I have lived in", False,
        r"\bI(?:'ve| have) (?:lived|been living) in (?P<place>[^\s.!?;:()\[\]…,]+(?: [A-Z]\w+)?(?:, [A-Z]\w+)?)"
        r"(?= (?:since|for|all my life|my (?:whole|entire) life)\b)",
    ),
    ("location", "I moved to", False, rf"\bI(?:'ve| have)? (?:just|recently) moved to {_PLACE}"),
    ("location", "here in", False, rf"\bhere in {_PLACE}"),
    ("location", "I am from", True, rf"{I_AM} from {_PLACE}"),
    (
        "place_of_birth", "I was born in", False,
        rf"(?:^\W*|\bI was (?:actually )?|{I_AM} (?:a )?(?:\w+ )?)born (?:(?:and|&) (?:raised|bred) )?"
        rf"(?:in (?:19|20)\d\d,? )?(?:here )?in {_PLACE}",
    ),
    ("place_of_birth", "I am from", True, rf"{I_AM} (?:originally )?from {_PLACE}"),
)  # fmt: skip
_RULES = [(attribute, rule, is_weak, re.compile(text, re.IGNORECASE)) for attribute, rule, is_weak, text in RULES]
_WORD = re.compile(r"[^\s,/]+|[,/]")
_STOP = frozenset(
    "a an and are as at because but for had has have i i'm if in is it its just like me my near now of on or our "
    "since so that then there this to until was we were when where which while who with you your about after by from "
    "than".split()
)
# Names of places that mean something else where they aren't written with a capital.
_COMMON = frozenset(
    "bath hope mobile nice orange reading split male most university central independence liberty paradise surprise "
    "normal commerce industry garden grove man same most along imagine sugar bay born the progress".split()
)


def find_places(sentence: str, year: int) -> Iterator[Statement]:
    for attribute, rule, is_weak, pattern in _RULES:
        for match in real_matches(pattern, sentence):
            written = match["place"]
            if place := _known_place(written):
                words = match[0][: len(match[0]) - len(written)] + place
                yield Statement(attribute, place, rule, words, is_weak)


@lru_cache(maxsize=4096)
def _known_place(written: str) -> str:
    """The longest beginning that the gazetteer knows, as it is written. Empty if there is none."""
    tokens = _leading_tokens(written)
    for count in range(len(tokens), 0, -1):
        candidate = " ".join(tokens[:count]).replace(" ,", ",").replace(" /", ",").strip(" ,")
        if candidate and tokens[count - 1] not in ",/" and _is_place(candidate):
            return candidate
    return ""


def _leading_tokens(written: str) -> Sequence[str]:
    """Up to six words and commas, until one that no name of a place contains."""
    tokens: list[str] = []
    for token in _WORD.findall(written)[: 2 * MAX_WORDS]:
        if token in _STOP or len([word for word in tokens if word not in ",/"]) == MAX_WORDS:
            break
        tokens.append(token)
    return tokens


def _is_place(candidate: str) -> bool:
    head = candidate.split(",", maxsplit=1)[0]
    if len(head) < 2 or (len(head) <= 3 and not head.isupper()) or head.isdigit():
        return False
    if head[0].isupper():
        return bool(find(candidate).places)
    return head not in _COMMON and any(place.population >= MIN_POPULATION for place in find(candidate).places)
