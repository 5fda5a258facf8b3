"""Searches and their proposals, as pages and the terminal show them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.core.paginator import Page
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Lower

from annotator.core.formatting import plural
from annotator.core.jobs import ShownJob, show_job
from annotator.core.pages import page_of
from annotator.core.sort_order import Sorting
from evaluation.models import SubredditProposal, SubredditSearch
from evaluation.proposals.answers import Outcome
from evaluation.proposals.hints import hint_of, is_untouched
from profiles.hints.store import ATTRIBUTE_ORDER
from profiles.jobs.states import State
from profiles.models import AttributeHint, Corpus, Presence

PER_PAGE = 25
Decision = SubredditProposal.Decision


@dataclass(frozen=True, slots=True)
class Counts:
    proposed: int
    certain: int
    accepted: int
    rejected: int
    open: int
    open_certain: int


@dataclass(frozen=True, slots=True)
class SearchRow:
    pk: int
    attribute: str
    attribute_label: str
    value: str
    number: int
    examples: Sequence[str]
    endpoint_id: int
    endpoint: str
    model: str
    prompt: str
    who: str
    requested_at: datetime
    job: ShownJob
    counts: Counts
    can_ask_again: bool  # whether asking again can give anything else

    @property
    def title(self) -> str:
        return f"{self.attribute_label}: {self.value}"


@dataclass(frozen=True, slots=True)
class ShownExchange:
    """A question and its answer, with what was read in it."""

    title: str
    question: str
    answer: str
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Touched:
    """What one corpus holds of a subreddit."""

    corpus_id: int
    corpus: str
    profiles: int
    comments: int


@dataclass(frozen=True, slots=True)
class ProposalRow:
    pk: int
    number: int
    name: str
    reason: str
    is_certain: bool
    decision: str
    who: str
    decided_at: datetime | None
    hints: Sequence[AttributeHint]  # of the subreddit, now
    is_listed: bool  # with this very attribute and value
    touched: Sequence[Touched]
    can_undo: bool

    @property
    def is_open(self) -> bool:
        return self.decision == Decision.OPEN

    @property
    def is_accepted(self) -> bool:
        return self.decision == Decision.ACCEPTED

    @property
    def profiles(self) -> int:
        return sum(corpus.profiles for corpus in self.touched)

    @property
    def comments(self) -> int:
        return sum(corpus.comments for corpus in self.touched)


SEARCH_COLUMNS = {
    "value": "attribute value",
    "model": "endpoint__name -requested_at",
    "proposed": "-proposed -requested_at",
    "open": "-open -requested_at",
    "requested": "-requested_at",
}


def searches_page(sorting: Sorting, page_number: str = "1") -> "Page[SearchRow]":
    """2 queries."""
    return page_of(readable_searches().order_by(*sorting.order), page_number, search_row, size=PER_PAGE)


def readable_searches() -> QuerySet[SubredditSearch]:
    """With everything that `search_row` needs."""
    count = Count("proposals")
    is_open = Q(proposals__decision=Decision.OPEN)
    return SubredditSearch.objects.select_related("endpoint", "asked_by").annotate(
        proposed=count,
        certain=Count("proposals", filter=Q(proposals__is_certain=True)),
        accepted=Count("proposals", filter=Q(proposals__decision=Decision.ACCEPTED)),
        rejected=Count("proposals", filter=Q(proposals__decision=Decision.REJECTED)),
        open=Count("proposals", filter=is_open),
        open_certain=Count("proposals", filter=is_open & Q(proposals__is_certain=True)),
    )


def search_row(search: Any) -> SearchRow:
    """A row of `readable_searches`."""
    job = show_job(search, "questions", step="Asking the model")
    endpoint, who = search.endpoint, search.asked_by
    counts = Counts(*(getattr(search, name) for name in Counts.__slots__))
    return SearchRow(
        pk=search.pk, attribute=search.attribute, attribute_label=search.get_attribute_display(), value=search.value,
        number=search.wanted, examples=search.examples, endpoint_id=endpoint.pk, endpoint=endpoint.name,
        model=endpoint.model, prompt=search.prompt, who=who.display_name if who else "command line",
        requested_at=search.requested_at,
        job=replace(job, badge="" if job.state == State.FINISHED else job.badge, rate=""), counts=counts,
        can_ask_again=_can_ask_again(job.state, search.exchanges),
    )  # fmt: skip


def proposal_rows(search: SubredditSearch, proposal_id: int | None = None) -> list[ProposalRow]:
    """The proposals of a search in the model's order, or one of them. 3 queries."""
    proposals = search.proposals.select_related("decided_by", "hint").order_by("number")
    chosen = list(proposals if proposal_id is None else proposals.filter(pk=proposal_id))
    for proposal in chosen:
        proposal.search = search
    names = {proposal.name.lower() for proposal in chosen}
    hints, touched = _hints_by_name(names), _touched_by_name(names)
    return [_proposal_row(p, hints.get(p.name.lower(), []), touched.get(p.name.lower(), [])) for p in chosen]


