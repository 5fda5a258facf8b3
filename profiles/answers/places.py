"""Places: `city / state / country`, as far as it can be told and is needed."""

import re

from profiles.gazetteer import Kind, Match, find

NOT_FOUND = "Not in the gazetteer: kept as free text."
_SEPARATORS = re.compile(r"[/,]")


def spelled(text: str) -> str:
    """`Houston,Texas` with single spaces round slashes, and no empty part."""
    parts = (part.strip() for part in _SEPARATORS.split(text))
    return " / ".join(part for part in parts if part)


def look_up(place: str) -> tuple[int | None, str]:
    """Its number in GeoNames, or what to say about a place that has none."""
    match = find(place)
    if match.kind is Kind.ONE:
        return match.places[0].geoname_id, ""
    return None, _several(place, match) if match.kind is Kind.AMBIGUOUS else NOT_FOUND


def _several(place: str, match: Match) -> str:
    more = "state and country" if any(it.state for it in match.places) else "country"
    example = next(it.written for it in match.places if it.written != place)
    return f"There are several places called {place}. Add the {more}, such as {example}."
