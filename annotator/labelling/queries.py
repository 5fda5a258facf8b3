"""Queries for the labelling page: the annotator's own assignments, the cards, and progress in the batch."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.http import Http404

from annotator.batches.drawing.plan import relabels
from annotator.batches.queries.own_progress import MAX_POOL, OWN_COUNTS, OwnProgress
from annotator.core.evidence import EvidenceSpan
from annotator.core.sql import Rows
from annotator.labelling.cards import CardOnPage, card_on_page
from annotator.models import Annotator, Assignment, Batch, Draft, GuidelineVersion, LookUp, Submission
from annotator.models.batches import AssignmentQuerySet
from profiles.attributes import Attribute
from profiles.models import Profile
from profiles.statements import prepared_cursor


@dataclass(frozen=True, slots=True)
class WorkState:
    """Progress in the batch, the previous submission, and the attributes that were looked up for this profile."""

    progress: OwnProgress
    previous: int | None
    looked_up: frozenset[str]


WORK_STATE = f"""
    SELECT {OWN_COUNTS.format(batch="%(batch)s", relabel="%(relabel)s")},
        (SELECT id FROM annotator_assignment
         WHERE batch_id = %(batch)s AND annotator_id = %(person)s AND submitted_at IS NOT NULL AND id <> %(this)s
         ORDER BY submitted_at DESC, id DESC LIMIT 1),
        ARRAY(SELECT DISTINCT attribute FROM annotator_lookup
              WHERE assignment_id = %(this)s AND service <> %(translator)s AND attribute <> '')
"""  # noqa: S608 our own condition; values are bound as parameters


def own_assignments(annotator: Annotator) -> AssignmentQuerySet:
    """Assignments that the annotator has claimed, with everything that their page needs."""
    return (
        Assignment.objects.readable_by(annotator)
        .select_related("batch__guideline", "profile")
        .defer("batch__guideline__text")
    )


OWN = Rows(
    """
    SELECT {columns} FROM annotator_assignment assignment
    JOIN annotator_batch batch ON batch.id = assignment.batch_id
    JOIN annotator_guidelineversion guideline ON guideline.id = batch.guideline_id
    JOIN profiles_profile profile ON profile.id = assignment.profile_id
    WHERE assignment.id = %(this)s AND assignment.annotator_id = %(person)s AND assignment.claimed_at IS NOT NULL
        AND batch.started_at IS NOT NULL
    """,
    {"assignment": Assignment, "batch": Batch, "guideline": GuidelineVersion, "profile": Profile},
    without=["guideline.text"],
)


def own_assignment(annotator: Annotator, assignment_id: int) -> Assignment:
    """The annotator's own assignment, or 404. 1 query.

    Same rule as `own_assignments` at a fifth of the cost: every request of the labelling page starts with it.
    """
    row = OWN.first({"this": int(assignment_id), "person": annotator.pk})
    if row is None:
        raise Http404
    assignment: Assignment
    assignment, batch, guideline, profile = row
    assignment.batch, assignment.profile, batch.guideline = batch, profile, guideline
    return assignment


def is_new(assignment: Assignment) -> bool:
    """Whether the guidelines come first: the annotator hasn't confirmed them, and has no submitted profile.

    Practice comes before them. People who have submitted something are never held up. No query for most people.
    """
    person = assignment.annotator
    if person is None or person.welcomed_at or assignment.batch.is_practice:
        return False
    return not person.assignments.submitted().filter(batch__is_practice=False).exists()


def cards_on_page(drafts: Iterable[Draft]) -> list[CardOnPage]:
    by_attribute = {draft.attribute: draft for draft in drafts}
    return [card_on_page(attribute, by_attribute.get(attribute)) for attribute in Attribute]


def evidence_on(cards: Iterable[CardOnPage]) -> list[tuple[str, EvidenceSpan]]:
    return [(card.attribute.value, span) for card in cards for span in card.card.evidence]


def evidence_of(assignment: Assignment) -> list[tuple[str, EvidenceSpan]]:
    """Same result as `evidence_on`, but read directly from the drafts. 1 query."""
    drafts = dict(assignment.drafts.values_list("attribute", "evidence"))
    return [(attribute, EvidenceSpan(**span)) for attribute in Attribute.values for span in drafts.get(attribute, ())]


def work_state(assignment: Assignment) -> WorkState:
    """1 query, whose cost does not grow with the batch."""
    with prepared_cursor() as cursor:
        values: dict[str, Any] = {
            "batch": assignment.batch_id, "person": assignment.annotator_id, "this": assignment.pk,
        }  # fmt: skip
        values |= {"max_pool": MAX_POOL, "relabel": relabels(assignment.batch), "translator": LookUp.Service.DEEPL}
        cursor.execute(WORK_STATE, values)
        own, pool, previous, looked_up = cursor.fetchone()
    return WorkState(OwnProgress.of(own, pool), previous, frozenset(looked_up))


def submitted_versions(assignment: Assignment) -> list[Submission]:
    """1 query."""
    return list(assignment.submissions.order_by("number"))
