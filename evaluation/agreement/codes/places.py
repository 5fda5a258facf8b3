"""Places by level: the same country, the same state or region, the same city."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from evaluation.agreement.codes.classes import Classes
from profiles.gazetteer import Place, Resolution, resolve
from profiles.gazetteer.normalization import split_parts

Key = Hashable | None


@dataclass(frozen=True, slots=True)
class Levels:
    """What a place is at each level; None where it does not say so much, and is left out there."""

    country: Key
    state: Key
    city: Key


def place_classes(decided: Iterable[tuple[str, str]]) -> Classes[tuple[str, ...]]:
    """What the gazetteer knows stands for what it does not, so that its country and state are known too."""
    return Classes(lambda text: tuple(split_parts(text)), decided, rank=lambda written: (not _found(written), written))


def levels(written: tuple[str, ...]) -> Levels:
    """By the gazetteer. What it does not know, or cannot tell apart at a level, goes by its own words there.

    A street or district before a city is left out. A place inside a state or country that the gazetteer does not know
    is a city by its own words. Where the gazetteer knows no states, a city says nothing about the state.
    """
    resolution = _resolution(written)
    if not resolution.match.places:
        return Levels(written, written, written)
    found = [_levels(place) for place in resolution.match.places]
    country, state, city = (_one(written, keys) for keys in zip(*found, strict=True))
    return Levels(country, state, written if resolution.detail and city is None else city)


def _resolution(written: tuple[str, ...]) -> Resolution:
    return resolve(" / ".join(written))


def _found(written: tuple[str, ...]) -> bool:
    return bool(_resolution(written).match.places)


def _levels(place: Place) -> tuple[Key, Key, Key]:
    state = (place.country, place.state) if place.state else None
    return place.country, state, (place.country, place.state, place.city) if place.city else None


def _one(written: tuple[str, ...], keys: Iterable[Key]) -> Key:
    """What all that may be meant have in common at a level, or else the words."""
    several = set(keys)
    return several.pop() if len(several) == 1 else written
