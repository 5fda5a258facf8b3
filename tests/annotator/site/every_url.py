"""Every URL of the resolver with real rows behind it, as every role, and the parameters that its view reads."""

import os
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

from django.db import transaction
from django.http import HttpResponse, QueryDict
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.regex_helper import normalize

from annotator.accounts.services.invitations import create_invitation
from annotator.exchange.export.options import ExportOptions
from annotator.guidelines.services import first_guidelines
from annotator.models import (
    Annotator,
    Export,
    Flag,
    GuidelineVersion,
    Invitation,
    Role,
    SameMeaning,
    SkipReason,
)
from profiles.models import AttributeHint
from tests.annotator.batches.drafts import draft as draft_of
from tests.annotator.corpora.dumps import make_dump_file
from tests.annotator.detection.runs import detected_run
from tests.annotator.gold.disputes import built
from tests.evaluation.llm.rows import make_endpoint
from tests.evaluation.runs.records import make_reported_run
from tests.factories import make_annotator, make_assignment, make_batch, make_profile, make_subreddit

DRAFT_ONLY = ("edit/", "start/", "discard/")
TRIED = 8 if "TELLTALE_TEST_QUICK" in os.environ else 3  # of so many paths, one is tried in a run


@dataclass(frozen=True)
class Route:
    """A URL with `%(name)s` for its parts."""

    template: str
    parts: tuple[str, ...]

    def path(self, values: dict[str, Any]) -> str:
        return "/" + self.template % {part: values.get(part, "1") for part in self.parts}


@dataclass
class Site:
    """A small study in which every kind of row exists, and a client for each role."""

    rows: dict[str, Any]
    draft: dict[str, Any]
    skipped: dict[str, Any]
    clients: dict[str, Client]
    routes: list[Route] = field(default_factory=lambda: list(_routes(get_resolver().url_patterns)))

    def paths(self, **changed: Any) -> list[str]:
        """One path for each route, with these values for the parts of its path."""
        return [route.path(self._values(route) | changed) for route in self.routes]

    def _values(self, route: Route) -> dict[str, Any]:
        if route.template.endswith(DRAFT_ONLY):
            return self.rows | self.draft
        return self.rows | self.skipped if "/skipped/" in route.template else self.rows


def make_site() -> Site:
    ada, grace = make_annotator("ada"), make_annotator("grace", roles=[Role.ADMIN])
    rosalind = make_annotator("rosalind", roles=[Role.RESEARCHER])
    GuidelineVersion.objects.create(number=1, text=first_guidelines())
    run = detected_run("I moved to Houston last week", "so humid here", finished_at=timezone.now())
    profile = run.corpus.profiles.get()
    batch = make_batch(corpus=run.corpus, recipe=run.recipe)
    held = make_assignment(annotator=ada, profile=profile, batch=batch)
    skipped = _skipped(ada, batch)
    make_assignment(batch=batch, profile=make_profile(corpus=run.corpus))
    judged = built("27", "29")
    draft = draft_of(run.corpus, overlap=1, size=1)
    rows = {
        "corpus_id": run.corpus_id, "run_id": run.pk, "profile_id": judged.pk, "batch_id": batch.pk,
        "assignment_id": held.pk, "comment_id": profile.comments.first().pk, "number": 1, "attribute": "age",
        "file_id": make_dump_file(run.corpus).pk, "hint_id": _hint().pk, "person_id": ada.pk, "upload": "abc",
        "invitation_id": _invitation().pk, "token": "1:abc:def", "flag_id": _flag(held).pk, "meaning_id": _meaning().pk,
        "export_id": _export(run.corpus, grace).pk, "app_label": "annotator", "object_id": held.pk, "key": "abc",
        "uidb36": "1", "evaluation_id": make_reported_run(asked_by=grace).pk,
        "endpoint_id": make_endpoint("http://127.0.0.1:9/v1").pk,
    }  # fmt: skip
    people = {"evaluator": ada, "admin": grace, "researcher": rosalind}
    clients = {"nobody": _client(None)} | {role: _client(person) for role, person in people.items()}
    return Site(rows, {"batch_id": draft.pk}, {"assignment_id": skipped.pk}, clients)


