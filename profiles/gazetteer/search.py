"""Suggest places while a person types, and resolve what a written place means."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice

from profiles.gazetteer.index import load_index
from profiles.gazetteer.normalization import fold, split_parts
from profiles.gazetteer.places import Match, MatchKind, Place

MAX_PLACES = 8
LAST_CHARACTER = "\U0010ffff"
# A namesake rivals a state or country only if it has this many people, and not this many times fewer.
MIN_RIVAL_POPULATION, RIVAL_RATIO = 100_000, 10


@dataclass(frozen=True, slots=True)
class Resolution:
    """The match for the last parts of a text, and the first parts: details that the gazetteer does not know."""

    detail: tuple[str, ...]
    match: Match


def suggest(typed: str, limit: int = MAX_PLACES) -> list[Place]:
    """Places whose name starts like this: exact names first, then by population. Later parts narrow: `houston / te`."""
    return list(_search(tuple(split_parts(typed)), limit))


def find(text: str) -> Match:
    """Up to 8 places the text can mean. A street or district may precede a city, but not a state or country."""
    resolution = resolve(text)
    if resolution.detail and not all(place.city for place in resolution.match.places):
        return Match(MatchKind.UNKNOWN, [])
    return Match(resolution.match.kind, resolution.match.places[:MAX_PLACES])


def resolve(text: str) -> Resolution:
    """Match the longest tail of the text that means a place."""
    parts = split_parts(text)
    for start in range(len(parts)):
        places = _matching_places(parts[start:])
        if places:
            kind = MatchKind.ONE if len(places) == 1 else MatchKind.AMBIGUOUS
            return Resolution(tuple(parts[:start]), Match(kind, places))
    return Resolution(tuple(parts), Match(MatchKind.UNKNOWN, []))


@lru_cache(maxsize=1024)
def _search(parts: tuple[str, ...], limit: int) -> tuple[Place, ...]:
    if not parts:
        return ()
    places = map(load_index().place, dict.fromkeys(_numbers_by_prefix(parts)))
    return tuple(islice((place for place in places if _is_narrowed_to(place, parts[1:])), max(limit, 0)))


def _numbers_by_prefix(parts: tuple[str, ...]) -> Iterator[int]:
    """Exact names first, then places whose own name starts like this, then those with another name that does."""
    first = parts[0]
    yield from sorted(
        _with_exact_name(first), key=lambda number: not _is_spelled_out(load_index().place(number), parts)
    )
    yield from _with_own_name(first, first + LAST_CHARACTER)
    yield from _with_other_name(first, first + LAST_CHARACTER)


def _with_exact_name(name: str) -> list[int]:
    """Places with exactly this name. Alternative names count only if it is no place's own name."""
    return _with_own_name(name, name + "\0") or _with_other_name(name, name + "\0")


def _with_own_name(start: str, end: str) -> list[int]:
    index = load_index()
    return _in_name_range(index.own_names, index.own_numbers, start, end)


def _with_other_name(start: str, end: str) -> list[int]:
    index = load_index()
    return _in_name_range(index.other_names, index.other_numbers, start, end)


def _in_name_range(names: Sequence[str], numbers: "array[int]", start: str, end: str) -> list[int]:
    """Places with a name in [start, end), by population."""
    return sorted(set(numbers[bisect_left(names, start) : bisect_left(names, end)]))


def _is_spelled_out(place: Place, parts: Sequence[str]) -> bool:
    return split_parts(place.written) == list(parts)


def _is_narrowed_to(place: Place, later: Sequence[str]) -> bool:
    """Whether the later parts begin or abbreviate the names of its state and country, in this order."""
    remaining = iter(_containing_names(place))
    return all(any(_region_starts_with(part, name) for name in remaining) for part in later)


def _region_starts_with(part: str, name: str) -> bool:
    return _fold_region(name).startswith(part) or _is_abbreviation(part, name)


def _matching_places(parts: Sequence[str]) -> list[Place]:
    """Places named by the first part that lie in the regions named by the later parts."""
    first, later = parts[0], parts[1:]
    for numbers in (_with_own_name(first, first + "\0"), _with_other_name(first, first + "\0")):
        places = [place for place in map(load_index().place, numbers) if _lies_in(place, later)]
        if places:
            return _disambiguate(places, parts)
    return []


def _disambiguate(places: list[Place], parts: Sequence[str]) -> list[Place]:
    """Prefer places that are spelled out in full, then a state or country that outweighs its namesakes."""
    spelled_out = [place for place in places if len(parts) > 1 and _is_spelled_out(place, parts)]
    region = next((place for place in places if not place.city), None)
    if region and all(_outweighs(region, other) for other in places if other is not region):
        return spelled_out or [region]
    return spelled_out or places


def _outweighs(place: Place, other: Place) -> bool:
    """A country outweighs its own cities (Luxembourg). Any region outweighs far smaller places (Ontario, CA)."""
    is_its_own = not place.state and place.contains(other)
    return is_its_own or other.population < max(MIN_RIVAL_POPULATION, place.population / RIVAL_RATIO)


def _lies_in(place: Place, later: Sequence[str]) -> bool:
    """Whether the later parts name its state, its country or both. If its state is unknown, accept any state."""
    if place.city and not place.state and len(later) == 2:
        later = later[1:]
    remaining = iter(_containing_names(place))
    return all(any(_region_matches(part, name) for name in remaining) for part in later)


def _containing_names(place: Place) -> list[str]:
    """The names of the state and country that the place lies in."""
    names = [name for name in (place.city, place.state, place.country) if name]
    return names[1:]


def _region_matches(part: str, name: str) -> bool:
    return part == _fold_region(name) or _is_abbreviation(part, name)


def _is_abbreviation(part: str, name: str) -> bool:
    return _fold_region(name) in load_index().abbreviations.get(part, ())


@cache
def _fold_region(name: str) -> str:
    """Fold the name of a state or country; there are a few hundred of them."""
    return fold(name)
