"""The admins' pages about batches: the list, the draw with its preview, and the setup page."""

import html

import pytest
from django.core.exceptions import NON_FIELD_ERRORS
from django.utils import timezone

from annotator.batches.claims import claim_next
from annotator.batches.drawing.candidates import DETECTION_UNFINISHED, NOTHING_IS_THIN
from annotator.batches.lifecycle import OpenWork, close, pause
from annotator.labelling.services import skip_assignment
from annotator.models import Batch
from tests.annotator.batches.drafts import draft, make_corpus_of, make_guideline, running
from tests.annotator.quality.practice_batches import make_known, make_practice_of
from tests.factories import make_annotator, make_corpus

pytestmark = pytest.mark.django_db
CHANGES = ["start", "pause", "resume", "close", "reopen", "extend", "rename", "reassign", "take-back", "discard"]


@pytest.fixture
def bob(db):
    return make_annotator("bob")


def plan_data(corpus, **fields) -> dict[str, object]:
    return {"name": "Round", "corpus": corpus.pk, "guideline": make_guideline().pk, "size": 2, "seed": 1,
            "overlap": 1, "hints_shown": "on"} | fields  # fmt: skip


def text(response, status: int = 200) -> str:
    assert response.status_code == status, response.content.decode()
    return response.content.decode()


def post(client, batch, change, **fields):
    batch.refresh_from_db()
    return client.post(f"/batches/{batch.pk}/{change}/", {"version": batch.version} | fields, follow=True)


def state_after(client, batch, change, **fields) -> str:
    return post(client, batch, change, **fields).context["setup"].state.label


# ── The list ────────────────────────────────────────────────────────────────


def test_lists_every_batch_with_its_state(as_grace, ada):
    corpus = make_corpus_of(2)
    for name in ("Draft one", "Running one", "Paused one", "Closed one"):
        (draft if name == "Draft one" else running)(corpus, ada, name=name)
    pause(Batch.objects.get(name="Paused one"))
    close(Batch.objects.get(name="Closed one"))
    Batch.objects.filter(name="Running one").update(due_at=timezone.now())
    page = text(as_grace.get("/batches/"))
    assert all(f">{state}</span>" in page for state in ("draft", "open", "paused", "closed", "late"))
    assert page.index("Draft one") < page.index("Running one") < page.index("Closed one")


def test_an_empty_list_says_what_to_do(as_grace):
    assert "No batch yet" in text(as_grace.get("/batches/"))


@pytest.mark.parametrize("count", [1, 5])
def test_the_list_takes_as_many_queries_for_many_batches(as_grace, ada, django_assert_num_queries, count):
    corpus = make_corpus_of(3)
    for number in range(count):
        running(corpus, ada, name=f"b{number}", seed=number)
    as_grace.get("/account/")
    with django_assert_num_queries(3):  # person, count, batches
        as_grace.get("/batches/")


# ── Drawing ─────────────────────────────────────────────────────────────────


def test_draws_a_draft_and_shows_its_recipe(as_grace, ada, bob):
    corpus = make_corpus_of(5)
    quota = {f"person_{ada.pk}": "on", f"quota_{ada.pk}": 1, f"person_{bob.pk}": "on"}
    fields = {"size": 4, "at_least": 1, "subreddits": "r/AskReddit, houston", "due_on": "2030-01-31"} | quota
    page = text(as_grace.post("/batches/new/", plan_data(corpus, **fields), follow=True))
    batch = Batch.objects.get()
    assert batch.started_at is None
    assert sorted(batch.assignments.values_list("annotator", flat=True)).count(ada.pk) == 1
    assert "4 profiles with seed 1, out of 5 that matched" in page
    assert "at least 1 comments; wrote in r/askreddit or r/houston" in page
    assert "2030-01-31" in page


def test_shows_how_many_fit_before_anything_is_made(as_grace, ada):
    corpus = make_corpus_of(5)
    page = text(as_grace.post("/batches/new/", plan_data(corpus, name="", wanted="preview")))
    assert '<strong class="number">5</strong>' in page
    assert "First 2 profiles of the draw" in page
    assert not Batch.objects.exists()


def test_the_preview_follows_what_is_typed(as_grace, ada):
    corpus = make_corpus_of(3)
    fragment = text(as_grace.get("/batches/new/preview/", plan_data(corpus), headers={"HX-Request": "true"}))
    assert '<strong class="number">3</strong>' in fragment
    assert "<html" not in fragment
    assert "message-warning" in text(as_grace.get("/batches/new/preview/", plan_data(corpus, size=9)))
    assert "0" in text(as_grace.get("/batches/new/preview/", plan_data(corpus, at_least=2)))
    assert "Number of profiles: " in text(as_grace.get("/batches/new/preview/", plan_data(corpus, size="many")))
    assert DETECTION_UNFINISHED in text(as_grace.get("/batches/new/preview/", plan_data(corpus, detections="yes")))
    assert NOTHING_IS_THIN in text(as_grace.get("/batches/new/preview/", plan_data(corpus, prefer_thin="on")))


