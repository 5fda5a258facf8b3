"""GeoNames' places as sorted names, built once per process."""

import gc
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import TypeAlias

from profiles.gazetteer.geonames import City, Country, Row, clean, read_cities, read_countries, read_regions
from profiles.gazetteer.normalization import fold, fold_all
from profiles.gazetteer.places import Place
from profiles.gazetteer.regions import NICKNAMES, Region
from profiles.gazetteer.texts import RepeatedTexts, Texts

Names: TypeAlias = "tuple[Texts, array[int]]"


class Rows:
    """The fields of places, by column."""

    __slots__ = ("_columns",)

    def __init__(self, rows: list[Row]) -> None:
        pks, cities, states, countries, populations = zip(*rows, strict=True)
        numbers = array("I", pks), array("Q", populations)
        self._columns = (numbers[0], Texts(cities), RepeatedTexts(states), RepeatedTexts(countries), numbers[1])

    def __len__(self) -> int:
        return len(self._columns[0])

    def __getitem__(self, number: int) -> Row:
        pks, cities, states, countries, populations = self._columns
        return Row(pks[number], cities[number], states[number], countries[number], populations[number])


@dataclass(frozen=True, slots=True)
class Index:
    """Rows with the largest population first, and all names sorted, each with its row number."""

    rows: Rows
    own_names: Texts
    own_numbers: "array[int]"
    other_names: Texts
    other_numbers: "array[int]"
    abbreviations: dict[str, set[str]]  # `tx` or `uk`, and the folded names it stands for

    def place(self, number: int) -> Place:
        return Place(*self.rows[number])


PREPARED: "list[Index]" = []  # built before it was asked for, at most one


@cache
def load_index() -> Index:
    return PREPARED.pop() if PREPARED else build_index()


def warm(run: "Callable[[Callable[[], Index]], Index] | None" = None) -> int:
    """Load the index now, for instance before a web server forks. Return the number of places.

    `run` may build it in another process: building takes ten times the memory of the index, and some of it stays.
    """
    if run and not load_index.cache_info().currsize:
        PREPARED[:] = [run(build_index)]
    return len(load_index().rows)


def build_index() -> Index:
    with _garbage_collection_paused():
        return _build()


def _build() -> Index:
    countries, regions = read_countries(), read_regions()
    cities = list(read_cities(countries, regions))
    rows = [city.row for city in cities]
    rows += [Row(country.geoname_id, "", "", clean(country.name), country.population) for country in countries.values()]
    rows, names = _drop_duplicates(rows + _states(regions, countries, rows))
    numbers = {row.geoname_id: number for number, row in enumerate(rows)}
    own = _sort_names(
        [*names, *NICKNAMES], [*range(len(rows)), *(numbers[geoname_id] for geoname_id in NICKNAMES.values())]
    )
    return Index(Rows(rows), *own, *_other_names(cities, numbers), _abbreviations(countries, regions))


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """Pause garbage collection, which would take up a fifth of the time to build the index."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _states(regions: dict[tuple[str, str], Region], countries: dict[str, Country], cities: list[Row]) -> list[Row]:
    """States as rows. Their population is the sum of their cities'."""
    people: Counter[tuple[str, str]] = Counter()
    for city in cities:
        people[city.state, city.country] += city.population
    named = [(region, countries[region.country_code].name) for region in regions.values()]
    return [Row(region.geoname_id, "", region.name, name, people[region.name, name]) for region, name in named]


def _drop_duplicates(rows: list[Row]) -> tuple[list[Row], list[str]]:
    """Sort by population and fold the names. Of places that are written the same way, keep the largest."""
    ordered = sorted(rows, key=itemgetter(4), reverse=True)
    largest: dict[tuple[str, bool, str, str], Row] = {}
    names = fold_all(row.city or row.state or row.country for row in ordered)
    for name, row in zip(names, ordered, strict=True):
        largest.setdefault((name, not row.city, row.state, row.country), row)
    return list(largest.values()), [name for name, *_ in largest]


def _other_names(cities: list[City], numbers: dict[int, int]) -> Names:
    indexed = [city for city in cities if city.other_names and city.row.geoname_id in numbers]
    names = fold_all(name for city in indexed for name in city.other_names)
    return _sort_names(names, [numbers[city.row.geoname_id] for city in indexed for _ in city.other_names])


def _sort_names(names: list[str], numbers: list[int]) -> Names:
    order = sorted(range(len(names)), key=names.__getitem__)
    return Texts(names[at] for at in order), array("I", [numbers[at] for at in order])


def _abbreviations(countries: dict[str, Country], regions: dict[tuple[str, str], Region]) -> dict[str, set[str]]:
    """Short and everyday names of states and countries, with the folded names they can stand for."""
    names_by_short: dict[str, set[str]] = {}
    for region in regions.values():
        names_by_short.setdefault(fold(region.short), set()).add(fold(region.name))
    for country in countries.values():
        everyday = [name for name, geoname_id in NICKNAMES.items() if geoname_id == country.geoname_id]
        for short in (fold(country.iso), fold(country.iso3), *everyday):
            names_by_short.setdefault(short, set()).add(fold(clean(country.name)))
    return names_by_short
