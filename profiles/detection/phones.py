"""Whether a text can hold a phone number at all: the matcher's own first step, before it is asked for each country."""

from collections.abc import Iterable, Iterator
from functools import cache

from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, PhoneNumberMatcher, country_code_for_region, phonenumbermatcher
from phonenumbers.phonemetadata import PhoneMetadata

CANDIDATE = phonenumbermatcher._PATTERN
SECOND_NUMBER = phonenumbermatcher._SECOND_NUMBER_START_PATTERN  # type: ignore[attr-defined]


def holds_number(text: str, regions: Iterable[str], leniency: int) -> bool:
    """Whether the matcher finds one in any of the countries. It is asked only where there are digits enough."""
    digits = most_digits(text)
    return any(
        digits >= fewest_digits(region) and PhoneNumberMatcher(text, region, leniency=leniency).has_next()
        for region in regions
    )


def most_digits(text: str) -> int:
    """Of the candidates. Letters count too, because the matcher may read them as the keys of a telephone."""
    return max((sum(map(str.isalnum, candidate)) for candidate in candidates(text)), default=0)


def candidates(text: str) -> Iterator[str]:
    """What the matcher looks at until it finds a number; the country plays no part in it."""
    match = CANDIDATE.search(text)
    while match:
        start, candidate = match.start(), match.group()
        second = SECOND_NUMBER.search(candidate)
        candidate = candidate[: second.start()] if second else candidate
        yield candidate
        match = CANDIDATE.search(text, start + len(candidate))


@cache
def fewest_digits(region: str) -> int:
    """A valid number has at least these: one of the country itself, or one of any other with its country code."""
    return min(_fewest(country_code_for_region(region)), _fewest_from_abroad())


@cache
def _fewest_from_abroad() -> int:
    return min(len(str(code)) + _fewest(code) for code in COUNTRY_CODE_TO_REGION_CODE)


@cache
def _fewest(code: int) -> int:
    regions = COUNTRY_CODE_TO_REGION_CODE[code]
    if regions == ("001",):  # no country: satellites, freephone
        known = [PhoneMetadata.metadata_for_nongeo_region(code)]
    else:
        known = [PhoneMetadata.metadata_for_region(region) for region in regions]
    return min(length for one in known if one and one.general_desc for length in one.general_desc.possible_length)