@pytest.mark.parametrize("count", [3, 12])
def test_the_preview_takes_as_many_queries_for_many_profiles(as_grace, django_assert_num_queries, count):
    data = plan_data(make_corpus_of(count))
    as_grace.get("/account/")
    with django_assert_num_queries(8):  # person, corpus, newest run, and 5 of the preview
        as_grace.get("/batches/new/preview/", data)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"size": 9}, NON_FIELD_ERRORS),
        ({"overlap": 4}, NON_FIELD_ERRORS),
        ({"overlap": 6}, "overlap"),
        ({"name": ""}, "name"),
        ({"subreddits": "not a/name"}, "subreddits"),
        ({"languages": "english"}, "languages"),
        ({"at_least": 5, "at_most": 2}, "at_most"),
        ({"since": "2014-01-01", "until": "2013-01-01"}, "until"),
        ({"prefer_thin": "on"}, NON_FIELD_ERRORS),
    ],
)
def test_says_why_nothing_was_drawn(as_grace, ada, fields, field):
    response = as_grace.post("/batches/new/", plan_data(make_corpus_of(3), **fields))
    page, errors = html.unescape(text(response, 422)), response.context["form"].errors
    assert list(errors) == [field]
    assert errors[field][0] in page
    assert not Batch.objects.exists()


def test_begins_with_what_the_gold_page_asked_for(as_grace):
    make_guideline()
    first, second = make_corpus_of(1), make_corpus_of(1)
    page = text(as_grace.get(f"/batches/new/?corpus={first.pk}&prefer=1"))
    assert f'<option value="{first.pk}" selected>' in page
    assert 'name="prefer_thin" id="id_prefer_thin" checked' in page.replace(
        'aria-describedby="id_prefer_thin_helptext" ', ""
    )
    assert f'<option value="{second.pk}">' in text(as_grace.get("/batches/new/?corpus=nonsense"))


def test_says_what_is_needed_first(as_grace):
    assert "No corpus yet" in text(as_grace.get("/batches/new/"))
    make_corpus()
    assert "No guidelines yet" in text(as_grace.get("/batches/new/"))


def test_a_draft_is_changed_from_where_it_began(as_grace, ada):
    batch = draft(make_corpus_of(4), ada, planted=0)
    page = text(as_grace.get(f"/batches/{batch.pk}/edit/"))
    assert f'name="person_{ada.pk}" id="id_person_{ada.pk}" checked' in page
    changed = plan_data(batch.corpus, size=3, version=batch.version)
    assert as_grace.post(f"/batches/{batch.pk}/edit/", changed).status_code == 302
    assert batch.assignments.count() == 3
    assert as_grace.post(f"/batches/{batch.pk}/edit/", changed).status_code == 422  # based on the former version
    running(batch.corpus, ada, name="Other")
    assert as_grace.get(f"/batches/{Batch.objects.get(name='Other').pk}/edit/").status_code == 404


# ── Setup ───────────────────────────────────────────────────────────────────


def test_an_admin_runs_a_batch_from_its_page(as_grace, ada, bob):
    batch = draft(make_corpus_of(6), ada)
    assert state_after(as_grace, batch, "start") == "open"
    assert state_after(as_grace, batch, "pause") == "paused"
    assert state_after(as_grace, batch, "resume") == "open"
    post(as_grace, batch, "extend", size=3)
    assert batch.assignments.count() == 5
    post(as_grace, batch, "rename", name="Better", due_on="2030-01-01")
    post(as_grace, batch, "reassign", person=ada.pk, to=[bob.pk])
    assert batch.assignments.filter(annotator=bob).count() == 5
    assert state_after(as_grace, batch, "close") == "closed"
    assert f"/batches/{batch.pk}/reopen/" in text(as_grace.get(f"/batches/{batch.pk}/setup/"))
    assert state_after(as_grace, batch, "reopen") == "open"
    batch.refresh_from_db()
    assert (batch.name, batch.due_at.year) == ("Better", 2030)


def test_asks_before_it_takes_back_what_people_have_open(as_grace, ada):
    batch = running(make_corpus_of(2), ada)
    claim_next(batch=batch, annotator=ada)
    response = post(as_grace, batch, "close")
    assert response.status_code == 422
    assert response.context["open_work"] == OpenWork(people=1, profiles=1, with_answers=0)
    assert state_after(as_grace, batch, "close", withdraw="on") == "closed"


def test_tells_of_somebody_who_left_in_the_middle(as_grace, ada, bob):
    batch = running(make_corpus_of(2), ada)
    ada.is_active = False
    ada.save(update_fields=["is_active"])
    leavers = as_grace.get(f"/batches/{batch.pk}/setup/").context["setup"].leavers
    assert [(row.annotator, row.waiting) for row in leavers] == [(ada, 2)]
    assert post(as_grace, batch, "reassign", person=ada.pk, to=[bob.pk]).context["setup"].leavers == []


