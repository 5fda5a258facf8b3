"""Places as codes on three levels: country, state or region, city."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from evaluation.agreement.codes.classes import EquivalenceClasses
from profiles.gazetteer import Place, Resolution, resolve
from profiles.gazetteer.normalization import split_parts

Key = Hashable | None


@dataclass(frozen=True, slots=True)
class Levels:
    """A place on each level. None leaves it out of a level for which it is not precise enough."""

    country: Key
    state: Key
    city: Key


def place_classes(equivalent: Iterable[tuple[str, str]]) -> EquivalenceClasses[tuple[str, ...]]:
    """Places in the gazetteer represent equivalent unknown ones, so that these get a country and a state, too."""
    return EquivalenceClasses(
        lambda text: tuple(split_parts(text)), equivalent, rank=lambda written: (not _is_known(written), written)
    )


def levels(written: tuple[str, ...]) -> Levels:
    """Look the place up in the gazetteer. On a level where it is unknown or ambiguous, its own words are the key.

    A street or district before a city is left out. An unknown place inside a known state or country counts as a city,
    with its own words as the key. If the gazetteer has no states for a country, a city there has no state.
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
    """The key that all candidates share on a level, or the words if they differ."""
    distinct = set(keys)
    return distinct.pop() if len(distinct) == 1 else written
