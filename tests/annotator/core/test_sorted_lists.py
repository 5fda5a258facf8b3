"""Every list with columns to sort by: the heads lead to the same list in that order, both ways."""

import re
from html import unescape

import pytest
from django.utils import timezone

from annotator.core.pages import PAGE_SIZE
from annotator.labelling.services import skip_assignment
from annotator.models import Dispute, Flag, GoldRecord, LabelImport, Reached, SameMeaning
from evaluation.models import EvaluationRun
from profiles.models import AttributeHint, Corpus
from tests.annotator.comments.marks import make_run
from tests.annotator.corpora.dumps import make_dump_file
from tests.factories import (
    make_annotator,
    make_assignment,
    make_batch,
    make_corpus,
    make_judgement,
    make_profile,
    make_subreddit,
)

pytestmark = pytest.mark.django_db
HEAD = re.compile(r'<th scope="col"[^>]*><a href="(\?[^"]*sort=[^"]*)">')


@pytest.fixture
def addresses() -> dict[str, int]:
    """Lists with at least one row each, and how many columns sort them."""
    corpus = make_assignment().profile.corpus
    AttributeHint.objects.create(subreddit=make_subreddit("Boston"), attribute="location", value="boston")
    EvaluationRun.objects.create(kind="probe", name="x", system="x")
    GoldRecord.objects.create(profile=make_profile(), attribute="age", reached="single", rule="consensus/1")
    decided = {"reached": Reached.ADJUDICATED, "rule": "person", "decided_by": make_annotator()}
    GoldRecord.objects.create(profile=make_profile(), attribute="age", **decided)
    make_dump_file(corpus, state="loaded")
    make_run(corpus)
    SameMeaning.objects.create(attribute="location", one="new york", other="nyc", is_same=True)
    gold = GoldRecord.objects.get(reached="single").profile.corpus_id
    Dispute.objects.create(profile=make_profile(), attribute="age", kind="value", severity=3, judgement_count=2)
    batch = make_assignment(annotator=make_annotator()).batch
    return {
        "/adjudication/": 6, f"/batches/{batch.pk}/progress/": 11, "/people/": 5,
        "/corpora/": 4, f"/corpora/{corpus.pk}/detection/": 5, "/evaluations/endpoints/": 3, "/audit/": 4,
        "/adjudication/decisions/": 5, "/adjudication/meanings/": 5, "/subreddits/searches/": 5, "/privacy/": 3,
        "/batches/": 6, "/exports/": 5, "/evaluations/": 2, "/subreddits/": 1,
        f"/gold/{gold}/records/": 5, f"/corpora/{corpus.pk}/provenance/": 4,
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
    assert [row.batch for row in as_grace.get("/batches/").context["page"]] == [draft, started]
    assert [row.batch for row in as_grace.get("/batches/?sort=-state").context["page"]] == [started, draft]
    assert as_grace.get("/batches/?sort=due").status_code == 200


@pytest.mark.parametrize("sort", ["password", "-pk", "name;drop", "\x00", "name&sort=state"])
def test_anything_else_means_the_usual_order(as_grace, sort):
    assert as_grace.get("/people/", {"sort": sort}).context["sorting"].column == "state"


@pytest.mark.parametrize("report", ["flags", "skips", "notes"])
def test_an_evaluator_sorts_their_own_reports(as_ada, ada, report):
    done = make_assignment(annotator=ada, submitted_at=timezone.now())
    make_judgement(done, note="A guess")
    Flag.objects.create(assignment=done, remark="Look")
    skip_assignment(make_assignment(annotator=ada), "bot")
    links = HEAD.findall(as_ada.get(f"/my-work/{report}/").content.decode())
    assert len(links) >= 4
    assert all(as_ada.get(f"/my-work/{report}/{unescape(link)}").status_code == 200 for link in links)


def test_archived_corpora_come_after_all_others_in_every_order(as_grace):
    for name, archived_at in (("a", timezone.now()), ("b", None), ("c", None)):
        Corpus.objects.filter(pk=make_corpus(name).pk).update(archived_at=archived_at)
    assert [row.name for row in as_grace.get("/corpora/?sort=name").context["page"]] == ["b", "c", "a"]
    assert [row.name for row in as_grace.get("/corpora/?sort=-name").context["page"]] == ["c", "b", "a"]


def test_a_corpus_that_is_being_imported_counts_as_the_newest(as_grace):
    ready, growing = make_corpus("ready"), make_corpus("growing", ready=False)
    growing.ingests.create(paths=[])
    assert [row.pk for row in as_grace.get("/corpora/").context["page"]] == [growing.pk, ready.pk]


def test_batches_and_corpora_are_paged(as_grace):
    for _ in range(PAGE_SIZE + 1):
        make_batch()
    for address in ("/batches/", "/corpora/"):
        assert len(as_grace.get(address, {"page": "2"}).context["page"]) == 1
        assert "sort=name" in as_grace.get(address, {"sort": "name"}).content.decode().split('rel="next"')[0][-80:]


def test_imports_are_cards_and_sort_all_the_same(as_grace, grace):
    for name in ("b.jsonl", "a.jsonl"):
        LabelImport.objects.create(name=name, corpus_name="x", format="native", asked_by=grace)
    page = as_grace.get("/imports/labels/?sort=name")
    assert [row.name for row in page.context["page"]] == ["a.jsonl", "b.jsonl"]
    assert 'aria-current="true">file</a>' in page.content.decode()
