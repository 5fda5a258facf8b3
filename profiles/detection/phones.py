"""Decide quickly whether a text can contain a phone number.

Presidio runs the matcher of `phonenumbers` once for each country. This runs the matcher's own first step once, with
its private patterns, and the matcher itself only where there are enough digits (ADR 13).
"""

from collections.abc import Iterable, Iterator
from functools import cache

from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, PhoneNumberMatcher, country_code_for_region, phonenumbermatcher
from phonenumbers.phonemetadata import PhoneMetadata

CANDIDATE = phonenumbermatcher._PATTERN
SECOND_NUMBER = phonenumbermatcher._SECOND_NUMBER_START_PATTERN  # type: ignore[attr-defined]


def contains_number(text: str, regions: Iterable[str], leniency: int) -> bool:
    """Whether the matcher finds a number of any of the countries. It only runs where there are enough digits."""
    digits = max_digits(text)
    return any(
        digits >= min_digits(region) and PhoneNumberMatcher(text, region, leniency=leniency).has_next()
        for region in regions
    )


def max_digits(text: str) -> int:
    """The most digits in a candidate. Letters count too, because the matcher may read them as keys of a phone."""
    return max((sum(map(str.isalnum, candidate)) for candidate in candidates(text)), default=0)


def candidates(text: str) -> Iterator[str]:
    """What the matcher looks at until it finds a number, for any country."""
    match = CANDIDATE.search(text)
    while match:
        start, candidate = match.start(), match.group()
        second = SECOND_NUMBER.search(candidate)
        candidate = candidate[: second.start()] if second else candidate
        yield candidate
        match = CANDIDATE.search(text, start + len(candidate))


@cache
def min_digits(region: str) -> int:
    """The fewest digits of a valid number: a national one, or any other with its country code."""
    return min(_min_national_digits(country_code_for_region(region)), _min_international_digits())


@cache
def _min_international_digits() -> int:
    return min(len(str(code)) + _min_national_digits(code) for code in COUNTRY_CODE_TO_REGION_CODE)


@cache
def _min_national_digits(code: int) -> int:
    regions = COUNTRY_CODE_TO_REGION_CODE[code]
    if regions == ("001",):  # not a country: satellites, freephone
        metadata = [PhoneMetadata.metadata_for_nongeo_region(code)]
    else:
        metadata = [PhoneMetadata.metadata_for_region(region) for region in regions]
    return min(
        length for entry in metadata if entry and entry.general_desc for length in entry.general_desc.possible_length
    )
