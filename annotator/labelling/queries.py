"""Everything the labelling page needs around the comments: the cards, how far one is, what was looked up."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.db import connection
from django.db.models import QuerySet

from annotator.charts.meter import Meter, meter
from annotator.core.evidence import EvidenceSpan
from annotator.core.sql import Rows
from annotator.labelling.cards import Card, CardState, card_from, problem_of, state_of
from annotator.models import Annotator, Assignment, Batch, Draft, GuidelineVersion, Submission
from profiles.answers import parse_answer
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.models import Profile

PLACES = {Attribute.LOCATION, Attribute.PLACE_OF_BIRTH}
RATINGS = range(6)
MOST_LEFT = 1000  # of a pool are counted; more is “999+”


@dataclass(frozen=True, slots=True)
class CardOnPage:
    """One card as the form shows it."""

    attribute: Attribute
    number: int
    card: Card
    version: int
    state: CardState
    problem: str
    hint: str

    @property
    def kind(self) -> str:
        if self.attribute in CLOSED_LISTS:
            return "choice"
        if self.attribute in PLACES:
            return "place"
        return "age" if self.attribute is Attribute.AGE else "words"

    @property
    def choices(self) -> list[tuple[str, str]]:
        return CLOSED_LISTS[self.attribute].choices if self.attribute in CLOSED_LISTS else []

    @property
    def evidence(self) -> Iterable[EvidenceSpan]:
        return self.card.evidence


@dataclass(frozen=True, slots=True)
class Pace:
    """How far the annotator is in a batch: their own slots, and what is left for anybody."""

    done: int
    mine: int
    pool: int

    @property
    def told(self) -> str:
        if self.pool:
            left = f"{MOST_LEFT - 1}+" if self.pool == MOST_LEFT else str(self.pool)
            return f"{self.done} done, {left} left for anybody"
        return f"{min(self.done + 1, self.mine)} of {self.mine}"

    @property
    def meter(self) -> Meter:
        return meter(self.done, self.mine + self.pool)


@dataclass(frozen=True, slots=True)
class Around:
    """How far one is, the profile one submitted before this one, and whether something was looked up for this one."""

    pace: Pace
    back_to: int | None
    was_looked_up: bool


AROUND = """
    WITH mine AS (
        SELECT id, submitted_at, skipped_at FROM annotator_assignment
        WHERE batch_id = %(batch)s AND annotator_id = %(person)s
    ), pool AS (
        SELECT FROM annotator_assignment
        WHERE batch_id = %(batch)s AND annotator_id IS NULL AND claimed_at IS NULL LIMIT %(most)s
    )
    SELECT
        (SELECT count(*) FROM mine WHERE submitted_at IS NOT NULL OR skipped_at IS NOT NULL),
        (SELECT count(*) FROM mine),
        (SELECT count(*) FROM pool),
        (SELECT id FROM mine WHERE submitted_at IS NOT NULL AND id <> %(this)s
         ORDER BY submitted_at DESC, id DESC LIMIT 1),
        EXISTS (SELECT FROM annotator_lookup WHERE assignment_id = %(this)s)
"""


def own_work(annotator: Annotator) -> QuerySet[Assignment]:
    """What the annotator was handed, with all that its page asks for. Others' do not exist."""
    handed = Assignment.objects.filter(annotator=annotator, claimed_at__isnull=False)
    return handed.select_related("batch__guideline", "profile").defer("batch__guideline__text")


OWN = Rows(
    """
    SELECT {columns} FROM annotator_assignment assignment
    JOIN annotator_batch batch ON batch.id = assignment.batch_id
    JOIN annotator_guidelineversion guideline ON guideline.id = batch.guideline_id
    JOIN profiles_profile profile ON profile.id = assignment.profile_id
    WHERE assignment.id = %(this)s AND assignment.annotator_id = %(person)s AND assignment.claimed_at IS NOT NULL
    """,
    {"assignment": Assignment, "batch": Batch, "guideline": GuidelineVersion, "profile": Profile},
    without=["guideline.text"],
)


def own_assignment_of(annotator: Annotator, assignment_id: int) -> Assignment | None:
    """One of `own_work` by its number, at a fifth of the cost: every answer to the page begins with it. 1 query."""
    found = OWN.first({"this": assignment_id, "person": annotator.pk})
    if found is None:
        return None
    assignment: Assignment
    assignment, batch, guideline, profile = found
    assignment.batch, assignment.profile, batch.guideline = batch, profile, guideline
    return assignment


def in_hand(annotator: Annotator, assignment_id: int) -> Assignment:
    """The annotator's assignment by its number, unread: whoever locks it finds out whether it is theirs."""
    return Assignment(pk=assignment_id, annotator=annotator)


def cards_on_page(drafts: Iterable[Draft]) -> list[CardOnPage]:
    kept = {draft.attribute: draft for draft in drafts}
    return [card_on_page(attribute, kept.get(attribute)) for attribute in Attribute]


def card_on_page(attribute: Attribute, draft: Draft | None) -> CardOnPage:
    card = card_from(vars(draft)) if draft else None
    number = list(Attribute).index(attribute) + 1
    said = card or Card()
    return CardOnPage(
        attribute, number, said, draft.version if draft else 0, state_of(attribute, card),
        problem_of(attribute, said), parse_answer(attribute, said.value).hint,
    )  # fmt: skip


def evidence_on(cards: Iterable[CardOnPage]) -> list[tuple[str, EvidenceSpan]]:
    return [(card.attribute.value, span) for card in cards for span in card.evidence]


def evidence_of(assignment: Assignment) -> list[tuple[str, EvidenceSpan]]:
    """The same as `evidence_on` the cards, read from the drafts alone. 1 query."""
    kept = dict(assignment.drafts.values_list("attribute", "evidence"))
    return [(attribute, EvidenceSpan(**span)) for attribute in Attribute.values for span in kept.get(attribute, ())]


def around(assignment: Assignment) -> Around:
    """1 query, and no more work for a large batch than for a small one."""
    with connection.cursor() as cursor:
        values = {"batch": assignment.batch_id, "person": assignment.annotator_id, "this": assignment.pk}
        cursor.execute(AROUND, values | {"most": MOST_LEFT})
        done, mine, pool, back_to, was_looked_up = cursor.fetchone()
    return Around(Pace(done, mine, pool), back_to, was_looked_up)


def one_further(pace: Pace) -> Pace:
    return replace(pace, done=min(pace.done + 1, pace.mine))


def sealed_versions(assignment: Assignment) -> list[Submission]:
    """1 query."""
    return list(assignment.submissions.order_by("number"))
