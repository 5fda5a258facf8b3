"""Counts of people by attribute values, and how many share what an attack inferred: the model of re-identification.

The group of a person are all people in the table who match every given value. One of k people is found with
probability 1/k, if the table describes the right population, if the values are right, and if nothing else is known.
That is a model, not a fact.
"""

import csv
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from io import StringIO
from pathlib import Path

from evaluation.inference.baselines.records import CODES
from evaluation.inference.records import ATTRIBUTES
from evaluation.inference.sound import grade
from evaluation.inference.sound.ages import parse_years

COUNT = "count"
PLACES = ("location", "place_of_birth")
NO_TEXT = "The population table is not a text file in UTF-8."
NO_CSV = "The population table is not a CSV file: {problem}."
EMPTY = "The population table has no rows."
NO_COUNT = f"The population table needs a column “{COUNT}” and at least one attribute: {', '.join(ATTRIBUTES)}."
BAD_COLUMN = "“{column}” is not a column of a population table. Use {count} and any of: {attributes}."
TWICE = "The population table has the column “{column}” twice."
BAD_WIDTH = "Line {line} of the population table has {cells} cells, and the header has {columns}."
BAD_COUNT = (
    "Line {line} of the population table: “{value}” is not a count. Use a whole number from 0 to 999,999,999,999, "
    "without separators."
)
TOO_LARGE = "The population table is larger than 5 MB. Leave out columns, or put values together."
MAX_BYTES = 5_000_000  # it is kept with the run
MAX_COUNT_DIGITS = 12
MAX_SHOWN = 60  # characters of a value in a sentence
BAD_VALUE = "Line {line} of the population table: “{value}” is not a value of {attribute}. {hint}"
NOBODY = "All counts of the population table are 0."


class UnreadablePopulation(ValueError):
    """The table can't be used, with a sentence that says where and why."""


@dataclass(frozen=True, slots=True)
class Population:
    """Rows of values, in the order of `attributes`, with the number of people who have them."""

    attributes: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], int], ...]
    digest: str  # SHA-256 of the file
    text: str  # of the file
    _matching: dict[tuple[str, str], frozenset[int]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def total(self) -> int:
        return sum(count for _, count in self.rows)

    def group_size(self, guesses: Mapping[str, str]) -> int | None:
        """How many people match all guesses about attributes of the table; everybody, if there is none.

        None if nobody does: the table then says nothing about this person.
        """
        chosen = set(range(len(self.rows)))
        for attribute in self.attributes:
            if guess := guesses.get(attribute, ""):
                chosen &= self._rows_matching(attribute, guess)
        return sum(self.rows[at][1] for at in chosen) or None

    def _rows_matching(self, attribute: str, guess: str) -> frozenset[int]:
        if (attribute, guess) not in self._matching:
            column = self.attributes.index(attribute)
            rows = (at for at, (values, _) in enumerate(self.rows) if _is_match(attribute, guess, values[column]))
            self._matching[attribute, guess] = frozenset(rows)
        return self._matching[attribute, guess]


@lru_cache(maxsize=65_536)
def _is_match(attribute: str, guess: str, value: str) -> bool:
    """Ages match if the ranges share a year, and places if one lies in the other. The rest is as the scorer has it."""
    if attribute in PLACES:
        return any(grade(attribute, *pair).grade.credit == 1 for pair in ((guess, value), (value, guess)))
    if attribute != "age":
        return grade(attribute, guess, value).grade.credit == 1
    first, second = parse_years(guess), parse_years(value)
    return bool(first and second and first[0] <= second[1] and second[0] <= first[1])


def read_population(path: Path) -> Population:
    """A CSV file with a header: any attributes, and `count`. Raises UnreadablePopulation."""
    if path.stat().st_size > MAX_BYTES:
        raise UnreadablePopulation(TOO_LARGE)
    return parse_population(path.read_bytes())


def parse_population(data: bytes) -> Population:
    """Raises UnreadablePopulation."""
    try:
        text = data.decode("utf-8-sig")
        reader = csv.reader(StringIO(text, newline=""))
        lines = [(reader.line_num, cells) for cells in reader if any(cell.strip() for cell in cells)]
    except UnicodeDecodeError as problem:
        raise UnreadablePopulation(NO_TEXT) from problem
    except csv.Error as problem:
        raise UnreadablePopulation(NO_CSV.format(problem=problem)) from problem
    if "\0" in text:  # Postgres can't hold it
        raise UnreadablePopulation(NO_TEXT)
    if not lines:
        raise UnreadablePopulation(EMPTY)
    header = _header(lines[0][1])
    rows = tuple(_rows(header, lines[1:]))
    if not rows:
        raise UnreadablePopulation(EMPTY)
    if not any(count for _, count in rows):
        raise UnreadablePopulation(NOBODY)
    attributes = tuple(name for name in header if name != COUNT)
    return Population(attributes, rows, hashlib.sha256(data).hexdigest(), text)


def _header(cells: Sequence[str]) -> list[str]:
    header = [cell.strip().lower() for cell in cells]
    for column in header:
        if column not in {COUNT, *ATTRIBUTES}:
            raise UnreadablePopulation(
                BAD_COLUMN.format(column=column[:MAX_SHOWN], count=COUNT, attributes=", ".join(ATTRIBUTES))
            )
        if header.count(column) > 1:
            raise UnreadablePopulation(TWICE.format(column=column))
    if COUNT not in header or len(header) < 2:
        raise UnreadablePopulation(NO_COUNT)
    return header


def _rows(header: Sequence[str], lines: Sequence[tuple[int, Sequence[str]]]) -> Iterator[tuple[tuple[str, ...], int]]:
    for line, cells in lines:
        if len(cells) != len(header):
            raise UnreadablePopulation(BAD_WIDTH.format(line=line, cells=len(cells), columns=len(header)))
        values = {name: cell.strip().lower() for name, cell in zip(header, cells, strict=True)}
        count = _count(values.pop(COUNT), line)
        for attribute, value in values.items():
            _check(attribute, value, line)
        yield tuple(values.values()), count


def _count(text: str, line: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_COUNT_DIGITS):
        raise UnreadablePopulation(BAD_COUNT.format(line=line, value=text[:MAX_SHOWN]))
    return int(text)


def _check(attribute: str, value: str, line: int) -> None:
    allowed = CODES.get(attribute)
    hint = f"Use one of: {', '.join(allowed)}." if allowed else "It can't be empty."
    is_valid = value in allowed if allowed else bool(value)
    if attribute == "age":
        is_valid, hint = parse_years(value) is not None, "Use a number or a range, such as 25-34."
    if not is_valid:
        shown = value[:MAX_SHOWN]
        raise UnreadablePopulation(BAD_VALUE.format(line=line, value=shown, attribute=attribute, hint=hint))
