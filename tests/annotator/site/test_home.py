"""The home page: each role finds what it came for."""

import re

import pytest

from tests.annotator.corpora.dumps import make_imported_corpus, make_ingest
from tests.factories import make_annotator, make_assignment, make_batch, make_corpus, make_profile

pytestmark = pytest.mark.django_db


def test_asks_strangers_to_sign_in(client):
    response = client.get("/")
    assert response.status_code == 302
    assert response.url == "/account/login/?next=/"


def test_shows_evaluators_their_batches_and_not_others(client, as_ada, ada):
    mine = make_assignment(annotator=ada)
    theirs = make_assignment(annotator=make_annotator())
    page = as_ada.get("/").content.decode()
    assert mine.batch.name in page
    assert theirs.batch.name not in page
    assert "Corpora" not in page


def test_counts_only_ones_own_slots(as_ada, ada):
    batch = make_batch()
    make_assignment(annotator=ada, batch=batch)
    make_assignment(annotator=make_annotator(), batch=batch)
    assert "0 of 1" in as_ada.get("/").content.decode()


def test_leads_an_evaluator_on_with_the_batch(as_ada, ada):
    held = make_assignment(annotator=ada)
    page = as_ada.get("/").content.decode()
    assert f'action="/batches/{held.batch_id}/continue/"' in page
    assert "Continue" in page


def test_offers_an_evaluator_what_is_for_anybody(as_ada):
    pool = make_assignment().batch
    assert f'action="/batches/{pool.pk}/continue/"' in as_ada.get("/").content.decode()


def test_offers_nothing_that_is_meant_for_others(as_ada):
    theirs = make_assignment(annotator=make_annotator()).batch
    assert theirs.name not in as_ada.get("/").content.decode()


def test_shows_admins_the_corpora_and_every_open_batch(as_grace):
    assignment = make_assignment(annotator=make_annotator())
    page = as_grace.get("/").content.decode()
    assert assignment.profile.corpus.name in page
    assert assignment.batch.name in page


def test_hides_a_corpus_that_is_still_loading(as_grace):
    make_corpus("half loaded", ready=False)
    assert "half loaded" not in as_grace.get("/").content.decode()


def test_shows_a_corpus_that_is_being_made(as_grace):
    make_ingest(make_imported_corpus("pilot", ready=False))
    assert ">being created</span>" in as_grace.get("/").content.decode()


def test_tells_somebody_without_a_role_what_to_do(client):
    client.force_login(make_annotator(roles=[]))
    assert "Ask an admin" in client.get("/").content.decode()


def test_says_what_to_expect_when_nothing_is_waiting(as_ada):
    assert "Nothing is waiting for you" in as_ada.get("/").content.decode()


def test_the_menu_has_one_entry_for_the_study_and_none_for_the_style_guide(as_grace):
    targets = re.findall(r'<a href="([^"]*)"', as_grace.get("/").content.decode().split("<main")[0])
    assert targets.count("/") == 1
    assert not {"/overview/", "/styleguide/"} & set(targets)


@pytest.mark.parametrize("batches", [1, 12])
def test_query_count_does_not_grow_with_batches(client, django_assert_num_queries, batches):
    person = make_annotator()
    client.force_login(person)
    profile = make_profile()
    for _ in range(batches):
        make_assignment(annotator=person, profile=profile)
    client.get("/")
    with django_assert_num_queries(3):  # person, own batches, own progress; the session is in the cache
        client.get("/")
