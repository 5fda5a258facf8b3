"""Compare judgements with known answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotator.models import Assignment, Conclusion, KnownAnswer
from profiles.answers import Agreement, compare
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.models import Comment

AGREEMENT_BADGES = {
    Agreement.MISSED: ("missed", "badge-bad"),
    Agreement.DIFFERENT: ("different", "badge-bad"),
    Agreement.EXTRA: ("could not be told", "badge-warn"),
    Agreement.LESS_PRECISE: ("less precise", "badge-warn"),
    Agreement.MORE_PRECISE: ("more precise", "badge-warn"),
    Agreement.SAME: ("as known", "badge-good"),
}  # ordered by how much there is to learn
NUMBER_WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """A judgement or a known answer as shown to people, with its ratings."""

    value: str = ""
    hardness: int = 0
    certainty: int = 0
    required_subreddit: bool = False


@dataclass(frozen=True, slots=True)
class Clue:
    comment: int
    subreddit: str
    text: str


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """One attribute: the annotator's judgement, the known answer, and its clues."""

    attribute: Attribute
    agreement: Agreement
    judged: ShownAnswer
    known: ShownAnswer
    why: str
    clues: tuple[Clue, ...] = ()

    @property
    def words(self) -> str:
        return AGREEMENT_BADGES[self.agreement][0]

    @property
    def badge(self) -> str:
        return AGREEMENT_BADGES[self.agreement][1]


def feedback(assignment: Assignment) -> list[CheckedAnswer]:
    """The eight attributes of a submitted assignment, mistakes first. 3 queries."""
    answers = assignment.profile.known_answers.all()
    known = {Attribute(answer.attribute): answer for answer in answers}
    judgements = {Attribute(judgement.attribute): judgement for judgement in assignment.judgements.all()}
    clues = _clues(assignment.profile_id, known)
    rows = [
        compare_answers(attribute, judgements.get(attribute), known.get(attribute), clues) for attribute in Attribute
    ]
    return sorted(rows, key=lambda row: (list(AGREEMENT_BADGES).index(row.agreement), not row.known.value))


def compare_answers(
    attribute: Attribute,
    judgement: Conclusion | None,
    known: KnownAnswer | None,
    clues: Mapping[Attribute, tuple[Clue, ...]] | None = None,
) -> CheckedAnswer:
    """Compare one attribute. A missing known answer means that nothing can be inferred."""
    agreement = compare(attribute, judgement.value if judgement else "", known.value if known else "")
    why = known.why if known else ""
    return CheckedAnswer(
        attribute,
        agreement,
        _answer(attribute, judgement),
        _answer(attribute, known),
        why,
        (clues or {}).get(attribute, ()),
    )


def verdict(rows: Sequence[CheckedAnswer]) -> str:
    """A summary, for example “Six of eight as known; location less precise, age missed.”"""
    others = [row for row in rows if row.agreement is not Agreement.SAME]
    if not others:
        return f"All {NUMBER_WORDS[len(rows)]} as known."
    as_known = f"{NUMBER_WORDS[len(rows) - len(others)].capitalize()} of {NUMBER_WORDS[len(rows)]} as known"
    return f"{as_known}; {', '.join(f'{row.attribute.label.lower()} {row.words}' for row in others)}."


def _answer(attribute: Attribute, answer: Conclusion | None) -> ShownAnswer:
    if answer is None or not answer.value:
        return ShownAnswer()
    labels = dict(CLOSED_LISTS[attribute].choices) if attribute in CLOSED_LISTS else {}
    return ShownAnswer(
        str(labels.get(answer.value, answer.value)), answer.hardness, answer.certainty, answer.required_subreddit
    )


def _clues(profile: int, known: Mapping[Attribute, KnownAnswer]) -> dict[Attribute, tuple[Clue, ...]]:
    """The text of each evidence span, without deleted comments. 1 query."""
    comment_ids = {comment for answer in known.values() for comment, _start, _end in answer.evidence}
    comments = Comment.objects.filter(profile=profile).select_related("subreddit").in_bulk(comment_ids)
    return {
        attribute: tuple(
            Clue(comment, comments[comment].subreddit.name, comments[comment].body[start:end])
            for comment, start, end in answer.evidence
            if comment in comments
        )
        for attribute, answer in known.items()
    }