def test_a_skip_is_handed_out_again_or_left(as_grace, ada, bob):
    batch = running(make_corpus_of(2), ada)
    for _ in range(2):
        skip_assignment(claim_next(batch=batch, annotator=ada), "bot", remark="Only links.")
    first, second = batch.assignments.order_by("position")
    assert "Only links." in text(as_grace.get(f"/batches/{batch.pk}/setup/"))
    post(as_grace, batch, f"skipped/{first.pk}/hand-out", to=bob.pk)
    assert batch.assignments.get(annotator=bob).profile == first.profile
    assert second.profile.pseudonym in text(as_grace.get(f"/batches/{batch.pk}/setup/"))
    post(as_grace, batch, f"skipped/{second.pk}/handled")
    assert as_grace.get(f"/batches/{batch.pk}/setup/").context["setup"].skipped == []


def test_two_admins_notice_each_other(as_grace, ada):
    batch = running(make_corpus_of(2), ada)
    outdated = batch.version
    pause(batch)
    as_grace.post(f"/batches/{batch.pk}/close/", {"version": outdated}, follow=True)
    batch.refresh_from_db()
    assert batch.closed_at is None
    response = as_grace.post(f"/batches/{batch.pk}/close/")
    assert response.status_code == 422
    assert "version" in response.context["refused_form"].errors


def test_discards_a_draft(as_grace, ada):
    batch = draft(make_corpus_of(2), ada)
    assert as_grace.post(f"/batches/{batch.pk}/discard/", {"version": 1}).status_code == 302
    assert not Batch.objects.exists()
    post(as_grace, running(make_corpus_of(2), ada), "discard")
    assert Batch.objects.exists()  # once started


def test_a_pool_gives_back_what_was_got_ready_and_practice_has_a_page_too(as_grace, ada):
    batch = running(make_corpus_of(2))
    batch.assignments.filter(position=0).update(annotator=ada)
    assert as_grace.get(f"/batches/{batch.pk}/setup/").context["setup"].prepared == 1
    assert post(as_grace, batch, "take-back").context["setup"].prepared == 0
    assert not batch.assignments.exclude(annotator=None).exists()
    practice = make_practice_of(make_known())
    assert as_grace.get(f"/batches/{practice.pk}/setup/").context["setup"].facts[0][0] == "Practice"


@pytest.mark.parametrize("count", [2, 8])
def test_setup_takes_as_many_queries_for_many_slots_and_people(as_grace, django_assert_num_queries, count):
    people = [make_annotator() for _ in range(count)]
    batch = running(make_corpus_of(count), *people, size=count, overlap=2)
    for person in people:
        skip_assignment(claim_next(batch=batch, annotator=person), "bot")
    as_grace.get("/account/")
    with django_assert_num_queries(10):  # person, batch, counts, readers, skipped; twice each list of people to choose
        as_grace.get(f"/batches/{batch.pk}/setup/")


def test_for_others_none_of_it_exists(as_ada, ada):
    batch = running(make_corpus_of(2), ada)
    for path in ("/batches/", "/batches/new/", "/batches/new/preview/", f"/batches/{batch.pk}/setup/"):
        assert as_ada.get(path).status_code == 404
    for change in CHANGES:
        assert as_ada.post(f"/batches/{batch.pk}/{change}/", {"version": 1}).status_code == 404
    batch.refresh_from_db()
    assert (batch.paused_at, batch.closed_at) == (None, None)


def test_changes_only_by_post_and_only_what_there_is(as_grace, ada):
    batch = running(make_corpus_of(2), ada)
    for change in CHANGES:
        assert as_grace.get(f"/batches/{batch.pk}/{change}/").status_code == 405
    assert as_grace.get("/batches/999999/setup/").status_code == 404
    assert as_grace.post(f"/batches/{batch.pk}/skipped/999999/hand-out/").status_code == 404


# ── Due dates ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("more", "is_kept"), [({}, False), ({"past_due": "on"}, True)])
def test_a_due_date_in_the_past_asks_for_confirmation(as_grace, ada, more, is_kept):
    batch = running(make_corpus_of(2), ada)
    fields = {"version": batch.version, "name": "Late", "due_on": "2020-01-31"} | more
    response = as_grace.post(f"/batches/{batch.pk}/rename/", fields)
    batch.refresh_from_db()
    assert bool(batch.due_at) is is_kept
    assert response.status_code == (302 if is_kept else 422)
    if not is_kept:
        assert 'type="checkbox" name="past_due"' in response.content.decode()


def test_a_past_due_date_that_stays_needs_no_confirmation(as_grace, ada):
    batch = running(make_corpus_of(2), ada)
    Batch.objects.filter(pk=batch.pk).update(due_at="2020-01-31T23:59:59Z")
    fields = {"version": batch.version, "name": "Renamed", "due_on": "2020-01-31"}
    assert as_grace.post(f"/batches/{batch.pk}/rename/", fields).status_code == 302


def test_drawing_for_a_day_in_the_past_asks_for_confirmation(as_grace):
    corpus = make_corpus_of(2)
    refused = as_grace.post("/batches/new/", plan_data(corpus, due_on="2020-01-31"))
    assert refused.status_code == 422
    assert 'type="checkbox" name="past_due"' in refused.content.decode()
    assert not Batch.objects.exists()
    as_grace.post("/batches/new/", plan_data(corpus, due_on="2020-01-31", past_due="on"))
    assert Batch.objects.get().due_at.year == 2020
