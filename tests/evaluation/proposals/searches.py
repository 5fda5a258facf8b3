"""Searches and proposals for tests, and a model's part of the conversation."""

import json
from collections.abc import Sequence

from django.utils import timezone

from evaluation.models import ModelEndpoint, SubredditProposal, SubredditSearch
from evaluation.proposals.services.searches import create_search
from profiles.attributes import Attribute
from tests.evaluation.llm.rows import make_endpoint
from tests.evaluation.llm.server import Response, ok, reply

HTMX = {"HX-Request": "true"}
NAMES = ("london", "AskUK", "europe")


def as_json(*names: str) -> str:
    return json.dumps({"subreddits": [{"name": name, "reason": f"{name} it is"} for name in names]})


def conversation(first: str = as_json(*NAMES), second: str = as_json("London", "AskUK")):
    """A script for the server: the second question begins with “Go through”."""

    def answer(text: str, times: int) -> Response:
        return ok(reply(second if text.startswith("Go through") else first))

    return answer


def make_search(base_url: str = "http://127.0.0.1:9/v1", **fields) -> SubredditSearch:
    values = {"attribute": Attribute.LOCATION, "value": "London", "number": 3, "examples": ["uk"]} | fields
    if "endpoint" not in values:
        values["endpoint"] = ModelEndpoint.objects.first() or make_endpoint(base_url)
    return create_search(**values)


def make_proposals(
    *names: str, certain: Sequence[str] = ("london",), reason: str = "because", **fields
) -> list[SubredditProposal]:
    """The proposals of a finished search."""
    search, now = make_search(**fields), timezone.now()
    SubredditSearch.objects.filter(pk=search.pk).update(began_at=now, beat_at=now, finished_at=now, done=2, total=2)
    search.refresh_from_db()
    return SubredditProposal.objects.bulk_create(
        SubredditProposal(search=search, number=number, name=name, reason=reason, is_certain=name in certain)
        for number, name in enumerate(names or NAMES, start=1)
    )


def make_proposal(name: str = "london", **fields) -> SubredditProposal:
    (proposal,) = make_proposals(name, **fields)
    return proposal
