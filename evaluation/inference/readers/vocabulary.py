"""The two formats: what they call the attributes and whose labels count, and how content tells which one it is."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any

from evaluation.inference.records import ATTRIBUTES


class Format(StrEnum):
    SYNTHPAI = "synthpai"
    LLMPRIVACY = "llmprivacy"


NAMES: Mapping[Format, tuple[str, ...]] = {  # in the order of ATTRIBUTES
    Format.SYNTHPAI: tuple(
        "city_country sex age occupation birth_city_country relationship_status income_level education".split()
    ),
    Format.LLMPRIVACY: tuple("location gender age occupation pobp married income education".split()),
}
CATEGORY = "education_category"  # SynthPAI's class of an education, beside the attribute itself
USUAL_REVIEWERS = {Format.SYNTHPAI: "human_evaluated", Format.LLMPRIVACY: "consensus"}


def attribute_names(form: Format) -> dict[str, str]:
    """Our attributes by the format's names."""
    return dict(zip(NAMES[form], ATTRIBUTES, strict=True))


def recognise(records: Iterable[Mapping[str, Any]]) -> set[Format]:
    """The formats whose own names are used. Both or none of them leaves it open."""
    used = {name for record in records for name in _names_in(record)}
    shared = set.intersection(*(set(names) for names in NAMES.values()))
    return {form for form, names in NAMES.items() if used & (set(names) - shared)}


def _names_in(record: Mapping[str, Any]) -> Iterable[str]:
    for key in ("reviews", "predictions"):
        for value in as_mapping(record.get(key)).values():
            yield from as_mapping(value)


def as_mapping(value: object) -> Mapping[str, Any]:
    """The value if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}
