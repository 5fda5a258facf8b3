"""Proposals for the adjudicator: several answers merged into one. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.core.evidence import EvidenceSpan
from annotator.gold.consensus import CountedJudgement, evidence_of, ratings
from annotator.gold.equivalence import Equivalence
from profiles.answers import Agreement
from profiles.attributes import Attribute

AT_LEAST_AS_PRECISE = (Agreement.SAME, Agreement.MORE_PRECISE)


@dataclass(frozen=True, slots=True)
class Proposal:
    value: str
    hardness: int
    certainty: int
    required_subreddit: bool


def propose_merger(
    attribute: Attribute, judgements: Sequence[CountedJudgement], equivalence: Equivalence
) -> Proposal | None:
    """The answer that is at least as precise as all others, or a range that covers all ages. None if there is neither.

    Hardness and certainty are the medians of the answers.
    """
    answers = [judgement for judgement in judgements if judgement.value]
    value = _most_precise(attribute, answers, equivalence) or _joined_ages(attribute, answers)
    if not value:
        return None
    required = sum(answer.required_subreddit for answer in answers)
    return Proposal(value, *ratings(answers), required * 2 > len(answers))


def evidence_for(
    attribute: Attribute, value: str, judgements: Sequence[CountedJudgement], equivalence: Equivalence
) -> list[EvidenceSpan]:
    """The evidence of all judgements that don't contradict the value."""
    if not value:
        return []
    return evidence_of(
        judgement
        for judgement in judgements
        if judgement.value and equivalence.agreement(attribute, judgement.value, value) is not Agreement.DIFFERENT
    )


def _most_precise(attribute: Attribute, answers: Sequence[CountedJudgement], equivalence: Equivalence) -> str:
    values = sorted({a.value for a in answers}, key=lambda value: (-sum(a.value == value for a in answers), value))
    for value in values:
        if all(equivalence.agreement(attribute, value, other) in AT_LEAST_AS_PRECISE for other in values):
            return value
    return ""


def _joined_ages(attribute: Attribute, answers: Sequence[CountedJudgement]) -> str:
    if attribute is not Attribute.AGE or not answers:
        return ""
    years = [int(year) for answer in answers for year in answer.value.split("-")]
    return f"{min(years)}-{max(years)}"
