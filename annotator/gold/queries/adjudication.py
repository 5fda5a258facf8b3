"""A profile's attributes for the adjudicator, with their judgements side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.db import connection
from django.utils import timezone

from annotator.core.evidence import EvidenceSpan
from annotator.core.formatting import format_clock
from annotator.gold.consensus import CountedJudgement
from annotator.gold.equivalence import FREE_TEXT_ATTRIBUTES, Equivalence, answer_pairs
from annotator.gold.judgements import counted_judgements, fingerprint, load_equivalence
from annotator.gold.proposals import Proposal, propose_merger
from annotator.gold.queries.disputes import BADGES
from annotator.models import Annotator, Dispute, GoldRecord, Judgement, Reached
from profiles.answers import Agreement
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.models import Profile

MAX_PAIRS = 15
UNDO_OFFERED_FOR = timedelta(hours=1)  # later, a decision is undone on the page of its profile
LETTERS = "ABCDEFGHIJLOPQRTVXYZ"  # without the page's keyboard shortcuts
AGREEMENT_LABELS = {
    Agreement.SAME: "the same", Agreement.LESS_PRECISE: "less and more precise",
    Agreement.MORE_PRECISE: "less and more precise", Agreement.DIFFERENT: "different",
}  # fmt: skip
COMMENT_PAGES = """
    SELECT comment.id, subreddit.name, (
        SELECT count(*) FROM profiles_comment earlier
        WHERE earlier.profile_id = comment.profile_id AND earlier.subreddit_id = comment.subreddit_id
          AND (earlier.written_at, earlier.id) < (comment.written_at, comment.id))
    FROM profiles_comment comment JOIN profiles_subreddit subreddit ON subreddit.id = comment.subreddit_id
    WHERE comment.id = ANY(%(comments)s) AND comment.profile_id = %(profile)s
"""


@dataclass(frozen=True, slots=True)
class CommentPage:
    """Where a comment appears in the profile: its subreddit, and the page number within it."""

    subreddit: str
    page: int


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    comment: int
    text: str
    place: CommentPage | None


@dataclass(frozen=True, slots=True)
class ShownJudgement:
    """One judgement, labelled with a letter that does not identify the annotator."""

    letter: str
    name: str
    pk: int
    value: str  # as people read it
    hardness: int
    certainty: int
    required_subreddit: bool
    note: str
    seconds: int
    evidence: list[ShownEvidence]

    @property
    def clock(self) -> str:
        return format_clock(self.seconds)


@dataclass(frozen=True, slots=True)
class AnswerPair:
    first: str
    second: str
    agreement: str
    decided: bool | None


@dataclass(frozen=True, slots=True)
class LastDecision:
    """A decision that the next page offers to undo."""

    profile: Profile
    attribute: Attribute
    value: str  # as people read it; empty: nothing can be told
    token: str


@dataclass(frozen=True, slots=True)
class AttributeOnPage:
    attribute: Attribute
    dispute: Dispute | None
    gold: GoldRecord | None
    judgements: list[ShownJudgement]
    proposal: Proposal | None
    pairs: list[AnswerPair]
    fingerprint: str

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
        return display_value(self.attribute, self.gold.value) if self.gold else ""

    @property
    def choices(self) -> list[tuple[str, str]]:
        """The options of an attribute with a closed list."""
        if self.attribute not in CLOSED_LISTS:
            return []
        return [
            ("", "Nothing can be told"),
            *((str(v), str(label)) for v, label in CLOSED_LISTS[self.attribute].choices),
        ]


def attributes_on_page(profile: Profile, comments_a_page: int) -> list[AttributeOnPage]:
    """All attributes, disputed ones first, most severe on top. 7 queries."""
    by_key, equivalence = counted_judgements(profile.corpus, [profile.pk]), load_equivalence()
    disputes = {dispute.attribute: dispute for dispute in Dispute.objects.filter(profile=profile)}
    records = GoldRecord.objects.filter(profile=profile).select_related("decided_by")
    gold = {record.attribute: record for record in records}
    every = [judgement for judgements in by_key.values() for judgement in judgements]
    lookups = _letters(profile, every), _details(every), _comment_pages(profile, every, comments_a_page)
    rows = []
    for attribute in Attribute:
        judgements = by_key.get((profile.pk, attribute.value), [])
        row = _attribute(
            attribute, judgements, equivalence, dispute=disputes.get(attribute), gold=gold.get(attribute),
            shown=_shown_judgements(attribute, judgements, lookups),
        )  # fmt: skip
        rows.append(row)
    return sorted(rows, key=lambda row: -row.dispute.severity if row.dispute else 1)


def last_decision(by: Annotator) -> LastDecision | None:
    """The adjudicator's newest decision, unless it is too old to be offered. 1 query."""
    recent = GoldRecord.objects.filter(reached=Reached.ADJUDICATED, decided_at__gte=timezone.now() - UNDO_OFFERED_FOR)
    gold = recent.filter(decided_by=by).select_related("profile").order_by("-decided_at", "-pk").first()
    if gold is None:
        return None
    attribute = Attribute(gold.attribute)
    return LastDecision(gold.profile, attribute, display_value(attribute, gold.value), gold.decision_token)


