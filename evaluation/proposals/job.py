"""Do a search in a worker: ask for subreddits, ask which of them are certain, and store the proposals."""

from contextlib import suppress
from typing import Any

import structlog
from django.db import transaction

from evaluation.llm.attempts import AttemptStore
from evaluation.llm.client import ModelClient
from evaluation.llm.endpoints import EndpointRefused
from evaluation.llm.pace import FIRST_WAIT
from evaluation.llm.stored_endpoints import endpoint_of, prices_of
from evaluation.models import SubredditProposal, SubredditSearch
from evaluation.proposals.answers import Answer, Outcome, read_answer
from evaluation.proposals.conversation import Conversation, Exchange, NoAnswer
from evaluation.proposals.prompts import load_prompts
from profiles.jobs.claims import JobLost, NotFree, beat, fail, finish
from profiles.jobs.heartbeat import Heartbeat, work_on

log = structlog.get_logger(__name__)

MAX_TOKENS = 30_000  # of a search, both questions together
QUESTIONS = 2
BROKE = (
    "Something went wrong on the server, and the search stopped. Answers are kept. Ask again. The log has the details."
)
REFUSED = "The model declined to answer. Rephrase the request, or use another endpoint."
NOTHING = "The model named no subreddits. Rephrase the request, add examples, or use another endpoint."


def run(search_id: int) -> None:
    """Do the search once, however often it is requested."""
    search = SubredditSearch.objects.select_related("endpoint", "asked_by").get(pk=search_id)
    with suppress(NotFree, JobLost), work_on(search, broke=BROKE, total=QUESTIONS, exchanges=[]) as heartbeat:
        try:
            _search(search, heartbeat)
        except (NoAnswer, EndpointRefused) as refusal:
            log.warning("subreddit search stopped", search=search.pk)
            exchange = refusal.exchange if isinstance(refusal, NoAnswer) else None
            kept = [exchange.as_row(exchange.answer.problem)] if exchange else []
            fail(search, str(refusal), exchanges=search.exchanges + kept)


def max_tokens(number: int) -> int:
    """Of an answer with so many subreddits. Many endpoints refuse to write more than 4,000."""
    return min(300 + 60 * number, 4000)


def _search(search: SubredditSearch, heartbeat: Heartbeat[SubredditSearch]) -> None:
    prompts = load_prompts(search.prompt.partition("@")[0])
    conversation = _conversation(search, heartbeat, prompts.system)
    question = prompts.first(search.attribute, search.value, number=search.wanted, examples=search.examples)
    answer = _ask_first(search, conversation.ask(question))
    heartbeat.tell(1, QUESTIONS)
    exchange = conversation.ask(prompts.second(search.attribute, search.value))
    second = read_answer(exchange.answer.text, only_kept=True)
    _store(search, answer, second, exchange)


def _conversation(search: SubredditSearch, heartbeat: Heartbeat[SubredditSearch], system: str) -> Conversation:
    endpoint = endpoint_of(search.endpoint)
    return Conversation(
        client=ModelClient(endpoint, asked_by=search.asked_by, first_wait=FIRST_WAIT),
        attempts=AttemptStore(endpoint.base_url, endpoint.model, run=f"subreddits:{search.pk}"),
        max_spending=MAX_TOKENS, prices=prices_of(search.endpoint),
        check=heartbeat.check, system=system, max_tokens=max_tokens(search.wanted),
    )  # fmt: skip


def _ask_first(search: SubredditSearch, exchange: Exchange) -> Answer:
    """Read and keep the first answer. Raises NoAnswer if it names nothing: a second question would make no sense."""
    answer = read_answer(exchange.answer.text)
    row = exchange.as_row(answer.outcome, names=len(answer.subreddits), invalid=answer.invalid)
    beat(search, exchanges=[row], done=1)
    if answer.outcome != Outcome.LIST:
        raise NoAnswer(REFUSED if answer.outcome == Outcome.REFUSAL else NOTHING)
    return answer


def _store(search: SubredditSearch, first: Answer, second: Answer, exchange: Exchange) -> None:
    """Store proposals and the end of the search at once, so that nobody sees half. New names don't count any more."""
    kept, new = second.names & first.names, second.names - first.names
    row: dict[str, Any] = exchange.as_row(second.outcome, names=len(kept), new=len(new), invalid=second.invalid)
    proposals = [
        SubredditProposal(
            search=search, number=number, name=candidate.name, reason=candidate.reason,
            is_certain=candidate.name.lower() in kept,
        )
        for number, candidate in enumerate(first.subreddits, start=1)
    ]  # fmt: skip
    with transaction.atomic():
        finish(search, exchanges=[*search.exchanges, row], done=QUESTIONS)
        SubredditProposal.objects.bulk_create(proposals)