def shown_exchanges(search: SubredditSearch) -> list[ShownExchange]:
    titles = ("First question", "Second question")
    return [
        ShownExchange(title, exchange["question"], exchange["answer"], list(_notes(exchange)))
        for title, exchange in zip(titles, search.exchanges, strict=False)
    ]


def _notes(exchange: Mapping[str, Any]) -> Iterator[str]:
    tokens = [exchange["prompt_tokens"], exchange["completion_tokens"]]
    if None not in tokens:
        yield f"{plural(tokens[0], 'input token')}, {plural(tokens[1], 'output token')}."
    yield f"{plural(exchange.get('names', 0), 'subreddit')} read."
    if invalid := exchange.get("invalid", 0):
        yield f"{plural(invalid, 'name')} left out: not valid as subreddit names."
    if new := exchange.get("new", 0):
        yield f"{plural(new, 'name')} left out: not in the first answer."
    if exchange["is_cut"]:
        yield "The answer was cut off at its maximum length."
    if not exchange["has_schema"]:
        yield "The endpoint doesn't support JSON schemas, so it was asked for plain lines."


def _proposal_row(
    proposal: SubredditProposal, hints: Sequence[AttributeHint], touched: Sequence[Touched]
) -> ProposalRow:
    row, who = hint_of(proposal), proposal.decided_by
    return ProposalRow(
        pk=proposal.pk, number=proposal.number, name=proposal.name, reason=proposal.reason,
        is_certain=proposal.is_certain, decision=proposal.decision, decided_at=proposal.decided_at,
        who=who.display_name if who else "command line", hints=hints, touched=touched,
        is_listed=any((hint.attribute, hint.value) == (row.attribute, row.value) for hint in hints),
        can_undo=proposal.decision != Decision.OPEN and _can_undo(proposal),
    )  # fmt: skip


def _can_undo(proposal: SubredditProposal) -> bool:
    return not proposal.hint_is_new or proposal.hint is None or is_untouched(proposal, proposal.hint)


def _can_ask_again(state: State, exchanges: Sequence[Mapping[str, Any]]) -> bool:
    """A kept answer that names nothing would come back unchanged, so only other words help."""
    if state not in (State.FAILED, State.CANCELLED, State.SILENT):
        return False
    return state != State.FAILED or not exchanges or exchanges[-1]["outcome"] == Outcome.LIST


def _hints_by_name(names: Iterable[str]) -> dict[str, list[AttributeHint]]:
    """The list's hints by lower-case name. 1 query."""
    hints = AttributeHint.objects.annotate(key=Lower("subreddit__name")).filter(key__in=names)
    by_name = defaultdict[str, list[AttributeHint]](list)
    for hint in hints.order_by("value", "pk"):
        by_name[hint.key].append(hint)
    return {name: sorted(group, key=lambda hint: ATTRIBUTE_ORDER[hint.attribute]) for name, group in by_name.items()}


def _touched_by_name(names: Iterable[str]) -> dict[str, list[Touched]]:
    """Profiles and comments of each corpus that can be read, by lower-case name. 1 query."""
    presences = Presence.objects.annotate(key=Lower("subreddit__name")).filter(
        key__in=names, profile__corpus__in=Corpus.objects.ready()
    )
    columns = ("key", "profile__corpus", "profile__corpus__name")
    rows = presences.order_by().values_list(*columns).annotate(profiles=Count("pk"), comments=Sum("comment_count"))
    by_name = defaultdict[str, list[Touched]](list)
    for name, *counts in rows.order_by("profile__corpus__name", "profile__corpus"):
        by_name[name].append(Touched(*counts))
    return by_name
