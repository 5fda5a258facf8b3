"""One profile's attributes with everything that was said about them, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db import connection

from annotator.core.evidence import EvidenceSpan
from annotator.gold.consensus import Opinion
from annotator.gold.equivalence import IN_WORDS, Meanings, pairs_of
from annotator.gold.judgements import fingerprint, known_meanings, said_about
from annotator.gold.proposals import Proposal, merged
from annotator.gold.queries.disputes import BADGES
from annotator.models import Dispute, GoldRecord, Judgement
from profiles.answers import Agreement
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.models import Profile

MOST_PAIRS = 15
LETTERS = "ABCDEFGHIJLOPQRTUVXYZ"  # without those that are keys of the page
WORDS = {
    Agreement.SAME: "the same", Agreement.LESS_PRECISE: "less and more precise",
    Agreement.MORE_PRECISE: "less and more precise", Agreement.DIFFERENT: "different",
}  # fmt: skip
PLACES = """
    SELECT comment.id, subreddit.name, (
        SELECT count(*) FROM profiles_comment earlier
        WHERE earlier.profile_id = comment.profile_id AND earlier.subreddit_id = comment.subreddit_id
          AND (earlier.written_at, earlier.id) < (comment.written_at, comment.id))
    FROM profiles_comment comment JOIN profiles_subreddit subreddit ON subreddit.id = comment.subreddit_id
    WHERE comment.id = ANY(%(comments)s) AND comment.profile_id = %(profile)s
"""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a comment stands on the profile's page: its subreddit, and which page of it."""

    subreddit: str
    page: int


@dataclass(frozen=True, slots=True)
class Clue:
    comment: int
    text: str
    place: Place | None


@dataclass(frozen=True, slots=True)
class Side:
    """One judgement, by a letter that tells nothing of the person."""

    letter: str
    name: str
    judgement: int
    value: str  # as people read it
    hardness: int
    certainty: int
    required_subreddit: bool
    note: str
    seconds: int
    clues: list[Clue]

    @property
    def clock(self) -> str:
        return f"{self.seconds // 60}:{self.seconds % 60:02}"


@dataclass(frozen=True, slots=True)
class PairOfAnswers:
    one: str
    other: str
    agreement: str
    decided: bool | None


@dataclass(frozen=True, slots=True)
class AttributeOnPage:
    attribute: Attribute
    dispute: Dispute | None
    gold: GoldRecord | None
    sides: list[Side]
    merger: Proposal | None
    pairs: list[PairOfAnswers]
    seen: str

    @property
    def badge(self) -> str:
        return BADGES[self.dispute.kind] if self.dispute else ""

    @property
    def can_accept(self) -> bool:
        return self.dispute is not None or self.was_decided

    @property
    def was_decided(self) -> bool:
        return self.gold is not None and self.gold.reached == "adjudicated"

    @property
    def gold_value(self) -> str:
        return shown(self.attribute, self.gold.value) if self.gold else ""

    @property
    def choices(self) -> list[tuple[str, str]]:
        """What may be chosen, where the answer comes from a list."""
        if self.attribute not in CLOSED_LISTS:
            return []
        return [
            ("", "Nothing can be told"),
            *((str(v), str(label)) for v, label in CLOSED_LISTS[self.attribute].choices),
        ]


def attributes_on_page(profile: Profile, comments_a_page: int) -> list[AttributeOnPage]:
    """What is disputed first, the worst of it first. 8 queries."""
    said, meanings = said_about(profile.corpus, [profile.pk]), known_meanings()
    disputes = {dispute.attribute: dispute for dispute in Dispute.objects.filter(profile=profile)}
    gold = {
        record.attribute: record for record in GoldRecord.objects.filter(profile=profile).select_related("decided_by")
    }
    every = [one for opinions in said.values() for one in opinions]
    letters, told = _letters(profile, every), _told(every)
    places = _places(profile, every, comments_a_page)
    rows = [
        _attribute(
            attribute,
            said.get((profile.pk, attribute.value), []),
            meanings,
            dispute=disputes.get(attribute),
            gold=gold.get(attribute),
            sides=_sides(attribute, said.get((profile.pk, attribute.value), []), (letters, told, places)),
        )
        for attribute in Attribute
    ]
    return sorted(rows, key=lambda row: -row.dispute.severity if row.dispute else 1)


def shown(attribute: Attribute, value: str) -> str:
    labels: dict[Any, Any] = dict(CLOSED_LISTS[attribute].choices) if attribute in CLOSED_LISTS else {}
    return str(labels.get(value, value))


def _attribute(attribute: Attribute, opinions: Sequence[Opinion], meanings: Meanings, **known: Any) -> AttributeOnPage:
    decided_at = known["gold"].decided_at if known["gold"] else None
    return AttributeOnPage(
        attribute, **known, merger=merged(attribute, opinions, meanings), pairs=_pairs(attribute, opinions, meanings),
        seen=fingerprint(opinions, decided_at),
    )  # fmt: skip


def _letters(profile: Profile, opinions: Sequence[Opinion]) -> dict[int, str]:
    """The same person has the same letter all over the page, and another one on another."""
    people = sorted(
        {one.annotator for one in opinions}, key=lambda who: sha256(f"{profile.pk} {who}".encode()).digest()
    )
    return {who: LETTERS[at] if at < len(LETTERS) else str(at + 1) for at, who in enumerate(people)}


def _told(opinions: Sequence[Opinion]) -> dict[int, tuple[str, int, str]]:
    """Note, active seconds and the person's name of each judgement."""
    rows = Judgement.objects.filter(pk__in=[one.judgement for one in opinions])
    named = rows.values_list(
        "pk", "note", "active_seconds", "assignment__active_seconds", "assignment__annotator__display_name"
    )
    return {pk: (note, seconds or in_all, name) for pk, note, seconds, in_all, name in named}


def _places(profile: Profile, opinions: Sequence[Opinion], comments_a_page: int) -> dict[int, Place]:
    cited = {span.comment for one in opinions for span in one.evidence}
    with connection.cursor() as cursor:
        cursor.execute(PLACES, {"comments": list(cited), "profile": profile.pk})
        return {pk: Place(name, before // comments_a_page + 1) for pk, name, before in cursor.fetchall()}


def _sides(
    attribute: Attribute,
    opinions: Sequence[Opinion],
    known: tuple[Mapping[int, str], Mapping[int, tuple[str, int, str]], Mapping[int, Place]],
) -> list[Side]:
    letters, told, places = known
    sides = []
    for one in opinions:
        note, seconds, name = told[one.judgement]
        sides.append(Side(
            letters[one.annotator], name, one.judgement, shown(attribute, one.value), one.hardness, one.certainty,
            one.required_subreddit, note, seconds, [_clue(span, places) for span in one.evidence],
        ))  # fmt: skip
    return sorted(sides, key=lambda side: (len(side.letter), side.letter))


def _clue(span: EvidenceSpan, places: Mapping[int, Place]) -> Clue:
    return Clue(span.comment, span.text, places.get(span.comment))


def _pairs(attribute: Attribute, opinions: Sequence[Opinion], meanings: Meanings) -> list[PairOfAnswers]:
    if attribute not in IN_WORDS:
        return []
    pairs = pairs_of(one.value for one in opinions)[:MOST_PAIRS]
    return [
        PairOfAnswers(
            one, other, WORDS[meanings.agreement(attribute, one, other)], meanings.decided.get((attribute, one, other))
        )
        for one, other in pairs
    ]
