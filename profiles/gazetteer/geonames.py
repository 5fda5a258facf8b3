"""Read GeoNames' places from the files beside `renew`, which makes them."""

import csv
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from profiles.gazetteer.regions import FORMER_COUNTRIES, REGIONS, Region

FOLDER = Path(__file__).resolve().parents[1] / "data" / "geonames"
BETWEEN_NAMES = "|"


class Country(NamedTuple):
    geoname_id: int
    iso: str
    iso3: str
    name: str
    population: int


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


def read_countries() -> dict[str, Country]:
    """Countries by their two-letter code."""
    countries = (Country(int(pk), iso, iso3, name, int(size)) for pk, iso, iso3, name, size in _lines("countries"))
    return {country.iso: country for country in countries if country.iso not in FORMER_COUNTRIES}


def read_regions() -> dict[tuple[str, str], Region]:
    """States by country code and state code."""
    american = [Region(int(geoname_id), "US", code, name, code) for geoname_id, code, name in _lines("us_states")]
    return {(region.country_code, region.code): region for region in (*american, *REGIONS)}


def read_cities(countries: dict[str, Country], regions: dict[tuple[str, str], Region]) -> Iterator[City]:
    states = {codes: region.name for codes, region in regions.items()}
    names = {code: clean(country.name) for code, country in countries.items()}
    for geoname_id, name, country, state, population, others in _lines("cities"):
        row = Row(int(geoname_id), clean(name), states.get((country, state), ""), names[country], int(population))
        yield City(row, others.split(BETWEEN_NAMES) if others else [])


def clean(name: str) -> str:
    """Remove slashes and commas from a name, because they separate the parts of a place."""

    return " ".join(name.replace("/", "-").replace(",", " ").split()) if "/" in name or "," in name else name


def _lines(name: str) -> Iterator[list[str]]:
    with lzma.open(FOLDER / f"{name}.tsv.xz", "rt", encoding="utf-8", newline="") as file:
        yield from csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
