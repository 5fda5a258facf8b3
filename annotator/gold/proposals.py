"""One answer out of several that differ, as a proposal for the adjudicator. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.core.evidence import EvidenceSpan
from annotator.gold.consensus import Opinion, evidence_of, ratings
from annotator.gold.equivalence import Meanings
from profiles.answers import Agreement
from profiles.attributes import Attribute

FINER = (Agreement.SAME, Agreement.MORE_PRECISE)


@dataclass(frozen=True, slots=True)
class Proposal:
    value: str
    hardness: int
    certainty: int
    required_subreddit: bool


def merged(attribute: Attribute, opinions: Sequence[Opinion], meanings: Meanings) -> Proposal | None:
    """The answer that holds all others, or the ages joined into one range; None where nothing joins them."""
    answers = [one for one in opinions if one.value]
    value = _most_precise(attribute, answers, meanings) or _joined_ages(attribute, answers)
    if not value:
        return None
    required = sum(one.required_subreddit for one in answers)
    return Proposal(value, *ratings(answers), required * 2 > len(answers))


def evidence_for(
    attribute: Attribute, value: str, opinions: Sequence[Opinion], meanings: Meanings
) -> list[EvidenceSpan]:
    """The words of all whose answer the value does not contradict."""
    if not value:
        return []
    return evidence_of(
        one
        for one in opinions
        if one.value and meanings.agreement(attribute, one.value, value) is not Agreement.DIFFERENT
    )


def _most_precise(attribute: Attribute, answers: Sequence[Opinion], meanings: Meanings) -> str:
    values = sorted({one.value for one in answers}, key=lambda value: (-sum(a.value == value for a in answers), value))
    for value in values:
        if all(meanings.agreement(attribute, value, other) in FINER for other in values):
            return value
    return ""


def _joined_ages(attribute: Attribute, answers: Sequence[Opinion]) -> str:
    if attribute is not Attribute.AGE or not answers:
        return ""
    years = [int(year) for one in answers for year in one.value.split("-")]
    return f"{min(years)}-{max(years)}"
