"""Suggesting places for what is being typed, and finding what a written place means."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice

from profiles.gazetteer.index import index
from profiles.gazetteer.normalization import fold, parts
from profiles.gazetteer.places import Kind, Match, Place

MOST = 8
AFTER_ALL = "\U0010ffff"
RIVAL, DWARFED = 100_000, 10  # fewer people, or so many times fewer: no rival for a state or country of that name


@dataclass(frozen=True, slots=True)
class Settled:
    """What the last parts of a text mean, and the first parts that say more than the gazetteer knows."""

    finer: tuple[str, ...]
    match: Match


def suggest(typed: str, limit: int = MOST) -> list[Place]:
    """Places whose name begins so: exact names first, then by population. Later parts narrow: `houston / te`."""
    return list(_suggested(tuple(parts(typed)), limit))


def find(text: str) -> Match:
    """What is meant, at most 8. A street or district may stand before a city, but not before a state or country."""
    settled = settle(text)
    if settled.finer and not all(place.city for place in settled.match.places):
        return Match(Kind.UNKNOWN, [])
    return Match(settled.match.kind, settled.match.places[:MOST])


def settle(text: str) -> Settled:
    """The longest end of the text that means something."""
    written = parts(text)
    for start in range(len(written)):
        places = _meant(written[start:])
        if places:
            kind = Kind.ONE if len(places) == 1 else Kind.AMBIGUOUS
            return Settled(tuple(written[:start]), Match(kind, places))
    return Settled(tuple(written), Match(Kind.UNKNOWN, []))


@lru_cache(maxsize=1024)
def _suggested(written: tuple[str, ...], limit: int) -> tuple[Place, ...]:
    if not written:
        return ()
    places = map(index().place, dict.fromkeys(_begun(written)))
    return tuple(islice((place for place in places if _is_narrowed_to(place, written[1:])), max(limit, 0)))


def _begun(written: tuple[str, ...]) -> Iterator[int]:
    """Places so called, then those whose own name begins so, then those with another name that does."""
    first = written[0]
    yield from sorted(_called(first), key=lambda number: not _is_written(index().place(number), written))
    yield from _own(first, first + AFTER_ALL)
    yield from _other(first, first + AFTER_ALL)


def _called(name: str) -> list[int]:
    """Places of exactly that name. Another name counts only where it is nobody's own."""
    return _own(name, name + "\0") or _other(name, name + "\0")


def _own(start: str, end: str) -> list[int]:
    known = index()
    return _between(known.own_names, known.own_numbers, start, end)


def _other(start: str, end: str) -> list[int]:
    known = index()
    return _between(known.other_names, known.other_numbers, start, end)


def _between(names: list[str], numbers: "array[int]", start: str, end: str) -> list[int]:
    """Places with a name from start up to end, by population."""
    return sorted(set(numbers[bisect_left(names, start) : bisect_left(names, end)]))


def _is_written(place: Place, written: Sequence[str]) -> bool:
    return parts(place.written) == list(written)


def _is_narrowed_to(place: Place, later: Sequence[str]) -> bool:
    """Whether the later parts begin its state, then its country, or stand for them."""
    remaining = iter(_around(place))
    return all(any(_begins(part, name) for name in remaining) for part in later)


def _begins(part: str, name: str) -> bool:
    return _folded(name).startswith(part) or _folded(name) in index().stand_for.get(part, ())


def _meant(written: Sequence[str]) -> list[Place]:
    """Places of that name that lie in what the later parts name."""
    first, later = written[0], written[1:]
    for numbers in (_own(first, first + "\0"), _other(first, first + "\0")):
        fitting = [place for place in map(index().place, numbers) if _lies_in(place, later)]
        if fitting:
            return _decided(fitting, written)
    return []


def _decided(places: list[Place], written: Sequence[str]) -> list[Place]:
    """One alone where it is written in full, or where it is a state or country that outweighs its namesakes."""
    full = [place for place in places if len(written) > 1 and _is_written(place, written)]
    first = next((place for place in places if not place.city), None)
    if first and all(_outweighs(first, other) for other in places if other is not first):
        return full or [first]
    return full or places


def _outweighs(place: Place, other: Place) -> bool:
    """A country does its own cities, such as Luxembourg. Both do what is far smaller, such as Ontario in California."""
    is_its_own = not place.state and place.holds(other)
    return is_its_own or other.population < max(RIVAL, place.population / DWARFED)


def _lies_in(place: Place, later: Sequence[str]) -> bool:
    """Whether the later parts are its state, its country or both. Where states are unknown, any may be written."""
    if place.city and not place.state and len(later) == 2:
        later = later[1:]
    remaining = iter(_around(place))
    return all(any(_stands_for(part, name) for name in remaining) for part in later)


def _around(place: Place) -> list[str]:
    """The names of the state and country that it lies in."""
    names = [name for name in (place.city, place.state, place.country) if name]
    return names[1:]


def _stands_for(part: str, name: str) -> bool:
    return part == _folded(name) or _folded(name) in index().stand_for.get(part, ())


@cache
def _folded(around: str) -> str:
    """Of the few hundred states and countries."""
    return fold(around)
