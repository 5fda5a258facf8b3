"""Places: `city / state / country`, as far as known and needed."""

import re

from profiles.gazetteer import Match, MatchKind, find

NOT_FOUND = "Not in the gazetteer: kept as free text."
AMBIGUOUS = "There are several places called {place}. Add the {missing}, such as {example}."
_SEPARATORS = re.compile(r"[/,]")


def normalize_place(text: str) -> str:
    """Turn `Houston,Texas` into `Houston / Texas`, without empty parts."""
    parts = (part.strip() for part in _SEPARATORS.split(text))
    return " / ".join(part for part in parts if part)


def look_up(place: str) -> tuple[int | None, str]:
    """The place's GeoNames id, or None and a hint for the person."""
    match = find(place)
    if match.kind is MatchKind.ONE:
        return match.places[0].geoname_id, ""
    return None, _ambiguity_hint(place, match) if match.kind is MatchKind.AMBIGUOUS else NOT_FOUND


def _ambiguity_hint(text: str, match: Match) -> str:
    missing = "state and country" if any(place.state for place in match.places) else "country"
    example = next(place.written for place in match.places if place.written != text)
    return AMBIGUOUS.format(place=text, missing=missing, example=example)
