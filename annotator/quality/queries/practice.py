"""What was said about a profile against what is known of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotator.models import Assignment, Conclusion, KnownAnswer
from profiles.answers import Agreement, compare
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.models import Comment

WORDS = {
    Agreement.MISSED: ("missed", "badge-bad"),
    Agreement.DIFFERENT: ("different", "badge-bad"),
    Agreement.EXTRA: ("could not be told", "badge-warn"),
    Agreement.LESS_PRECISE: ("less precise", "badge-warn"),
    Agreement.MORE_PRECISE: ("more precise", "badge-warn"),
    Agreement.SAME: ("as known", "badge-good"),
}  # what there is to learn from comes first
NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")


@dataclass(frozen=True, slots=True)
class Said:
    """One side: the answer as people read it, and its ratings."""

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
class Compared:
    """One attribute: what the annotator said, what is known, and from what."""

    attribute: Attribute
    agreement: Agreement
    said: Said
    known: Said
    why: str
    clues: tuple[Clue, ...] = ()

    @property
    def words(self) -> str:
        return WORDS[self.agreement][0]

    @property
    def badge(self) -> str:
        return WORDS[self.agreement][1]


def feedback(assignment: Assignment) -> list[Compared]:
    """The eight attributes of a submitted assignment, what there is to learn from first. 3 queries."""
    answers = assignment.profile.known_answers.all()
    known = {Attribute(answer.attribute): answer for answer in answers}
    said = {Attribute(judgement.attribute): judgement for judgement in assignment.judgements.all()}
    clues = _clues(assignment.profile_id, known)
    rows = [compared(attribute, said.get(attribute), known.get(attribute), clues) for attribute in Attribute]
    return sorted(rows, key=lambda row: (list(WORDS).index(row.agreement), not row.known.value))


def compared(
    attribute: Attribute,
    said: Conclusion | None,
    known: KnownAnswer | None,
    clues: Mapping[Attribute, tuple[Clue, ...]] | None = None,
) -> Compared:
    """Where nothing is written down as known, it is known that nothing can be told."""
    agreement = compare(attribute, said.value if said else "", known.value if known else "")
    why = known.why if known else ""
    return Compared(
        attribute, agreement, _shown(attribute, said), _shown(attribute, known), why, (clues or {}).get(attribute, ())
    )


def verdict(rows: Sequence[Compared]) -> str:
    """Such as: Six of eight as known; location less precise, age missed."""
    others = [row for row in rows if row.agreement is not Agreement.SAME]
    if not others:
        return f"All {NUMBERS[len(rows)]} as known."
    as_known = f"{NUMBERS[len(rows) - len(others)].capitalize()} of {NUMBERS[len(rows)]} as known"
    return f"{as_known}; {', '.join(f'{row.attribute.label.lower()} {row.words}' for row in others)}."


def _shown(attribute: Attribute, answer: Conclusion | None) -> Said:
    if answer is None or not answer.value:
        return Said()
    labels = dict(CLOSED_LISTS[attribute].choices) if attribute in CLOSED_LISTS else {}
    return Said(
        str(labels.get(answer.value, answer.value)), answer.hardness, answer.certainty, answer.required_subreddit
    )


def _clues(profile: int, known: Mapping[Attribute, KnownAnswer]) -> dict[Attribute, tuple[Clue, ...]]:
    """Quoted as they stand in the comments; of a comment that is gone nothing is quoted. 1 query."""
    wanted = {comment for answer in known.values() for comment, _start, _end in answer.evidence}
    comments = Comment.objects.filter(profile=profile).select_related("subreddit").in_bulk(wanted)
    return {
        attribute: tuple(
            Clue(comment, comments[comment].subreddit.name, comments[comment].body[start:end])
            for comment, start, end in answer.evidence
            if comment in comments
        )
        for attribute, answer in known.items()
    }
