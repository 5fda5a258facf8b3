"""Draw claims from a run, and record what people say of them."""

from collections import Counter
from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry, PromptedAnswer
from evaluation.inference.gold_profiles import GoldProfile
from evaluation.inference.scopes import stored_scope
from evaluation.inference.second_look import candidates as of_run
from evaluation.inference.second_look.candidates import Candidate
from evaluation.inference.second_look.leases import acquire_claim
from evaluation.inference.second_look.options import ConfirmedAnswer, DrawOptions
from evaluation.inference.second_look.sampling import count_controls, draw_claims, draw_controls, mix
from evaluation.inference.second_look.state import is_abandoned, look_at, why_closed, with_state
from evaluation.models import Claim, ClaimReview, ClaimVerdict, EvaluationRun, SecondLook
from profiles.models import Profile

UNFIT = "Only a finished run of a model or a baseline on the gold of a corpus can have a second look."
NO_CLAIMS = (
    "There is nothing to review: where people found nothing, this system claims nothing{with_confidence}. "
    "No claim was drawn.{lower}"
)
LOWER = " Choose a lower confidence to draw others."
TAKEN = "Somebody else has this claim open or has decided it. Your verdict was not saved. Here is the next one."
ALREADY = "You have already given your verdict on this claim, so this one was not saved."
NOT_BLIND_YET = "Give your verdict without the system’s reasons first. Nothing was saved."
CLOSED = "{reason} Your verdict was not saved, and the claim is closed."
UNDONE_SINCE = "This decision has been undone or changed since. Nothing was undone."


class NothingToReview(Exception):
    """The run has no claims. The message says why."""


class ClaimUnavailable(Exception):
    """Somebody else decided it, it is closed, or the page was out of date. The message says which."""


# ── Drawing ─────────────────────────────────────────────────────────────────


def draw_second_look(
    run: EvaluationRun, options: DrawOptions, *, by: Annotator | None = None, request: HttpRequest | None = None
) -> SecondLook:
    """Draw claims and controls once; asking again returns what was drawn. Raises NothingToReview."""
    drawn = look_at(run)
    if drawn is not None:
        return drawn
    scope = stored_scope(run) if of_run.can_be_looked_at(run) else None
    if scope is None:
        raise NothingToReview(UNFIT)
    cells = of_run.undecided_cells(scope)
    least = options.min_confidence if of_run.states_confidence(run) else None
    eligible = of_run.claims_of(run, cells, least)
    if not eligible:
        suffix = f" with a confidence of {100 * least:.0f} % or more" if least else ""
        raise NothingToReview(NO_CLAIMS.format(with_confidence=suffix, lower=LOWER if least else ""))
    attributes = {at: claim.attribute for at, claim in enumerate(eligible)}
    chosen = draw_claims(attributes, options.size, options.seed)
    claims = [eligible[at] for at in chosen]
    controls = _draw_controls(run, cells, claims, options)
    look = SecondLook(
        run=run, seed=options.seed, min_confidence=least, baseline=options.baseline, eligible=len(eligible),
        eligible_by_attribute=Counter(attributes.values()),
        claim_count=len(claims), control_count=len(controls), drawn_by=by,
    )  # fmt: skip
    try:
        return _store(look, claims, controls, by=by, request=request)
    except IntegrityError:  # somebody else drew at the same time
        return SecondLook.objects.get(run=run)


def _draw_controls(
    run: EvaluationRun, cells: dict[of_run.Cell, GoldProfile], claims: Sequence[Candidate], options: DrawOptions
) -> list[Candidate]:
    pool = of_run.controls_of(run, cells, options.baseline, options.seed, claims)
    attributes = {at: control.attribute for at, control in enumerate(pool)}
    claimed = [claim.attribute for claim in claims]
    return [pool[at] for at in draw_controls(attributes, claimed, count_controls(len(claims)), options.seed)]


def _store(
    look: SecondLook, claims: Sequence[Candidate], controls: Sequence[Candidate], *, by: Annotator | None,
    request: HttpRequest | None,
) -> SecondLook:  # fmt: skip
    order = mix(range(len(claims)), range(len(controls)), look.seed)
    with transaction.atomic():
        look.save(force_insert=True)
        Claim.objects.bulk_create(
            _claim(look, number, controls[at] if is_control else claims[at], is_control=is_control)
            for number, (at, is_control) in enumerate(order, start=1)
        )
        record(
            AuditEntry.Action.SECOND_LOOK_STARTED, request=request, actor=by, evaluation=look.run_id, claims=look.size
        )
    return look


