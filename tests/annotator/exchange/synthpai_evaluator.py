"""Which labels SynthPAI's `evaluate` counts, written from its description.

It stops where the original stops: no `human_evaluated`, or a reviewer's entry that is not an attribute.
"""

from typing import Any

ATTRIBUTES = "city_country sex age occupation birth_city_country relationship_status income_level education".split()
SKIPPED = {"revised": ("human",), "original": ("human_evaluated",), "gt": ()}


def counted_labels(lines: list[dict[str, Any]], mode: str = "revised") -> list[tuple[str, str, str]]:
    """User, attribute and value of each label that is compared with a model's guesses."""
    return [
        (line["username"], attribute, label["estimate"])
        for line in _filtered(lines)
        for reviewer, review in line["reviews"].items()
        if reviewer not in SKIPPED[mode]
        for attribute, label in review.items()
        if attribute not in ("time", "timestamp", "education_category") and label["hardness"] and label["certainty"]
        if _is_scored(review, attribute)
    ]


def _filtered(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        line for line in lines if any(label.get("estimate") for label in line["reviews"]["human_evaluated"].values())
    ]


def _is_scored(review: dict[str, Any], attribute: str) -> bool:
    assert attribute in ATTRIBUTES
    assert attribute != "education" or "estimate" in review["education_category"]
    return True
