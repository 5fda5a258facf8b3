"""Compare an answer with a known one."""

from collections.abc import Sequence
from enum import Enum

from profiles.answers.ages import year_range
from profiles.answers.parser import PLACES, parse_answer
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.gazetteer import MatchKind, Place, Resolution, resolve
from profiles.gazetteer.normalization import fold, split_parts

MAX_YEARS_APART = 2  # between the ends of two ages that count as the same


class Agreement(Enum):
    """How an answer relates to the known one."""

    SAME = "same"
    LESS_PRECISE = "less precise"
    MORE_PRECISE = "more precise"
    DIFFERENT = "different"
    MISSED = "missed"
    EXTRA = "extra"


def compare(attribute: Attribute, answer: str, known: str) -> Agreement:
    """Normalize both, then compare.

    No answer is SAME if nothing is known, and MISSED otherwise. An answer is EXTRA if nothing is known.
    Values from closed lists are SAME or DIFFERENT. For ages, places and occupations, see the functions below.
    A value that cannot be parsed, such as the age `30+`, is DIFFERENT from everything.
    """
    parsed, parsed_known = parse_answer(attribute, answer), parse_answer(attribute, known)
    if parsed.problem or parsed_known.problem:
        return Agreement.DIFFERENT
    if not parsed.value or not parsed_known.value:
        return _compare_with_empty(parsed.value, parsed_known.value)
    return _compare_values(attribute, parsed.value, parsed_known.value)


def _compare_ages(answer: str, known: str) -> Agreement:
    """Apply the first rule that fits. A single age counts as a range: 27 as 27-27.

    SAME: both ends are at most 2 years apart, as in 25 and 27, 23-27 and 25, or 20-30 and 22-32.
    LESS_PRECISE: the answer contains the known range, as in 25-35 for 30. MORE_PRECISE: the other way round.
    DIFFERENT: anything else, including ranges that merely overlap.
    """
    (low, high), (known_low, known_high) = year_range(answer), year_range(known)
    if abs(low - known_low) <= MAX_YEARS_APART and abs(high - known_high) <= MAX_YEARS_APART:
        return Agreement.SAME
    return _by_precision(low <= known_low and known_high <= high, known_low <= low and high <= known_high)


def _compare_occupations(answer: str, known: str) -> Agreement:
    """Ignore accents and word order. The answer with all words of the other, and more, is the more precise one."""
    words, known_words = set(fold(answer).split()), set(fold(known).split())
    if words == known_words:
        return Agreement.SAME
    return _by_precision(words < known_words, known_words < words)


def _compare_places(answer: str, known: str) -> Agreement:
    """Compare the places that the gazetteer resolves, or the written parts if it does not know one of them.

    SAME: the same place, and the same street or district, if any. LESS_PRECISE: the state or country that contains
    the known place, its city without the street, or its name alone if several places share it. MORE_PRECISE: the
    other way round. If one is not in the gazetteer, the text whose parts are some of the other's, in the same order,
    is the less precise one.
    """
    resolution, known_resolution = resolve(answer), resolve(known)
    kinds = (resolution.match.kind, known_resolution.match.kind)
    parts, known_parts = split_parts(answer), split_parts(known)
    if parts == known_parts:
        return Agreement.SAME
    if kinds == (MatchKind.ONE, MatchKind.ONE):
        return _compare_unique(resolution, known_resolution)
    if MatchKind.UNKNOWN in kinds:
        return _by_precision(_is_within(parts, known_parts), _is_within(known_parts, parts))
    return _compare_ambiguous(resolution, known_resolution)


def _compare_values(attribute: Attribute, answer: str, known: str) -> Agreement:
    if attribute in CLOSED_LISTS:
        return Agreement.SAME if answer == known else Agreement.DIFFERENT
    if attribute is Attribute.AGE:
        return _compare_ages(answer, known)
    return _compare_places(answer, known) if attribute in PLACES else _compare_occupations(answer, known)


def _compare_unique(answer: Resolution, known: Resolution) -> Agreement:
    """Compare two texts that each mean a single place."""
    place, known_place = answer.match.places[0], known.match.places[0]
    if place != known_place:
        return _by_precision(_contains(answer, place, known_place), _contains(known, known_place, place))
    if answer.detail == known.detail:
        return Agreement.SAME
    return _by_precision(_is_within(answer.detail, known.detail), _is_within(known.detail, answer.detail))


def _contains(resolution: Resolution, place: Place, other: Place) -> bool:
    """A district or village that is not in the gazetteer contains nothing."""
    return not resolution.detail and place.contains(other)


def _compare_ambiguous(answer: Resolution, known: Resolution) -> Agreement:
    """Compare when at least one is ambiguous: does one cover all meanings of the other, or else contain one of them?"""
    if answer == known:
        return Agreement.SAME
    by_meaning = _by_precision(_covers(answer, known), _covers(known, answer))
    if by_meaning is not Agreement.DIFFERENT:
        return by_meaning
    return _by_precision(_may_contain(answer, known), _may_contain(known, answer))


def _covers(answer: Resolution, known: Resolution) -> bool:
    return not answer.detail and all(place in answer.match.places for place in known.match.places)


def _may_contain(answer: Resolution, known: Resolution) -> bool:
    return any(_contains(answer, place, other) for place in answer.match.places for other in known.match.places)


def _is_within(few: Sequence[str], many: Sequence[str]) -> bool:
    """Whether all of the few are among the many, in the same order, and the many have more."""
    remaining = iter(many)
    return len(few) < len(many) and all(part in remaining for part in few)


def _by_precision(is_less: bool, is_more: bool) -> Agreement:
    if is_less == is_more:
        return Agreement.DIFFERENT
    return Agreement.LESS_PRECISE if is_less else Agreement.MORE_PRECISE


def _compare_with_empty(answer: str, known: str) -> Agreement:
    if answer == known:
        return Agreement.SAME
    return Agreement.EXTRA if answer else Agreement.MISSED
