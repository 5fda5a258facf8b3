"""Places: grade by levels of the gazetteer, country, state and city."""

import re
from collections.abc import Iterator

from evaluation.inference.grades import Grade
from evaluation.inference.sound.readings import Reading, read_place
from evaluation.inference.sound.verdicts import Graded, Rule, mirror, rank

# Capitals are the state of Oregon: `Portland OR USA`.
_ALTERNATIVES = re.compile(r"\s+(?:and/)?or\s+|\s*;\s*|\s+vs\.?\s+")
_AND = re.compile(r"\s+(?:and|&)\s+")


def grade_place(guess: str, label: str) -> Graded:
    """The worst grade of the guess's alternatives, each against the label's best: `Boston or New York` is no guess."""
    accepted = _alternatives(label)
    return min((_best_of(guess_part, accepted) for guess_part in _alternatives(guess)), key=rank)


def _best_of(guess: str, labels: list[str]) -> Graded:
    return max((_grade_single(guess, label) for label in labels), key=rank)


def _alternatives(text: str) -> list[str]:
    parts = [part for part in _ALTERNATIVES.split(text) if part.strip()]
    if len(parts) == 1 and _AND.search(text) and not any(reading.country for reading in read_place(text)):
        parts = _AND.split(text)  # not for Trinidad and Tobago
    return parts or [text]


def _grade_single(guess: str, label: str) -> Graded:
    """The best grade that any pair of readings allows. Of several with the same grade, the most populous decides."""
    pairs = list(_graded_pairs(read_place(guess), read_place(label)))
    if not pairs:
        return Graded(Grade.WRONG, Rule.UNKNOWN)
    return max(pairs, key=lambda pair: (_strength(pair[1]), pair[0]))[1]


def _strength(graded: Graded) -> tuple[bool, bool, bool]:
    """Symmetric, unlike `rank`: guess and label may be swapped."""
    is_partial = graded.rule is Rule.PLACE_AMBIGUOUS
    return graded.grade is not Grade.WRONG, graded.grade is Grade.EXACT, not is_partial


def _graded_pairs(guesses: tuple[Reading, ...], labels: tuple[Reading, ...]) -> Iterator[tuple[int, Graded]]:
    for guess in guesses:
        for label in labels:
            yield guess.population + label.population, _weigh(_compare(guess, label), guess, label)


def _weigh(graded: Graded, guess: Reading, label: Reading) -> Graded:
    """A bare name means its prominent readings. It is less precise than a namesake that is spelled out (Paris, Texas),
    and says nothing about where that lies.
    """
    if graded.grade is Grade.WRONG or (guess.is_prominent and label.is_prominent):
        return graded
    if graded.grade is not Grade.EXACT:
        return Graded(Grade.WRONG, Rule.PLACE_OTHER_COUNTRY)
    if guess.is_prominent == label.is_prominent:
        return graded
    return Graded(Grade.MORE_PRECISE if guess.is_prominent else Grade.LESS_PRECISE, Rule.PLACE_AMBIGUOUS)


def _compare(guess: Reading, label: Reading) -> Graded:
    """Walk down from the country. The first level at which both name something else is wrong."""
    if not guess.country or not label.country:
        return _compare_details(guess, label)
    if guess.country != label.country:
        return Graded(Grade.WRONG, Rule.PLACE_OTHER_COUNTRY)
    if guess.state and label.state and guess.state != label.state:
        return Graded(Grade.WRONG, Rule.PLACE_OTHER_STATE)
    if guess.city and label.city:
        return _compare_cities(guess, label)
    if guess.detail and label.detail and not guess.city and not label.city:
        return _compare_details(guess, label)
    return _compare_levels(guess, label)


def _compare_cities(guess: Reading, label: Reading) -> Graded:
    if guess.city != label.city:
        return Graded(Grade.WRONG, Rule.PLACE_OTHER_CITY)
    if guess.detail == label.detail:
        return Graded(Grade.EXACT, Rule.PLACE_SAME)
    if guess.detail and label.detail:
        return _compare_details(guess, label)
    return Graded(Grade.LESS_PRECISE if label.detail else Grade.MORE_PRECISE, Rule.PLACE_LEVEL)


def _compare_levels(guess: Reading, label: Reading) -> Graded:
    """At most one has a city. A village that the gazetteer lacks counts as one, and is another than any it has."""
    level, label_level = _level(guess), _level(label)
    if level == label_level:
        is_same = level < 2
        return Graded(Grade.EXACT, Rule.PLACE_SAME) if is_same else Graded(Grade.WRONG, Rule.PLACE_OTHER_CITY)
    return Graded(Grade.LESS_PRECISE if level < label_level else Grade.MORE_PRECISE, Rule.PLACE_LEVEL)


def _level(reading: Reading) -> int:
    """0 for a country, 1 for a state, 2 for anything in it."""
    return 2 if reading.city or reading.detail else int(bool(reading.state))


def _compare_details(guess: Reading, label: Reading) -> Graded:
    """By text: exact if the finest parts are equal, less or more precise if one is among the other's."""
    parts, label_parts = _written(guess), _written(label)
    if parts[0] == label_parts[0]:
        return Graded(Grade.EXACT, Rule.PLACE_TEXT)
    grade = Grade.LESS_PRECISE if parts[0] in label_parts else Grade.WRONG
    if label_parts[0] in parts:
        grade = mirror(Grade.LESS_PRECISE) if grade is Grade.WRONG else Grade.EXACT
    return Graded(grade, Rule.PLACE_TEXT if grade is not Grade.WRONG else Rule.UNKNOWN)


def _written(reading: Reading) -> tuple[str, ...]:
    known = (reading.city, reading.state, reading.country)
    return (*reading.detail, *(part.casefold() for part in known if part))
