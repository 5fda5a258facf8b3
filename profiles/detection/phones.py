"""Decide quickly whether a text contains a phone number.

Presidio runs the matcher of `phonenumbers` to the end of the text, once for each country. This stops at the first
number, and lets the matcher skip candidates that are too short to be one.
"""

import re
from collections.abc import Iterable
from functools import cache

from phonenumbers import COUNTRY_CODE_TO_REGION_CODE, PhoneMetadata, PhoneNumberMatcher, country_code_for_region

DIGIT = re.compile(r"\d")


def contains_number(text: str, regions: Iterable[str], leniency: int) -> bool:
    """Whether the matcher finds a number of any of the countries."""
    if not DIGIT.search(text):
        return False
    return any(
        PhoneNumberMatcher(text, region, leniency=leniency, min_candidate_length=min_digits(region)).has_next()
        for region in regions
    )


@cache
def min_digits(region: str) -> int:
    """The fewest digits of a valid number: a national one, or any foreign one with its country code."""
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
