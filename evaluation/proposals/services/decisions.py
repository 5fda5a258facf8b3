"""Accept and reject proposals. The first decision stands; it can be undone while nobody has changed its hint."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from annotator.corpora.services.hints import DuplicateHint, add_hint, remove_hint
from annotator.models import Annotator
from evaluation.models import SubredditProposal, SubredditSearch
from evaluation.proposals.hints import hint_of, is_untouched
from profiles.hints.rules import HintRow
from profiles.models import AttributeHint

Decision = SubredditProposal.Decision


class HintChanged(Exception):
    """Somebody has changed the hint since it was accepted, so undoing the decision would lose their work."""


@dataclass(frozen=True, slots=True)
class Result:
    """The proposal as it stands now, and whether this call changed it."""

    proposal: SubredditProposal
    is_changed: bool


def accept_proposal(proposal_id: int, *, by: Annotator | None = None, request: HttpRequest | None = None) -> Result:
    """Accept an open proposal; one that is decided already stays so. A hint that is in the list already is linked."""
    with transaction.atomic():
        proposal = _lock(proposal_id)
        if proposal.decision != Decision.OPEN:
            return Result(proposal, is_changed=False)
        row = hint_of(proposal)
        hint = _find_hint(row)
        proposal.hint_is_new = hint is None
        proposal.hint = hint or _add_hint(proposal, row, by=by, request=request)
        _decide(proposal, Decision.ACCEPTED, by)
    return Result(proposal, is_changed=True)


def reject_proposal(proposal_id: int, *, by: Annotator | None = None) -> Result:
    """Reject an open proposal; one that is decided already stays so."""
    with transaction.atomic():
        proposal = _lock(proposal_id)
        if proposal.decision != Decision.OPEN:
            return Result(proposal, is_changed=False)
        _decide(proposal, Decision.REJECTED, by)
    return Result(proposal, is_changed=True)


def accept_certain(search: SubredditSearch, *, by: Annotator | None = None, request: HttpRequest | None = None) -> int:
    """Accept all open proposals that the model kept, and return how many this call accepted."""
    certain = search.proposals.filter(decision=Decision.OPEN, is_certain=True).order_by("pk")
    ids = list(certain.values_list("pk", flat=True))
    return sum(accept_proposal(pk, by=by, request=request).is_changed for pk in ids)


def undo_decision(proposal_id: int, *, by: Annotator | None = None, request: HttpRequest | None = None) -> Result:
    """Open the proposal again. A hint that accepting it made is removed, unless another proposal relies on it.

    Raises HintChanged if somebody has changed that hint.
    """
    with transaction.atomic():
        proposal = _lock(proposal_id)
        if proposal.decision == Decision.OPEN:
            return Result(proposal, is_changed=False)
        # Locked, so that nobody links the hint while it is removed.
        hint = AttributeHint.objects.select_for_update().filter(pk=proposal.hint_id or 0).first()
        is_ours = proposal.hint_is_new and hint is not None
        if hint and is_ours and not is_untouched(proposal, hint):
            raise HintChanged
        proposal.hint, proposal.hint_is_new = None, False
        _decide(proposal, Decision.OPEN, None)
        if hint and is_ours and not _hand_on(hint):
            remove_hint(hint.pk, by=by, request=request)
    return Result(proposal, is_changed=True)


def _lock(proposal_id: int) -> SubredditProposal:
    proposals = SubredditProposal.objects.select_related("search", "decided_by")
    return proposals.select_for_update(no_key=True, of=("self",)).get(pk=proposal_id)


def _decide(proposal: SubredditProposal, decision: Decision, by: Annotator | None) -> None:
    proposal.decision, proposal.decided_by = decision, by
    proposal.decided_at = None if decision == Decision.OPEN else timezone.now()
    proposal.save(update_fields=["decision", "decided_by", "decided_at", "hint", "hint_is_new"])


def _add_hint(
    proposal: SubredditProposal, row: HintRow, *, by: Annotator | None, request: HttpRequest | None
) -> AttributeHint:
    """Add the hint, or link the one that somebody added meanwhile."""
    try:
        return add_hint(row, by=by, request=request)
    except DuplicateHint:
        proposal.hint_is_new = False
        return _hints(row).get()


def _find_hint(row: HintRow) -> AttributeHint | None:
    return _hints(row).select_for_update(no_key=True, of=("self",)).first()


def _hints(row: HintRow) -> QuerySet[AttributeHint]:
    return AttributeHint.objects.filter(
        subreddit__name__iexact=row.subreddit, attribute=row.attribute, value=row.value
    ).order_by("pk")


def _hand_on(hint: AttributeHint) -> bool:
    """Make the hint that of another accepted proposal that relies on it, if there is any."""
    other = SubredditProposal.objects.filter(hint=hint).order_by("pk").first()
    return bool(other and SubredditProposal.objects.filter(pk=other.pk).update(hint_is_new=True))
