"""Request a search, repeat, cancel and delete it."""

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry
from evaluation.models import ModelEndpoint, SubredditSearch
from evaluation.proposals import tasks
from evaluation.proposals.prompts import load_prompts
from profiles.attributes import Attribute
from profiles.jobs.claims import cancel
from profiles.jobs.states import State, state_of

REPEATABLE = (State.FAILED, State.CANCELLED, State.SILENT)
STILL_RUNNING = "The search is still running. Cancel it first, then delete it."


class SearchRefused(Exception):
    """The search can't be deleted now. The message says why."""


def create_search(
    *, attribute: Attribute, value: str, number: int, examples: Sequence[str], endpoint: ModelEndpoint,
    by: Annotator | None = None,
) -> SubredditSearch:  # fmt: skip
    prompts = load_prompts()
    return SubredditSearch.objects.create(
        attribute=attribute, value=value, wanted=number, examples=list(examples), endpoint=endpoint, asked_by=by,
        prompt=f"{prompts.name}@{prompts.digest[:12]}",
    )  # fmt: skip


def request_search(
    *, attribute: Attribute, value: str, number: int, examples: Sequence[str], endpoint: ModelEndpoint, by: Annotator
) -> SubredditSearch:
    """Create the search, and queue it for a worker once it is committed."""
    with transaction.atomic():
        search = create_search(
            attribute=attribute, value=value, number=number, examples=examples, endpoint=endpoint, by=by
        )
        _queue(search)
    return search


def ask_again(search: SubredditSearch) -> bool:
    """Let a search that stopped wait for a worker again, and return whether it had stopped.

    Answers are kept, so only what is missing is asked.
    """
    with transaction.atomic():
        locked = SubredditSearch.objects.select_for_update(no_key=True, of=("self",)).get(pk=search.pk)
        if state_of(locked) not in REPEATABLE:
            return False
        fresh = {"requested_at": timezone.now(), "began_at": None, "finished_at": None, "cancelled_at": None}
        SubredditSearch.objects.filter(pk=search.pk).update(**fresh, problem="", done=0)
        _queue(search)
    return True


def cancel_search(search: SubredditSearch) -> bool:
    """Cancel the search, and return whether that changed anything. Its worker notices at the next heartbeat."""
    return cancel(search)


def delete_search(search: SubredditSearch, *, by: Annotator, request: HttpRequest | None = None) -> None:
    """Delete the search with its proposals; accepted hints and stored answers stay. Raises SearchRefused."""
    with transaction.atomic():
        locked = SubredditSearch.objects.select_for_update(of=("self",)).get(pk=search.pk)
        if state_of(locked).is_live:
            raise SearchRefused(STILL_RUNNING)
        record(
            AuditEntry.Action.SEARCH_DELETED, request=request, actor=by, search=search.pk,
            attribute=search.attribute, value=search.value,
        )  # fmt: skip
        locked.delete()


def _queue(search: SubredditSearch) -> None:
    transaction.on_commit(partial(tasks.search_subreddits.delay, search.pk), robust=True)
