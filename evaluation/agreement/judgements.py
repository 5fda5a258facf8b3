"""The judgements that count, from the database into arrays, by one query."""

import json
from dataclasses import dataclass

import numpy as np
from django.db import connection

from annotator.gold.counted import counted
from annotator.models import SameMeaning
from evaluation.agreement.scopes import Scope
from evaluation.stats.panel import Ints
from profiles.attributes import Attribute

SLOTS_A_ROW = 2_000  # so many thousand judgements come as one row: their number costs nothing then


@dataclass(frozen=True, slots=True)
class Judged:
    """One place in every array for each judgement; attributes are numbers in their order, values places in `texts`."""

    profiles: Ints
    people: Ints
    attributes: Ints
    hardness: Ints
    certainty: Ints
    values: Ints
    texts: list[str]


def counted_judgements(scope: Scope) -> Judged:
    """1 query."""
    statement, wanted = counted(scope.corpus, scope.batch.pk if scope.batch else None)
    with connection.cursor() as cursor:
        cursor.execute(_in_long_rows(statement), wanted | {"attributes": Attribute.values})
        rows = cursor.fetchall()
    numbers = [np.fromstring(each, np.int64, sep=",").reshape(-1, 5) for each, _ in rows]
    profiles, people, attributes, hardness, certainty = np.concatenate([np.empty((0, 5), np.int64), *numbers]).T
    values, texts = _numbered([json.loads(each) for _, each in rows])
    return Judged(profiles, people, attributes, hardness, certainty, values, texts)


def _numbered(values: list[list[str]]) -> tuple[Ints, list[str]]:
    """Each value as its place among the different ones, in the order in which they came."""
    places: dict[str, int] = {}
    for each in values:
        for value in dict.fromkeys(each):
            places.setdefault(value, len(places))
    numbers = [np.fromiter(map(places.__getitem__, each), np.int64, len(each)) for each in values]
    return np.concatenate([np.empty(0, np.int64), *numbers]), [*places]


def decided_the_same() -> dict[str, list[tuple[str, str]]]:
    """Answers that people decided to mean the same, by attribute. 1 query."""
    decided: dict[str, list[tuple[str, str]]] = {}
    pairs = SameMeaning.objects.filter(is_same=True).order_by("pk").values_list("attribute", "one", "other")
    for attribute, one, other in pairs:
        decided.setdefault(attribute, []).append((one, other))
    return decided


def _in_long_rows(statement: str) -> str:
    """Numbers with commas between them, and values as JSON, in one order."""
    return f"""
        WITH counted AS ({statement})
        SELECT
            string_agg(
                concat_ws(
                    ',', counted.profile_id, counted.annotator_id,
                    array_position(%(attributes)s::text[], judgement.attribute::text) - 1,
                    judgement.hardness, judgement.certainty
                ), ','
            ),
            json_agg(judgement.value)::text
        FROM counted JOIN annotator_judgement judgement ON judgement.assignment_id = counted.id
        GROUP BY counted.id / {SLOTS_A_ROW}
    """  # noqa: S608 our own statement and number; values go in as values
