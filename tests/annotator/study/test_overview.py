"""The overview of the whole study, for the people who run it."""

import re
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from annotator.exchange.export.options import ExportOptions
from annotator.models import Assignment, Dispute, Export, Flag, Format, ImportUndo, LabelImport, Role, Sitting
from annotator.study.queries.overview import active_today, study_overview
from tests.annotator.corpora.dumps import make_imported_corpus, make_ingest
from tests.annotator.detection.runs import make_run
from tests.annotator.labelling.forms import sent
from tests.factories import make_annotator, make_assignment, make_batch, make_profile

pytestmark = pytest.mark.django_db


def page_of(client) -> str:
    response = client.get("/")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def skip(annotator, **fields) -> Assignment:
    defaults = {"skipped_at": timezone.now(), "skip_reason": "bot"}
    return make_assignment(annotator=annotator, **(defaults | fields))


def sit(annotator, *, ago: timedelta, batch=None) -> Sitting:
    assignment = make_assignment(annotator=annotator, batch=batch)
    return Sitting.objects.create(assignment=assignment, key=uuid.uuid4(), last_at=timezone.now() - ago)


def make_export(corpus, **fields) -> Export:
    """One that failed."""
    options = ExportOptions(format=Format.NATIVE).to_json()
    return Export.objects.create(
        corpus=corpus, format="native", options=options, problem="The disk is full.", **fields
    )  # fmt: skip


def make_trouble() -> None:
    """One of everything that somebody should look at."""
    person = make_annotator(is_active=False)
    skip(make_annotator())
    assignment = make_assignment(annotator=make_annotator())
    Flag.objects.create(assignment=assignment, remark="two people")
    make_assignment(annotator=person, claimed_at=None)
    Dispute.objects.create(profile=assignment.profile, attribute="age", kind="value", severity=3, judgement_count=2)
    make_run(problem="The model is not installed.")
    make_run(paused_at=timezone.now())
    make_ingest(make_imported_corpus(), stage="stopped")
    make_assignment(batch=make_batch(corpus=assignment.profile.corpus, due_at=timezone.now() - timedelta(days=1)))
    make_export(assignment.profile.corpus)
    LabelImport.objects.create(format="native", name="their labels.jsonl", problem="No line could be read.")
    undone = LabelImport.objects.create(format="native", name="more labels.jsonl", problem="No line could be read.")
    ImportUndo.objects.create(label_import=undone, problem="The disk is gone.")


TODOS = [
    "An import stopped",
    "Detection stopped",
    "Detection is paused",
    "An export failed",
    "An import of judgements failed",
    "An import was not undone completely",
    "Past due with 1 left",
    "(deactivated) has 1 open profile",
    "1 disagreement to decide",
    "1 skipped, not handled",
    "1 flagged, not handled",
]


# ── What it shows ───────────────────────────────────────────────────────────


def test_an_empty_study_shows_what_to_do_first(client, as_grace, rosalind):
    page = page_of(as_grace)
    assert 'href="/corpora/import/"' in page
    client.force_login(rosalind)
    assert 'href="/corpora/import/"' not in page_of(client)


def test_a_study_without_batches_offers_to_draw_one(as_grace):
    make_profile()
    page = page_of(as_grace)
    assert 'href="/batches/new/"' in page


def test_shows_profiles_batches_and_how_far_they_are(as_grace, grace, ada):
    batch = make_batch(due_at=timezone.now() + timedelta(days=3))
    make_assignment(batch=batch, annotator=ada, submitted_at=timezone.now())
    make_assignment(batch=batch)
    page = page_of(as_grace)
    assert f'<a href="/batches/{batch.pk}/progress/">{batch.name}</a>' in page
    assert "1 of 2" in page
    assert study_overview(grace).todos == []


def test_shows_all_that_needs_attention(as_grace):
    make_trouble()
    page = page_of(as_grace)
    assert [text for text in TODOS if text not in page] == []


