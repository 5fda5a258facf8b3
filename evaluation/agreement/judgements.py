"""Load the counted judgements into arrays with one query."""

import json
from dataclasses import dataclass

import numpy as np
from django.db import connection

from annotator.core.sql import named_sql
from annotator.models import Assignment, SameMeaning
from evaluation.agreement.scopes import Scope
from evaluation.stats.panel import Ints
from profiles.attributes import Attribute

ASSIGNMENTS_PER_ROW = 2_000  # the number of rows costs more than their length, so each has thousands of judgements


@dataclass(frozen=True, slots=True)
class JudgementArrays:
    """One element per judgement. `attributes` are indices into Attribute, `values` indices into `texts`."""

    profiles: Ints
    annotators: Ints
    attributes: Ints
    hardness: Ints
    certainty: Ints
    values: Ints
    texts: list[str]


def counted_judgements(scope: Scope) -> JudgementArrays:
    """1 query."""
    statement, parameters = named_sql(Assignment.objects.counted_in(scope.corpus, scope.batch))
    with connection.cursor() as cursor:
        cursor.execute(_aggregated(statement), parameters | {"attributes": Attribute.values})
        rows = cursor.fetchall()
    numbers = [np.fromstring(line, np.int64, sep=",").reshape(-1, 5) for line, _ in rows]
    profiles, annotators, attributes, hardness, certainty = np.concatenate([np.empty((0, 5), np.int64), *numbers]).T
    values, texts = _factorize_texts([json.loads(line) for _, line in rows])
    return JudgementArrays(profiles, annotators, attributes, hardness, certainty, values, texts)


def _factorize_texts(lines: list[list[str]]) -> tuple[Ints, list[str]]:
    """The index of each text among the distinct texts, and these in order of appearance."""
    indices: dict[str, int] = {}
    for line in lines:
        for text in dict.fromkeys(line):
            indices.setdefault(text, len(indices))
    numbers = [np.fromiter(map(indices.__getitem__, line), np.int64, len(line)) for line in lines]
    return np.concatenate([np.empty(0, np.int64), *numbers]), [*indices]


def equivalent_answers() -> dict[str, list[tuple[str, str]]]:
    """Pairs of answers that an adjudicator decided to mean the same, by attribute. 1 query."""
    equivalent: dict[str, list[tuple[str, str]]] = {}
    pairs = SameMeaning.objects.filter(is_same=True).order_by("pk").values_list("attribute", "one", "other")
    for attribute, first, second in pairs:
        equivalent.setdefault(attribute, []).append((first, second))
    return equivalent


def _aggregated(statement: str) -> str:
    """Aggregate numbers into comma-separated text and values into JSON, in the same order."""
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
        GROUP BY counted.id / {ASSIGNMENTS_PER_ROW}
    """  # noqa: S608 our own statement and number; values are bound as parameters
