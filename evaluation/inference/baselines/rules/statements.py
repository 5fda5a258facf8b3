"""All rules over all sentences of a comment."""

from collections.abc import Iterator

from evaluation.inference.baselines.rules.education import find_education
from evaluation.inference.baselines.rules.matches import Statement
from evaluation.inference.baselines.rules.people import find_ages, find_relations, find_sexes
from evaluation.inference.baselines.rules.places import find_places
from evaluation.inference.baselines.rules.sentences import own_sentences
from evaluation.inference.baselines.rules.work import find_incomes, find_occupations

FINDERS = (find_ages, find_sexes, find_relations, find_education, find_occupations, find_incomes, find_places)

__all__ = ["Statement", "find_statements"]


def find_statements(body: str, year: int) -> Iterator[Statement]:
    """Statements in the order of the text. `year` is when it was written, for years of birth."""
    for sentence in own_sentences(body):
        for find in FINDERS:
            yield from find(sentence, year)