@pytest.mark.parametrize("role", [Role.ADMIN, Role.RESEARCHER])
def test_every_link_leads_to_a_page_that_exists_for_the_reader(client, role):
    make_trouble()
    client.force_login(make_annotator(roles=[role]))
    main = page_of(client).split("<main")[1]
    links = set(re.findall(r'href="(/[^"#]*)', main))
    assert len(links) > 8
    assert {
        link: status for link in links if (status := client.get(link.replace("&amp;", "&")).status_code) != 200
    } == {}


def test_what_is_handled_is_no_longer_shown(grace, ada):
    now = timezone.now()
    skip(ada, handled_at=now)
    skip(ada, skip_reason="withdrawn")
    assignment = make_assignment(annotator=ada)
    Flag.objects.create(assignment=assignment, remark="two people", handled_at=now)
    make_run(finished_at=now)
    LabelImport.objects.create(format="native", name="old.jsonl", problem="x", requested_at=now - timedelta(days=8))
    make_assignment(annotator=make_annotator(is_active=False), batch=make_batch(closed_at=now))
    assert study_overview(grace).todos == []


# ── Who is at work ──────────────────────────────────────────────────────────


def test_shows_who_is_at_work_now_and_who_was_today(as_grace, ada):
    late = make_annotator("ben")
    sit(ada, ago=timedelta(minutes=20))
    sitting = sit(ada, ago=timedelta(minutes=1))
    sit(late, ago=timedelta(days=2))
    page = page_of(as_grace).split('id="people"')[1].split('id="exports"')[0]
    assert page.count("Ada") == 1
    assert sitting.assignment.batch.name in page
    assert ">now</span>" in page
    assert "Ben" not in page


def test_researchers_read_codes_and_no_names(client, rosalind, ada):
    sit(ada, ago=timedelta(minutes=1))
    gone = make_annotator("carl", is_active=False)
    make_assignment(annotator=gone, claimed_at=None)
    client.force_login(rosalind)
    main = page_of(client).split("<main")[1]
    assert ada.code in main
    assert gone.code in main
    assert "Ada" not in main
    assert "Carl" not in main


def test_researchers_do_not_see_exports_with_names(client, as_grace, rosalind):
    corpus = make_profile().corpus
    export = make_export(corpus, with_names=True, reason="to write to them")
    assert f"/exports/{export.pk}/" in page_of(as_grace)
    client.force_login(rosalind)
    assert f"/exports/{export.pk}/" not in page_of(client)


# ── Who may ─────────────────────────────────────────────────────────────────


def test_is_the_home_page_of_those_who_run_the_study(client, as_ada, rosalind):
    assert as_ada.get("/overview/").status_code == 404
    assert "study" not in as_ada.get("/").context
    client.force_login(rosalind)
    assert client.get("/").context["study"]
    assert client.get("/overview/").url == "/"
    assert client.post("/overview/").status_code == 405


def test_starts_with_what_needs_attention(client, grace):
    make_trouble()
    client.force_login(make_annotator(roles=list(Role)))
    sections = re.findall(r'<section [^>]*aria-labelledby="([\w-]+)"', page_of(client))
    assert sections[:2] == ["attention", "own-batches"]


@pytest.mark.parametrize("times", [1, 4])
def test_query_count_does_not_grow_with_the_study(as_grace, django_assert_num_queries, times):
    for _ in range(times):
        make_trouble()
        sit(make_annotator(), ago=timedelta(minutes=1))
    as_grace.get("/account/")
    with django_assert_num_queries(17):  # person, corpora, batches, 10 of attention, people, exports, gold, any batch
        page_of(as_grace)


@pytest.mark.parametrize("do", ["save", "submit"])
def test_work_without_scripts_counts_as_work_of_today(client, ada, grace, do):
    held = make_assignment(annotator=ada)
    client.force_login(ada)
    client.post(f"/assignments/{held.pk}/", sent("location", value="oslo", hardness=1, certainty=5) | {"do": do})
    (person,) = active_today(by_name=True)
    assert (person.name, person.batch, person.is_present) == (ada.display_name, held.batch_id, True)
