"""How an answer agrees with a known one."""

from collections.abc import Sequence
from enum import Enum

from profiles.answers.ages import years
from profiles.answers.parser import PLACES, read_answer
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.gazetteer import Kind, Place, Settled, settle
from profiles.gazetteer.normalization import fold, parts

CLOSE = 2  # years between the ends of two ages that count as the same


class Agreement(Enum):
    """What was said against what is known."""

    SAME = "same"
    LESS_PRECISE = "less precise"
    MORE_PRECISE = "more precise"
    DIFFERENT = "different"
    MISSED = "missed"
    EXTRA = "extra"


def compare(attribute: Attribute, said: str, known: str) -> Agreement:
    """Both are read as they would be kept.

    Nothing said is SAME where nothing is known, and MISSED otherwise; where nothing is known an answer is EXTRA.
    Closed lists: equal or not. The rules of ages, places and occupations are those of the functions below.
    What cannot be read as an answer, such as an age `30+`, is DIFFERENT from any.
    """
    said_value, known_value = read_answer(attribute, said), read_answer(attribute, known)
    if said_value.problem or known_value.problem:
        return Agreement.DIFFERENT
    if not said_value.value or not known_value.value:
        return _with_nothing(said_value.value, known_value.value)
    return _compare_values(attribute, said_value.value, known_value.value)


def _compare_ages(said: str, known: str) -> Agreement:
    """In this order, with an age such as 27 taken as 27-27.

    SAME: both ends at most 2 years apart, as 25 and 27, 23-27 and 25, or 20-30 and 22-32.
    LESS_PRECISE: the range said holds the known one, as 25-35 for 30. MORE_PRECISE: the other way round.
    DIFFERENT: anything else, also ranges that merely overlap.
    """
    (low, high), (known_low, known_high) = years(said), years(known)
    if abs(low - known_low) <= CLOSE and abs(high - known_high) <= CLOSE:
        return Agreement.SAME
    return _by_holding(low <= known_low and known_high <= high, known_low <= low and high <= known_high)


def _compare_occupations(said: str, known: str) -> Agreement:
    """Without regard to accents. An answer with all words of the other and more is the more precise one."""
    words, known_words = set(fold(said).split()), set(fold(known).split())
    if words == known_words:
        return Agreement.SAME
    return _by_holding(words < known_words, known_words < words)


def _compare_places(said: str, known: str) -> Agreement:
    """By what the gazetteer finds, and by the parts where it finds nothing.

    SAME: one place, and the same street or district if any. LESS_PRECISE: the state or country that the known place
    lies in, its city without the street, or its name alone where several are called so. MORE_PRECISE: the other way
    round. Where one is not in the gazetteer: all parts of the other in their order, or some of them.
    """
    one, other = settle(said), settle(known)
    if parts(said) == parts(known):
        return Agreement.SAME
    if one.match.kind is other.match.kind is Kind.ONE:
        return _compare_settled(one, other)
    if Kind.UNKNOWN in (one.match.kind, other.match.kind):
        return _by_holding(_is_within(parts(said), parts(known)), _is_within(parts(known), parts(said)))
    return _compare_vague(one, other)


def _compare_values(attribute: Attribute, said: str, known: str) -> Agreement:
    if attribute in CLOSED_LISTS:
        return Agreement.SAME if said == known else Agreement.DIFFERENT
    if attribute is Attribute.AGE:
        return _compare_ages(said, known)
    return _compare_places(said, known) if attribute in PLACES else _compare_occupations(said, known)


def _compare_settled(said: Settled, known: Settled) -> Agreement:
    place, known_place = said.match.places[0], known.match.places[0]
    if place != known_place:
        return _by_holding(_holds(said, place, known_place), _holds(known, known_place, place))
    if said.finer == known.finer:
        return Agreement.SAME
    return _by_holding(_is_within(said.finer, known.finer), _is_within(known.finer, said.finer))


def _holds(written: Settled, place: Place, other: Place) -> bool:
    """A district or village of its own that is not in the gazetteer holds nothing."""
    return not written.finer and place.holds(other)


def _compare_vague(said: Settled, known: Settled) -> Agreement:
    """Where one of them has several meanings: whose are among the other's, or else lie in them."""
    if said == known:
        return Agreement.SAME
    by_meaning = _by_holding(_covers(said, known), _covers(known, said))
    if by_meaning is not Agreement.DIFFERENT:
        return by_meaning
    return _by_holding(_may_hold(said, known), _may_hold(known, said))


def _covers(said: Settled, known: Settled) -> bool:
    return not said.finer and all(place in said.match.places for place in known.match.places)


def _may_hold(said: Settled, known: Settled) -> bool:
    return any(_holds(said, place, other) for place in said.match.places for other in known.match.places)


def _is_within(few: Sequence[str], many: Sequence[str]) -> bool:
    """Whether all of the few are among the many, in their order."""
    remaining = iter(many)
    return len(few) < len(many) and all(part in remaining for part in few)


def _by_holding(is_less: bool, is_more: bool) -> Agreement:
    if is_less == is_more:
        return Agreement.DIFFERENT
    return Agreement.LESS_PRECISE if is_less else Agreement.MORE_PRECISE


def _with_nothing(said: str, known: str) -> Agreement:
    if said == known:
        return Agreement.SAME
    return Agreement.EXTRA if said else Agreement.MISSED
