"""A profile's attributes for the adjudicator, with their judgements side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from annotator.core.evidence import EvidenceSpan
from annotator.core.formatting import format_clock
from annotator.gold.consensus import CountedJudgement
from annotator.gold.equivalence import FREE_TEXT_ATTRIBUTES, Equivalence, answer_pairs
from annotator.gold.judgements import fingerprint, load_equivalence
from annotator.gold.proposals import Proposal, propose_merger
from annotator.gold.queries.cited_comments import CitedEvidence, Person
from annotator.gold.queries.disputes import BADGES
from annotator.models import Annotator, Dispute, GoldRecord, Judgement, Reached
from profiles.answers import Agreement
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.models import Profile

MAX_PAIRS = 15
UNDO_OFFERED_FOR = timedelta(hours=1)  # later, a decision is undone on the page of its profile
AGREEMENT_LABELS = {
    Agreement.SAME: "the same", Agreement.LESS_PRECISE: "less and more precise",
    Agreement.MORE_PRECISE: "less and more precise", Agreement.DIFFERENT: "different",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """A span to jump to. Evidence is sorted by `rank` and `start` as one reads."""

    comment: int
    text: str
    subreddit: str
    rank: int
    start: int


@dataclass(frozen=True, slots=True)
class ShownJudgement:
    """One judgement. The person has a letter and a colour that do not identify them."""

    person: Person
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
    def letter(self) -> str:
        return self.person.letter

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
            ("", "Nothing to infer"),
            *((str(v), str(label)) for v, label in CLOSED_LISTS[self.attribute].choices),
        ]


def attributes_on_page(profile: Profile, cited: CitedEvidence) -> list[AttributeOnPage]:
    """All attributes, disputed ones first, most severe on top. 4 queries."""
    by_key, equivalence = cited.judgements, load_equivalence()
    disputes = {dispute.attribute: dispute for dispute in Dispute.objects.filter(profile=profile)}
    records = GoldRecord.objects.filter(profile=profile).select_related("decided_by")
    gold = {record.attribute: record for record in records}
    details = _details([judgement for judgements in by_key.values() for judgement in judgements])
    rows = []
    for attribute in Attribute:
        judgements = by_key.get(attribute, [])
        row = _attribute(
            attribute, judgements, equivalence, dispute=disputes.get(attribute), gold=gold.get(attribute),
            shown=_shown_judgements(attribute, judgements, cited, details),
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


def _details(judgements: Sequence[CountedJudgement]) -> dict[int, tuple[str, int, str]]:
    """Note, active seconds and annotator's name of each judgement. 1 query."""
    rows = Judgement.objects.filter(pk__in=[judgement.pk for judgement in judgements])
    named = rows.values_list(
        "pk", "note", "active_seconds", "assignment__active_seconds", "assignment__annotator__display_name"
    )
    return {pk: (note, seconds or in_all, name) for pk, note, seconds, in_all, name in named}


def _shown_judgements(
    attribute: Attribute,
    judgements: Sequence[CountedJudgement],
    cited: CitedEvidence,
    details: Mapping[int, tuple[str, int, str]],
) -> list[ShownJudgement]:
    shown = []
    for judgement in judgements:
        note, seconds, name = details[judgement.pk]
        shown.append(ShownJudgement(
            cited.people[judgement.annotator], name, judgement.pk, display_value(attribute, judgement.value),
            judgement.hardness, judgement.certainty, judgement.required_subreddit, note, seconds,
            [_shown_evidence(span, cited) for span in sorted(judgement.evidence, key=cited.order_of)],
        ))  # fmt: skip
    return sorted(shown, key=lambda judgement: judgement.person.number)


def _shown_evidence(span: EvidenceSpan, cited: CitedEvidence) -> ShownEvidence:
    rank, start, _ = cited.order_of(span)
    return ShownEvidence(span.comment, span.text, cited.subreddit_of(span), rank, start)


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