def display_value(attribute: Attribute, value: str) -> str:
    labels: dict[Any, Any] = dict(CLOSED_LISTS[attribute].choices) if attribute in CLOSED_LISTS else {}
    return str(labels.get(value, value))


def _attribute(
    attribute: Attribute,
    judgements: Sequence[CountedJudgement],
    equivalence: Equivalence,
    *,
    dispute: Dispute | None,
    gold: GoldRecord | None,
    shown: list[ShownJudgement],
) -> AttributeOnPage:
    return AttributeOnPage(
        attribute, dispute, gold, shown, propose_merger(attribute, judgements, equivalence),
        _pairs(attribute, judgements, equivalence), fingerprint(judgements, gold.decided_at if gold else None),
    )  # fmt: skip


def _letters(profile: Profile, judgements: Sequence[CountedJudgement]) -> dict[int, str]:
    """One letter per annotator, the same throughout this page. Every profile has its own order."""
    people_in_order = sorted(
        {judgement.annotator for judgement in judgements},
        key=lambda person: sha256(f"{profile.pk} {person}".encode()).digest(),
    )
    return {person: LETTERS[n] if n < len(LETTERS) else str(n + 1) for n, person in enumerate(people_in_order)}


def _details(judgements: Sequence[CountedJudgement]) -> dict[int, tuple[str, int, str]]:
    """Note, active seconds and annotator's name of each judgement. 1 query."""
    rows = Judgement.objects.filter(pk__in=[judgement.pk for judgement in judgements])
    named = rows.values_list(
        "pk", "note", "active_seconds", "assignment__active_seconds", "assignment__annotator__display_name"
    )
    return {pk: (note, seconds or in_all, name) for pk, note, seconds, in_all, name in named}


def _comment_pages(
    profile: Profile, judgements: Sequence[CountedJudgement], comments_a_page: int
) -> dict[int, CommentPage]:
    cited = {span.comment for judgement in judgements for span in judgement.evidence}
    with connection.cursor() as cursor:
        cursor.execute(COMMENT_PAGES, {"comments": list(cited), "profile": profile.pk})
        return {pk: CommentPage(name, before // comments_a_page + 1) for pk, name, before in cursor.fetchall()}


def _shown_judgements(
    attribute: Attribute,
    judgements: Sequence[CountedJudgement],
    known: tuple[Mapping[int, str], Mapping[int, tuple[str, int, str]], Mapping[int, CommentPage]],
) -> list[ShownJudgement]:
    letters, details, comment_pages = known
    shown = []
    for judgement in judgements:
        note, seconds, name = details[judgement.pk]
        shown.append(ShownJudgement(
            letters[judgement.annotator], name, judgement.pk, display_value(attribute, judgement.value),
            judgement.hardness, judgement.certainty, judgement.required_subreddit, note, seconds,
            [_shown_evidence(span, comment_pages) for span in judgement.evidence],
        ))  # fmt: skip
    return sorted(shown, key=lambda judgement: (len(judgement.letter), judgement.letter))


def _shown_evidence(span: EvidenceSpan, comment_pages: Mapping[int, CommentPage]) -> ShownEvidence:
    return ShownEvidence(span.comment, span.text, comment_pages.get(span.comment))


def _pairs(attribute: Attribute, judgements: Sequence[CountedJudgement], equivalence: Equivalence) -> list[AnswerPair]:
    if attribute not in FREE_TEXT_ATTRIBUTES:
        return []
    pairs = answer_pairs(judgement.value for judgement in judgements)[:MAX_PAIRS]
    return [
        AnswerPair(
            first,
            second,
            AGREEMENT_LABELS[equivalence.agreement(attribute, first, second)],
            equivalence.decided.get((attribute, first, second)),
        )
        for first, second in pairs
    ]