def some_paths(site: Site, parts: int = TRIED, **changed: Any) -> list[str]:
    """A part of all paths: a third, and less in plain `bin/test`. Each run tries others."""
    paths = site.paths(**changed)
    return random.sample(paths, len(paths) // parts)


def role_for(path: str) -> str:
    """Somebody who may open it."""
    return "evaluator" if path.startswith("/assignments/") else "admin"


def learn_names(site: Site, path: str) -> set[str]:
    """The parameters that the views of a path read."""
    role = role_for(path)
    with recorded_names() as names:
        for asking in (role, "nobody") if path.startswith("/account/") else (role,):
            send(site.clients[asking], "get", path)
            send(site.clients[asking], "post", path)
    return names - {""}


@contextmanager
def recorded_names() -> Iterator[set[str]]:
    """The names of all parameters that the code asks a request for."""
    names: set[str] = set()

    def record(method: str) -> Any:
        original = getattr(MultiValueDict, method)

        def wrapper(self: Any, key: Any, *args: Any, **kwargs: Any) -> Any:
            if isinstance(self, QueryDict):
                names.add(key)
            return original(self, key, *args, **kwargs)

        return mock.patch.object(MultiValueDict, method, wrapper)

    def contains(self: Any, key: Any) -> bool:
        names.add(key)
        return key in dict.keys(self)

    with record("__getitem__"), record("getlist"), mock.patch.object(QueryDict, "__contains__", contains, create=True):
        yield names


def send(client: Client, method: str, path: str, **options: Any) -> HttpResponse:
    """Send a request and undo what it wrote."""
    cookies = client.cookies.copy()
    with transaction.atomic():
        response = getattr(client, method)(path, **options)
        if response.streaming:
            b"".join(response.streaming_content)  # a generator may read the database
        transaction.set_rollback(True)
    client.cookies = cookies
    return response


def _routes(patterns: list[Any], before: str = "", parts: tuple[str, ...] = ()) -> Iterator[Route]:
    for pattern in patterns:
        template, names = _template(pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, before + template, parts + names)
        else:
            yield Route(before + template, parts + names)


def _template(pattern: URLPattern | URLResolver) -> tuple[str, tuple[str, ...]]:
    text = str(pattern.pattern)
    if hasattr(pattern.pattern, "_route"):
        names = re.findall(r"<(?:\w+:)?(\w+)>", text)
        return re.sub(r"<(?:\w+:)?(\w+)>", r"%(\1)s", text), tuple(names)
    template, names = normalize(text)[0]
    return template, tuple(names)


def _client(person: Annotator | None) -> Client:
    client = Client(raise_request_exception=False)
    if person:
        client.force_login(person)
    return client


def _skipped(ada: Annotator, batch: Any) -> Any:
    return make_assignment(
        annotator=ada, batch=batch, profile=make_profile(corpus=batch.corpus), skipped_at=timezone.now(),
        skip_reason=SkipReason.BOT,
    )  # fmt: skip


def _hint() -> AttributeHint:
    return AttributeHint.objects.create(subreddit=make_subreddit("houston"), attribute="location", value="houston")


def _invitation() -> Invitation:
    return create_invitation(roles=["evaluator"], email="", base_url="http://testserver")


def _flag(assignment: Any) -> Flag:
    return Flag.objects.create(assignment=assignment, remark="look at this")


def _meaning() -> SameMeaning:
    return SameMeaning.objects.create(attribute="occupation", one="doctor", other="physician", is_same=True)


def _export(corpus: Any, by: Annotator) -> Export:
    return Export.objects.create(corpus=corpus, format="native", asked_by=by, options=ExportOptions().to_json())
