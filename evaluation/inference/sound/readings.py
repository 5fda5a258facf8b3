"""What a written place can mean: its country, state and city as far as known, and parts that the gazetteer lacks."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files

from profiles.gazetteer import Place, Resolution, resolve
from profiles.gazetteer.normalization import fold, split_parts

MAX_WORDS = 8
# A namesake that has this many times fewer people is not what a bare name means.
PROMINENCE = 10
_SEPARATORS = re.compile(r"\s*(?:[|;(\[\])]|\s[-–—]+\s)\s*")
_VAGUE = re.compile(
    r"(?:(?:somewhere|anywhere|other|an?|some|the|small|smaller|large|larger|big|major|mid ?sized|medium sized"
    r"|coastal|port|rural|urban|suburban|unspecified|unknown|possibly|university|college|capital|industrial) )*"
    r"(?:somewhere|city|town|village|area|suburbs?|region|place|countryside|rural|urban|suburban)(?: (?:in|of))?"
)
_QUALIFIER = re.compile(
    r"^(?:(?:somewhere|living|lives|based|located) in |(?:the )?(?:city|state|greater|metropolitan|downtown|central"
    r"|inner|outer|suburban|rural|near|around|outside|suburbs?)(?: (?:of|city of|area of))? |the "
    r"|(?:north|south|east|west|northern|southern|eastern|western|northeast|northwest|southeast|southwest|mid) )"
)
_SUFFIX = re.compile(r" (?:area|metro|metro area|metropolitan area|region|suburbs?|city|state|county|province)$")


@dataclass(frozen=True, slots=True)
class Reading:
    """A place in the gazetteer, empty where it is not, and unknown parts before it, the finest first."""

    city: str
    state: str
    country: str
    detail: tuple[str, ...]
    population: int
    is_prominent: bool


@lru_cache(maxsize=65_536)
def read_place(text: str) -> tuple[Reading, ...]:
    """All readings of a place. A text that names nothing in the gazetteer has one, with its parts as detail."""
    parts = _parts(text)
    resolution = _resolve(parts)
    places = resolution.match.places
    if not places:
        return (Reading("", "", "", tuple(parts), 0, True),) if parts else ()
    floor = max(place.population for place in places) / PROMINENCE
    return tuple(_reading(place, resolution.detail, place.population >= floor) for place in places)


def _parts(text: str) -> list[str]:
    parts = split_parts(_SEPARATORS.sub(", ", text))
    named = [part for part in parts if not _VAGUE.fullmatch(part)]
    return [piece for part in named or parts for piece in split_parts(_table("aliases").get(part, part))]


def _resolve(parts: Sequence[str]) -> Resolution:
    """The reading with the fewest unknown parts: as written, in reverse, or without commas."""
    best = resolve(" / ".join(parts))
    if not best.match.places:
        best = _without_detail(resolve(" / ".join(reversed(parts))))
    if not best.detail:
        return best
    candidates = (resolve(" / ".join(variant)) for variant in _variants(parts))
    for candidate in candidates:
        if candidate.match.places and (not best.match.places or len(candidate.detail) < len(best.detail)):
            best = candidate
        if not best.detail:
            break
    return best


def _without_detail(resolution: Resolution) -> Resolution:
    """`munich / bavaria`: drop the unknown part, which may be a state or a district."""
    return replace(resolution, detail=()) if resolution.match.places else resolution


def _variants(parts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Other ways to write the same: reversed, inside its parent country, and with words split off or dropped."""
    if len(parts) > 1:
        yield parts[::-1]
        if _table("territories").get(parts[-2], "").lower() == parts[-1]:
            yield parts[:-1]
    for at, part in enumerate(parts):
        before, after = parts[:at], parts[at + 1 :]
        for pieces in _pieces(part):
            yield [*before, *pieces, *after]


def _pieces(part: str) -> Iterator[list[str]]:
    """`austin texas usa` → `austin / texas / usa`, `greater boston` → `boston`."""
    words = part.split()[:MAX_WORDS]
    for at in range(len(words) - 1, 0, -1):
        tail = " ".join(words[at:])
        if len(words) - at <= 3 and _is_region(tail):
            head = " ".join(words[:at])
            yield [head, tail]
            yield from ([*pieces, tail] for pieces in _pieces(head) if len(pieces) == 2)
    for pattern in (_QUALIFIER, _SUFFIX):
        if (shorter := pattern.sub("", part)) != part:
            yield [_table("aliases").get(shorter, shorter)]


@cache
def _is_region(name: str) -> bool:
    """Whether this is a state or country. Two-letter codes only count where a city stands before them."""
    return len(name) == 2 or any(not place.city for place in resolve(name).match.places)


def _reading(place: Place, detail: tuple[str, ...], is_prominent: bool) -> Reading:
    city, state, country = place.city, place.state, place.country
    if district_of := _table("districts").get(place.written):
        detail, city = (*detail, fold(city)), _city_name(district_of)
    if fold(city) == fold(country):  # Singapore is a city and a country
        city = ""
    if parent := _table("territories").get(fold(country)):
        state, country = country, parent
    return Reading(city, state, country, detail, place.population, is_prominent)


@cache
def _city_name(name: str) -> str:
    return resolve(name).match.places[0].city


@cache
def _table(name: str) -> dict[str, str]:
    text = (files("evaluation.inference.sound") / "words" / "places.toml").read_text(encoding="utf-8")
    table: dict[str, str] = tomllib.loads(text)[name]
    return table
