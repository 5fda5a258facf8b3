"""Places as codes, by level: country, state or region, city."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from evaluation.agreement.codes.classes import EquivalenceClasses
from profiles.gazetteer import Place, Resolution, resolve
from profiles.gazetteer.normalization import split_parts

Key = Hashable | None


@dataclass(frozen=True, slots=True)
class Levels:
    """A place at each level; None where it is not that precise, and is left out there."""

    country: Key
    state: Key
    city: Key


def place_classes(equivalent: Iterable[tuple[str, str]]) -> EquivalenceClasses[tuple[str, ...]]:
    """What the gazetteer knows represents what it does not, so that its country and state are known too."""
    return EquivalenceClasses(
        lambda text: tuple(split_parts(text)), equivalent, rank=lambda written: (not _is_known(written), written)
    )


def levels(written: tuple[str, ...]) -> Levels:
    """By the gazetteer. What it does not know, or cannot tell apart at a level, goes by its own words there.

    A street or district before a city is left out. A place inside a state or country that the gazetteer does not know
    is a city by its own words. Where the gazetteer knows no states, a city says nothing about the state.
    """
    resolution = _resolution(written)
    if not resolution.match.places:
        return Levels(written, written, written)
    candidates = [_levels(place) for place in resolution.match.places]
    country, state, city = (_common(written, keys) for keys in zip(*candidates, strict=True))
    return Levels(country, state, written if resolution.detail and city is None else city)


def _resolution(written: tuple[str, ...]) -> Resolution:
    return resolve(" / ".join(written))


def _is_known(written: tuple[str, ...]) -> bool:
    return bool(_resolution(written).match.places)


def _levels(place: Place) -> tuple[Key, Key, Key]:
    state = (place.country, place.state) if place.state else None
    return place.country, state, (place.country, place.state, place.city) if place.city else None


def _common(written: tuple[str, ...], keys: Iterable[Key]) -> Key:
    """What all candidates share at a level, or else the words."""
    distinct = set(keys)
    return distinct.pop() if len(distinct) == 1 else written
