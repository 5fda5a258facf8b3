"""The baseline for what is explicit: rules for statements that people make about themselves.

Precision comes first. Quoted lines and words, conditions, the past and other people never count.
"""

from collections.abc import Iterator, Sequence

from evaluation.inference.baselines.records import ABSTENTION, MAX_GUESSES, BaselineProfile
from evaluation.inference.baselines.rules.statements import Statement, find_statements
from evaluation.inference.records import ATTRIBUTES, Prediction
from evaluation.inference.selection import Text

__all__ = ["find_statements", "predict_rules"]

LEVELS = ("no hs", "in hs", "hs", "in college", "college", "phd")


def predict_rules(profiles: Sequence[BaselineProfile]) -> Iterator[tuple[int, dict[str, Prediction]]]:
    for profile in profiles:
        statements = list(_statements(profile.texts))
        yield profile.pk, {name: _prediction(name, statements) for name in ATTRIBUTES}


def _statements(texts: Sequence[Text]) -> Iterator[Statement]:
    """The latest first."""
    for text in sorted(texts, key=lambda text: (text.written_at, text.id), reverse=True):
        yield from reversed(list(find_statements(text.body, text.written_at.year)))


def _prediction(attribute: str, statements: Sequence[Statement]) -> Prediction:
    """The latest statement, then earlier ones that say something else.

    Of education, the highest level counts: whoever has a PhD finished school, too. Where somebody is from comes after
    where they say they live or were born.
    """
    own = [statement for statement in statements if statement.attribute == attribute]
    if attribute == "education":
        own.sort(key=lambda statement: -LEVELS.index(statement.value))
    own.sort(key=lambda statement: statement.is_weak)
    by_value: dict[str, Statement] = {}
    for statement in own:
        by_value.setdefault(statement.value.lower(), statement)
    best = list(by_value.values())[:MAX_GUESSES]
    if not best:
        return ABSTENTION
    return Prediction(tuple(statement.value for statement in best), f"{best[0].rule}: “{best[0].words}”.")
