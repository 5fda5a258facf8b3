"""The queue of a second look: what is open, what was decided, and what happened to the rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q

from annotator.core.sort_order import Sorting
from annotator.gold.queries.adjudication import display_value
from annotator.models import Annotator, PromptedAnswer
from evaluation.inference.gold_profiles import gold_profiles
from evaluation.inference.scopes import stored_scope
from evaluation.inference.second_look.incompleteness import Answer, LookFacts, ReviewedClaim, measure_incompleteness
from evaluation.inference.second_look.state import standing_review, why_closed, with_state
from evaluation.models import Claim, ClaimReview, ClaimVerdict, EvaluationRun, SecondLook
from evaluation.runs.systems import System
from profiles.attributes import Attribute

PAGE_SIZE = 50
LOOK_COLUMNS = {
    "run": "run__name",
    "system": "run__system run__name",
    "claims": "-claim_count run__name",
    "decided": "-decided run__name",
    "open": "-left run__name",
    "drawn": "-drawn_at",
}


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """A claim as the reviewer sees it. Reasoning and confidence are empty until they have given a first verdict."""

    claim: Claim
    blind_verdict: ClaimVerdict | None

    @property
    def attribute(self) -> Attribute:
        return Attribute(self.claim.attribute)

    @property
    def value(self) -> str:
        return display_value(self.attribute, self.claim.value)

    @property
    def is_blind(self) -> bool:
        return self.blind_verdict is None

    @property
    def reasoning(self) -> str:
        return "" if self.is_blind else self.claim.reasoning

    @property
    def confidence(self) -> str:
        confidence = None if self.is_blind else self.claim.confidence
        return "" if confidence is None else f"{100 * confidence:.0f} %"


@dataclass(frozen=True, slots=True)
class LastDecision:
    """The reviewer's newest decision, and what identifies it."""

    claim_id: int
    sentence: str
    token: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a second look is. `waiting` are half reviewed, `gone` left with their profiles."""

    size: int
    decided: int
    waiting: int
    left: int
    closed: Sequence[tuple[str, int]]  # reasons with counts
    gone: int

    @property
    def is_finished(self) -> bool:
        return not self.left and not self.waiting


def progress_of(look: SecondLook) -> Progress:
    """1 query."""
    rows = with_state(Claim.objects.filter(look=look).select_related("review__reviewer"))
    decided = waiting = left = total = 0
    closed: dict[str, int] = {}
    for claim in rows.defer("reasoning"):
        total += 1
        review = standing_review(claim)
        reason = why_closed(claim)
        if review and review.verdict:
            decided += 1
        elif reason:
            closed[reason] = closed.get(reason, 0) + 1
        elif review:
            waiting += 1
        else:
            left += 1
    return Progress(look.size, decided, waiting, left, sorted(closed.items()), look.size - total)


def shown_claim(claim: Claim) -> ShownClaim:
    review = standing_review(claim)
    return ShownClaim(claim, ClaimVerdict(review.blind_verdict) if review else None)


def last_decision(look: SecondLook, by: Annotator) -> LastDecision | None:
    """1 query."""
    reviews = ClaimReview.objects.filter(claim__look=look, reviewer=by).exclude(verdict="")
    review = reviews.select_related("claim").defer("claim__reasoning").order_by("-decided_at", "-pk").first()
    if review is None:
        return None
    claim = review.claim
    attribute = Attribute(claim.attribute)
    verb = {"confirm": "confirmed", "reject": "rejected", "open": "left open"}[review.verdict]
    value = display_value(attribute, claim.value)
    return LastDecision(claim.pk, f"You {verb}: {attribute.label.lower()} {value}", review.token)


# ── Lists and results ───────────────────────────────────────────────────────


def looks_page(sorting: Sorting, number: str) -> "Page[Any]":
    """Second looks with `decided` and `left`. 2 queries."""
    looks = SecondLook.objects.select_related("run__corpus").defer("run__report")
    counted = looks.annotate(
        decided=Count("claims", filter=Q(claims__review__verdict__gt="")),
        left=Count("claims", filter=Q(claims__review=None)),
    )
    return Paginator(counted.order_by(*sorting.order), PAGE_SIZE).get_page(number)


def incompleteness_of(run: EvaluationRun, look: SecondLook) -> dict[str, Any]:
    """What the second look says by now. 6 queries."""
    return measure_incompleteness(_reviewed(look), _facts(run, look))


def _reviewed(look: SecondLook) -> list[ReviewedClaim]:
    """2 queries."""
    claims = Claim.objects.filter(look=look, review__verdict__gt="").select_related("profile", "review")
    rows = list(claims.defer("reasoning").order_by("number"))
    answers = PromptedAnswer.objects.filter(profile__in=[claim.profile_id for claim in rows])
    hardness = {(pk, attribute): n for pk, attribute, n in answers.values_list("profile_id", "attribute", "hardness")}
    return [
        ReviewedClaim(
            claim.profile.pseudonym, claim.attribute, claim.is_control, claim.review.blind_verdict,
            claim.review.verdict,
            hardness.get((claim.profile_id, claim.attribute), 0)
            if claim.review.verdict == ClaimVerdict.CONFIRM else 0,
        )
        for claim in rows
    ]  # fmt: skip


def _facts(run: EvaluationRun, look: SecondLook) -> LookFacts:
    scope = stored_scope(run)
    profiles = gold_profiles(scope.corpus, scope.batch)[: scope.limit] if scope else []
    gold = [
        Answer(profile.pseudonym, attribute, label.hardness)
        for profile in profiles
        for attribute, label in profile.labels.items()
        if not label.is_negative
    ]
    closed = sum(count for _, count in progress_of(look).closed)
    return LookFacts(
        run.system, System.baseline(look.baseline).title, look.eligible, look.claim_count, look.control_count, gold,
        closed, look.min_confidence, look.seed, look.eligible_by_attribute,
    )  # fmt: skip
