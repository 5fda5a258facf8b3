"""Every list with columns to sort by: the heads lead to the same list in that order, both ways."""

import re
from html import unescape

import pytest

from annotator.models import Dispute, GoldRecord
from evaluation.models import EvaluationRun
from profiles.models import AttributeHint
from tests.annotator.corpora.dumps import make_dump_file
from tests.factories import make_annotator, make_assignment, make_batch, make_profile, make_subreddit

pytestmark = pytest.mark.django_db
HEAD = re.compile(r'<th scope="col"[^>]*><a href="(\?[^"]*sort=[^"]*)">')


@pytest.fixture
def addresses() -> dict[str, int]:
    """Lists with at least one row each, and how many columns sort them."""
    corpus = make_assignment().profile.corpus
    AttributeHint.objects.create(subreddit=make_subreddit("Boston"), attribute="location", value="boston")
    EvaluationRun.objects.create(kind="probe", name="x", system="x")
    GoldRecord.objects.create(profile=make_profile(), attribute="age", reached="single", rule="consensus/1")
    make_dump_file(corpus, state="loaded")
    gold = GoldRecord.objects.get().profile.corpus_id
    Dispute.objects.create(profile=make_profile(), attribute="age", kind="value", severity=3, judgement_count=2)
    batch = make_assignment(annotator=make_annotator()).batch
    return {
        "/adjudication/": 6, f"/batches/{batch.pk}/progress/": 11, "/people/": 5,
        "/batches/": 5, "/exports/": 5, "/evaluations/": 2, "/subreddits/": 1,
        f"/gold/{gold}/records/": 5, f"/corpora/{corpus.pk}/making/": 4,
    }  # fmt: skip


def test_every_head_leads_to_the_list_in_its_order(as_grace, addresses):
    for address, columns in addresses.items():
        links = HEAD.findall(as_grace.get(address, {"page": "1"}).content.decode())
        assert len(links) == columns, address
        for link in links:
            response = as_grace.get(address + unescape(link))
            page = response.content.decode()
            assert response.status_code == 200
            assert page.count("aria-sort=") == 1
            assert "page=" not in link


def test_people_by_name_both_ways_whatever_the_case(as_grace, grace):
    ada, ben = make_annotator("a1", display_name="ada"), make_annotator("b1", display_name="Ben")
    names = [row.pk for row in as_grace.get("/people/?sort=name").context["page"]]
    assert names.index(ada.pk) < names.index(ben.pk)
    assert [row.pk for row in as_grace.get("/people/?sort=-name").context["page"]] == names[::-1]


def test_batches_start_with_drafts_and_those_without_a_due_date_come_last(as_grace):
    started, draft = make_batch(), make_batch(started_at=None)
    assert [row.batch for row in as_grace.get("/batches/").context["rows"]] == [draft, started]
    assert [row.batch for row in as_grace.get("/batches/?sort=-state").context["rows"]] == [started, draft]
    assert as_grace.get("/batches/?sort=due").status_code == 200


@pytest.mark.parametrize("sort", ["password", "-pk", "name;drop", "\x00", "name&sort=state"])
def test_anything_else_means_the_usual_order(as_grace, sort):
    assert as_grace.get("/people/", {"sort": sort}).context["sorting"].column == "state"
