"""GeoNames' places as sorted names, built once in a process."""

import gc
from array import array
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any, TypeAlias

from profiles.gazetteer.geonames import City, Row, clean, read_cities, read_countries, read_regions
from profiles.gazetteer.normalization import fold, fold_all
from profiles.gazetteer.places import Place
from profiles.gazetteer.regions import NICKNAMES, Region

Names: TypeAlias = "tuple[list[str], array[int]]"


@dataclass(frozen=True, slots=True)
class Index:
    """Rows by population, and all names in order, each with the number of its row."""

    rows: list[Row]
    own_names: list[str]
    own_numbers: "array[int]"
    other_names: list[str]
    other_numbers: "array[int]"
    stand_for: dict[str, set[str]]  # what `tx` or `uk` means, folded

    def place(self, number: int) -> Place:
        return Place(*self.rows[number])


@cache
def index() -> Index:
    with _nothing_collected():
        return _build()


def warm() -> int:
    """Load now, for instance before a web server forks. Says how many places there are."""
    return len(index().rows)


def _build() -> Index:
    countries, regions = read_countries(), read_regions()
    cities = list(read_cities(countries, regions))
    rows = [city.row for city in cities]
    rows += [Row(it["geonameid"], "", "", clean(it["name"]), it["population"]) for it in countries.values()]
    rows, names = _told_apart(rows + _states(regions, countries, rows))
    numbers = {row.geoname_id: number for number, row in enumerate(rows)}
    own = _sorted([*names, *NICKNAMES], [*range(len(rows)), *(numbers[it] for it in NICKNAMES.values())])
    return Index(rows, *own, *_other_names(cities, numbers), _stand_for(countries, regions))


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Looking for garbage among what is being built would take a fifth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _states(regions: dict[tuple[str, str], Region], countries: dict[str, Any], cities: list[Row]) -> list[Row]:
    people: Counter[tuple[str, str]] = Counter()
    for city in cities:
        people[city.state, city.country] += city.population
    named = [(region, countries[region.country_code]["name"]) for region in regions.values()]
    return [Row(region.geoname_id, "", region.name, name, people[region.name, name]) for region, name in named]


def _told_apart(rows: list[Row]) -> tuple[list[Row], list[str]]:
    """By population, with folded names; of those that are written alike only the largest."""
    ordered = sorted(rows, key=itemgetter(4), reverse=True)
    largest: dict[tuple[str, bool, str, str], Row] = {}
    names = fold_all(row.city or row.state or row.country for row in ordered)
    for name, row in zip(names, ordered, strict=True):
        largest.setdefault((name, not row.city, row.state, row.country), row)
    return list(largest.values()), [name for name, *_ in largest]


def _other_names(cities: list[City], numbers: dict[int, int]) -> Names:
    kept = [city for city in cities if city.other_names and city.row.geoname_id in numbers]
    names = fold_all(name for city in kept for name in city.other_names)
    return _sorted(names, [numbers[city.row.geoname_id] for city in kept for _ in city.other_names])


def _sorted(names: list[str], numbers: list[int]) -> Names:
    order = sorted(range(len(names)), key=names.__getitem__)
    return [names[at] for at in order], array("I", [numbers[at] for at in order])


def _stand_for(countries: dict[str, Any], regions: dict[tuple[str, str], Region]) -> dict[str, set[str]]:
    """What may be written for a state or country, and the folded names it can stand for."""
    meant: dict[str, set[str]] = {}
    for region in regions.values():
        meant.setdefault(fold(region.short), set()).add(fold(region.name))
    for country in countries.values():
        everyday = [name for name, geoname_id in NICKNAMES.items() if geoname_id == country["geonameid"]]
        for name in (fold(country["iso"]), fold(country["iso3"]), *everyday):
            meant.setdefault(name, set()).add(fold(clean(country["name"])))
    return meant
