"""Ages as intervals of whole years: `27`, `25-30 years old`, `mid-twenties`, `30s`, `around 25`, `30+`."""

import re
from dataclasses import dataclass
from functools import lru_cache

from evaluation.inference.grades import Grade
from evaluation.inference.sound.verdicts import Graded, Rule

OLDEST = 120
NEAR, VERY_NEAR = 5, 2
# A wider guess says little: it is less precise than a narrower label, even if it contains it.
WIDE = 20
# As suggested to people who type `30+` or `about 25` for an age.
OPEN_END, ABOUT = 10, 2
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_DECADES = "twenties thirties forties fifties sixties seventies eighties nineties".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_UNITS = "one two three four five six seven eight nine".split()
_PARTS = {"early": (0, 3), "mid": (4, 6), "middle": (4, 6), "late": (7, 9), "": (0, 9)}
_NUMBER_WORDS = re.compile(rf"\b({'|'.join(_TENS)})(?:[ -]({'|'.join(_UNITS)}))?\b(?!some)|\b({'|'.join(_TEENS)})\b")
_DECADE_WORDS = re.compile(rf"\b({'|'.join(_DECADES)})\b")
_SOMETHING = re.compile(rf"\b({'|'.join(_TENS)}|[1-9]0)[ -]?somethings?\b")
_TERM = re.compile(
    r"(?:\b(?P<part>early|mid|middle|late)(?:[ -]?(?:to|-)[ -]?(?P<end>mid|late))?[ -]*)?(?:his |her |their |the )?"
    r"(?:(?P<decade>[1-9]0)'?s\b|(?P<teens>teens|teenagers?|teenage)\b)"
    r"|(?P<below>\b(?:under|below|less than|younger than|up to)\s+|<\s*)?"
    r"(?P<above>\b(?:over|above|more than|older than|at least)\s+|>\s*)?"
    r"(?P<about>~\s*|≈\s*|\b(?:about|around|approximately|approx\.?|roughly|circa|ca\.?|c\.)\s*)?"
    r"(?<![\d.,/])(?P<year>\d{1,3})(?![\d,/]|\.\d)"
    r"(?:\s*(?:±|\+/?-)\s*(?P<margin>\d{1,2})|(?P<ish>[ -]?ish\b)"
    r"|\s*(?P<plus>\+|plus\b|(?:years )?(?:or|and) (?:older|over|above|up)\b))?"
)
_JOINT = re.compile(r"\s*(?:years?(?: old)?|yrs?|y/?o)?\s*(?:[-‐‑‒–—−~/]|\b(?:to|and|or|through|until)\b)\s*(?:the )?$")


@dataclass(frozen=True, slots=True)
class AgeDistance:
    """How far apart two ages are: years between their nearest points, and the share of years they have in common."""

    years: int
    overlap: float  # common years by all years of both, 0 to 1

    @property
    def within_two(self) -> bool:
        return self.years <= VERY_NEAR

    @property
    def within_five(self) -> bool:
        return self.years <= NEAR

    @property
    def overlaps(self) -> bool:
        return self.overlap > 0


def measure_ages(guess: str, label: str) -> AgeDistance | None:
    """The distance between two ages, or None if one of them cannot be parsed."""
    first, second = parse_years(guess), parse_years(label)
    if first is None or second is None:
        return None
    common = min(first[1], second[1]) - max(first[0], second[0]) + 1
    total = max(first[1], second[1]) - min(first[0], second[0]) + 1
    return AgeDistance(max(0, 1 - common), max(0, common) / total)


def grade_age(guess: str, label: str) -> Graded:
    """EXACT if the nearest points are at most 5 years apart, unless one of the two is wide and the other narrower."""
    distance = measure_ages(guess, label)
    if distance is None:
        return Graded(Grade.WRONG, Rule.UNKNOWN if parse_years(label) else Rule.UNKNOWN_LABEL)
    if not distance.within_five:
        return Graded(Grade.WRONG, Rule.AGE_FAR)
    width, label_width = _width(guess), _width(label)
    if width != label_width and max(width, label_width) > WIDE:
        return Graded(Grade.LESS_PRECISE if width > label_width else Grade.MORE_PRECISE, Rule.AGE_WIDE)
    return Graded(Grade.EXACT, Rule.AGE_OVERLAP if distance.overlaps else Rule.AGE_NEAR)


@lru_cache(maxsize=65_536)
def parse_years(text: str) -> tuple[int, int] | None:
    """The first age or range of ages in the text, as its first and last year."""
    written = _with_digits(text.casefold())
    terms = [match for match in _TERM.finditer(written) if _interval(match)]
    if not terms:
        return None
    low, high = _interval(terms[0]) or (0, 0)
    if len(terms) > 1 and _JOINT.fullmatch(written[terms[0].end() : terms[1].start()]):
        second = _interval(terms[1]) or (low, high)
        low, high = min(low, second[0]), max(high, second[1])
    return low, high


def _width(text: str) -> int:
    low, high = parse_years(text) or (0, 0)
    return high - low


def _interval(match: "re.Match[str]") -> tuple[int, int] | None:
    if match["decade"] or match["teens"]:
        return _decade(int(match["decade"] or 10), match["part"] or "", match["end"] or match["part"] or "")
    year = int(match["year"])
    if not 0 < year <= OLDEST:
        return None
    if match["above"] or match["plus"]:
        return year, year + OPEN_END
    if match["below"]:
        return max(0, year - OPEN_END), year
    margin = int(match["margin"] or 0) or (ABOUT if match["about"] or match["ish"] else 0)
    return max(0, year - margin), year + margin


def _decade(first: int, part: str, end: str) -> tuple[int, int]:
    """`20s` is 20-29, `early 20s` 20-23, `mid` 24-26, `late` 27-29; `teens` is 13-19."""
    low, high = _PARTS[part][0], _PARTS[end][1]
    return (13, 19) if first == 10 and not part else (first + low, first + high)


def _with_digits(text: str) -> str:
    """`mid-twenties` → `mid-20s`, `thirty-something` → `30s`, `twenty-five` → `25`."""
    text = _DECADE_WORDS.sub(lambda match: f"{20 + 10 * _DECADES.index(match[1])}s", text)
    text = _SOMETHING.sub(lambda match: f"{_tens(match[1])}s", text)
    return _NUMBER_WORDS.sub(_number, text)


def _tens(text: str) -> int:
    return 20 + 10 * _TENS.index(text) if text in _TENS else int(text)


def _number(match: "re.Match[str]") -> str:
    if match[3]:
        return str(10 + _TEENS.index(match[3]))
    return str(_tens(match[1]) + (1 + _UNITS.index(match[2]) if match[2] else 0))
