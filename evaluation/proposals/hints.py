"""The hint that a proposal stands for."""

from evaluation.models import SubredditProposal
from profiles.hints.rules import MAX_LENGTHS, HintRow, check_hint
from profiles.models import AttributeHint


def hint_of(proposal: SubredditProposal) -> HintRow:
    """The hint that accepting the proposal makes, with the model's reason."""
    search = proposal.search
    reason = _shorten(proposal.reason, MAX_LENGTHS["reason"])
    return check_hint(subreddit=proposal.name, attribute=search.attribute, value=search.value, reason=reason)


def is_untouched(proposal: SubredditProposal, hint: AttributeHint) -> bool:
    """Whether nobody has changed the hint since accepting the proposal made it."""
    row = hint_of(proposal)
    return (hint.attribute, hint.value, hint.reason) == (row.attribute, row.value, row.reason)


def _shorten(text: str, limit: int) -> str:
    """At most so many characters, ending with a whole word."""
    if len(text) <= limit:
        return text
    return f"{text[: limit - 1].rsplit(' ', 1)[0].rstrip(' ,;.')}…"
