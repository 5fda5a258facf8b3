"""Which claims of a second look are open, and why others are closed."""

from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotator.models import Annotator, GoldRecord, PromptedAnswer, Role
from evaluation.models import Claim, ClaimReview, EvaluationRun, SecondLook

ANSWERED = "Someone has found an answer since."
PROMPTED = "Another claim about this attribute has been confirmed since."
UNSETTLED = "The judgements have changed since, and there is no gold at the moment."


# Half reviewed by somebody who can't come back: for the next person, who starts from the beginning.
ABANDONED = Q(review__verdict="") & (
    Q(review__reviewer__is_active=False) | ~Q(review__reviewer__roles__contains=[Role.ADMIN.value])
)


def look_at(run: EvaluationRun) -> SecondLook | None:
    """1 query."""
    return SecondLook.objects.filter(run=run).first()


def with_state(claims: "QuerySet[Claim]") -> "QuerySet[Any]":
    """Each claim with `is_negative` and `is_prompted`: what is known now of its attribute."""
    same = {"profile": OuterRef("profile"), "attribute": OuterRef("attribute")}
    return claims.annotate(
        has_gold=Exists(GoldRecord.objects.filter(**same)),
        is_negative=Exists(GoldRecord.objects.filter(value="", **same)),
        is_prompted=Exists(PromptedAnswer.objects.filter(**same)),
    )


def open_claims(look: SecondLook) -> "QuerySet[Any]":
    """Claims without a last word on which people still have no answer, in the order of the queue."""
    claims = with_state(Claim.objects.filter(look=look).filter(Q(review=None) | Q(review__verdict="")))
    return claims.filter(is_negative=True, is_prompted=False).order_by("number")


def why_closed(claim: Claim) -> str:
    """Why a claim can't be confirmed any more, or nothing. `claim` comes from `with_state`."""
    state: Any = claim
    if state.is_negative:
        return PROMPTED if state.is_prompted else ""
    return ANSWERED if state.has_gold else UNSETTLED


def is_abandoned(review: ClaimReview) -> bool:
    """The same of one review, in Python."""
    can_return = review.reviewer.is_active and review.reviewer.has_role(Role.ADMIN)
    return not review.verdict and not can_return


def standing_review(claim: Claim) -> ClaimReview | None:
    review: ClaimReview | None = getattr(claim, "review", None)
    return None if review is None or is_abandoned(review) else review


def half_reviewed(look: SecondLook, by: Annotator) -> Claim | None:
    """The open claim to which this person owes the last word. 1 query."""
    began = open_claims(look).filter(review__reviewer=by)
    claim: Claim | None = began.select_related("profile__corpus", "review").first()
    return claim