def _claim(look: SecondLook, number: int, candidate: Candidate, *, is_control: bool) -> Claim:
    return Claim(
        look=look, number=number, profile_id=candidate.profile_id, attribute=candidate.attribute,
        value=candidate.value, reasoning=candidate.reasoning, confidence=candidate.confidence,
        prompter=candidate.prompter, is_control=is_control,
    )  # fmt: skip


# ── Reviewing ───────────────────────────────────────────────────────────────


def give_blind_verdict(claim: Claim, verdict: ClaimVerdict, *, by: Annotator) -> ClaimReview:
    """The first verdict, on claim and comments alone. It can't be changed. Raises ClaimUnavailable.

    The same verdict twice is one.
    """
    with transaction.atomic():
        review = _lock(claim)
        if review is not None and is_abandoned(review):
            review.delete()  # with the first verdict of somebody who left
        elif review is not None:
            return _same_blind_verdict(review, verdict, by)
        _require_open(claim)
        if not acquire_claim(claim, by):
            raise ClaimUnavailable(TAKEN)
        return ClaimReview.objects.create(claim=claim, reviewer=by, blind_verdict=verdict)


def _same_blind_verdict(review: ClaimReview, verdict: ClaimVerdict, by: Annotator) -> ClaimReview:
    if review.reviewer_id != by.pk:
        raise ClaimUnavailable(TAKEN)
    if review.blind_verdict != verdict:
        raise ClaimUnavailable(ALREADY)
    return review


def decide_claim(
    claim: Claim, verdict: ClaimVerdict, answer: ConfirmedAnswer | None = None, *, by: Annotator,
    request: HttpRequest | None = None,
) -> ClaimReview:  # fmt: skip
    """The last word. A confirmed claim becomes a prompted answer, whoever claimed it. Raises ClaimUnavailable.

    `answer` is needed to confirm. The same verdict twice is one.
    """
    with transaction.atomic():
        review = _lock(claim)
        if review is None:
            raise ClaimUnavailable(NOT_BLIND_YET)
        if review.reviewer_id != by.pk:
            raise ClaimUnavailable(TAKEN)
        if review.verdict:
            if review.verdict != verdict:
                raise ClaimUnavailable(ALREADY)
            return review
        if verdict == ClaimVerdict.CONFIRM:
            _require_open(claim)
            _confirm(claim, answer, by)
        review.verdict, review.decided_at = verdict, timezone.now()
        review.save(update_fields=["verdict", "decided_at"])
        record(AuditEntry.Action.CLAIM_REVIEWED, request=request, actor=by, claim=claim.pk, verdict=verdict)
    return review


def undo_last(claim: Claim, token: str, *, by: Annotator, request: HttpRequest | None = None) -> None:
    """Take the last word back, with the answer that it made. The first verdict stays: it was blind only once.

    `token` identifies the decision. Raises ClaimUnavailable.
    """
    with transaction.atomic():
        review = _lock(claim)
        if review is None or review.reviewer_id != by.pk or not review.verdict or review.token != token:
            raise ClaimUnavailable(UNDONE_SINCE)
        if review.verdict == ClaimVerdict.CONFIRM:
            same = {"profile": claim.profile_id, "attribute": claim.attribute, "prompted_by": claim.prompter}
            PromptedAnswer.objects.filter(decided_by=by, **same).delete()
        review.verdict, review.decided_at = "", None
        review.save(update_fields=["verdict", "decided_at"])
        record(AuditEntry.Action.CLAIM_REVIEWED, request=request, actor=by, claim=claim.pk, verdict="undo")


def _lock(claim: Claim) -> ClaimReview | None:
    """Lock the profile, as decisions and builds of gold do, so that nothing changes what is known of it meanwhile."""
    list(Profile.objects.select_for_update(no_key=True).filter(pk=claim.profile_id).values_list("pk"))
    return ClaimReview.objects.filter(claim=claim.pk).first()


def _require_open(claim: Claim) -> None:
    current = with_state(Claim.objects.filter(pk=claim.pk)).first()
    reason = why_closed(current) if current else "The account was removed."
    if reason:
        raise ClaimUnavailable(CLOSED.format(reason=reason))


def _confirm(claim: Claim, answer: ConfirmedAnswer | None, by: Annotator) -> None:
    if answer is None:
        raise ValueError("To confirm a claim, give the answer.")
    PromptedAnswer.objects.create(
        profile_id=claim.profile_id, attribute=claim.attribute, value=answer.value, hardness=answer.hardness,
        certainty=answer.certainty, required_subreddit=answer.required_subreddit, prompted_by=claim.prompter,
        decided_by=by, evidence=[span.as_json() for span in answer.evidence],
    )  # fmt: skip
