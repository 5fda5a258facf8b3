"""The command: asks, prints a table, accepts if told to."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.models import SubredditSearch
from profiles.models import AttributeHint
from tests.evaluation.llm.rows import make_endpoint
from tests.evaluation.llm.server import serving
from tests.evaluation.proposals.searches import conversation
from tests.factories import make_profile

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def server():
    with serving() as server:
        yield server


def propose(*more, attribute="location", value="London", endpoint="small MODEL"):
    out = StringIO()
    call_command(
        "propose_subreddits", "--attribute", attribute, "--value", value, "--endpoint", endpoint, *more, stdout=out
    )
    return out.getvalue()


def test_prints_a_table_and_where_to_decide(server):
    server.script = conversation()
    make_endpoint(server.url)
    make_profile("a", "b", subreddit="London")
    lines = propose("--number", "3", "--example", "uk", "--example", "r/Leeds").splitlines()
    search = SubredditSearch.objects.get()
    assert (search.wanted, search.examples, search.asked_by) == (3, ["uk", "Leeds"], None)
    assert lines[1].split() == ["r/london", "yes", "no", "open", "2", "1", "london", "it", "is"]
    assert lines[3].split()[:2] == ["r/europe", "no"]
    assert f"/subreddits/searches/{search.pk}/" in lines[-1]
    assert not AttributeHint.objects.exists()


def test_accepts_what_is_certain_if_told_to(server):
    server.script = conversation()
    make_endpoint(server.url)
    text = propose("--accept-certain")
    assert "2 subreddits accepted." in text
    assert AttributeHint.objects.count() == 2
    assert SubredditSearch.objects.get().proposals.filter(decision="accepted", decided_by=None).count() == 2


def test_a_search_that_stops_is_an_error(server):
    server.script = lambda text, times: (401, {}, b"")
    make_endpoint(server.url)
    with pytest.raises(CommandError, match="rejects the key"):
        propose()


@pytest.mark.parametrize(
    ("more", "options", "words"),
    [
        ((), {"endpoint": "other"}, "There are: Small model"),
        ((), {"attribute": "sex", "value": "men"}, "male, female"),
        ((), {"value": " "}, "--value"),
        (("--number", "0"), {}, "1 to 100"),
        (("--example", "no-name"), {}, "no-name"),
    ],
)
def test_refuses_before_anything_is_asked(more, options, words):
    make_endpoint()
    with pytest.raises(CommandError, match=words):
        propose(*more, **options)
    assert not SubredditSearch.objects.exists()
