"""The admins' pages about batches: the list, the draw with its preview, and the setup of one."""

import pytest
from django.utils import timezone

from annotator.batches.claims import claim_next
from annotator.batches.lifecycle import close, pause
from annotator.labelling.services import skip_assignment
from annotator.models import Batch
from tests.annotator.batches.drafts import draft, make_corpus_of, make_guideline, running
from tests.annotator.quality.practice_batches import make_known, make_practice_of
from tests.factories import make_annotator, make_corpus

pytestmark = pytest.mark.django_db
CHANGES = ["start", "pause", "resume", "close", "extend", "rename", "reassign", "take-back", "discard"]


@pytest.fixture
def bob(db):
    return make_annotator("bob")


def asked(corpus, **fields) -> dict[str, object]:
    return {"name": "Round", "corpus": corpus.pk, "guideline": make_guideline().pk, "size": 2, "seed": 1,
            "overlap": 1, "hints_shown": "on"} | fields  # fmt: skip


def text(response, status: int = 200) -> str:
    assert response.status_code == status, response.content.decode()
    return response.content.decode()


def post(client, batch, change, **fields):
    batch.refresh_from_db()
    return client.post(f"/batches/{batch.pk}/{change}/", {"version": batch.version} | fields, follow=True)


# ── The list ────────────────────────────────────────────────────────────────


def test_lists_every_batch_with_its_state(as_grace, ada):
    corpus = make_corpus_of(2)
    for name in ("Draft one", "Running one", "Paused one", "Closed one"):
        (draft if name == "Draft one" else running)(corpus, ada, name=name)
    pause(Batch.objects.get(name="Paused one"))
    close(Batch.objects.get(name="Closed one"))
    Batch.objects.filter(name="Running one").update(due_at=timezone.now())
    page = text(as_grace.get("/batches/"))
    assert all(f">{state}</span>" in page for state in ("draft", "running", "paused", "closed", "late"))
    assert page.index("Draft one") < page.index("Running one") < page.index("Closed one")


def test_an_empty_list_says_what_to_do(as_grace):
    assert "No batch yet" in text(as_grace.get("/batches/"))


@pytest.mark.parametrize("count", [1, 5])
def test_the_list_takes_as_many_queries_for_many_batches(as_grace, ada, django_assert_num_queries, count):
    corpus = make_corpus_of(3)
    for number in range(count):
        running(corpus, ada, name=f"b{number}", seed=number)
    as_grace.get("/account/")
    with django_assert_num_queries(2):  # person, batches
        as_grace.get("/batches/")


# ── Drawing ─────────────────────────────────────────────────────────────────


def test_draws_a_draft_and_shows_its_recipe(as_grace, ada, bob):
    corpus = make_corpus_of(5)
    quota = {f"person_{ada.pk}": "on", f"quota_{ada.pk}": 1, f"person_{bob.pk}": "on"}
    fields = {"size": 4, "at_least": 1, "subreddits": "r/AskReddit, houston", "due_on": "2030-01-31"} | quota
    page = text(as_grace.post("/batches/new/", asked(corpus, **fields), follow=True))
    batch = Batch.objects.get()
    assert batch.started_at is None
    assert sorted(batch.assignments.values_list("annotator", flat=True)).count(ada.pk) == 1
    assert "4 profiles with the seed 1, of 5 that fitted" in page
    assert "at least 1 comments; wrote in r/askreddit or r/houston" in page
    assert "2030-01-31" in page


def test_shows_how_many_fit_before_anything_is_made(as_grace, ada):
    corpus = make_corpus_of(5)
    page = text(as_grace.post("/batches/new/", asked(corpus, name="", wanted="preview")))
    assert '<strong class="number">5</strong>' in page
    assert "The first 2 of the draw" in page
    assert not Batch.objects.exists()


def test_the_preview_follows_what_is_typed(as_grace, ada):
    corpus = make_corpus_of(3)
    fragment = text(as_grace.get("/batches/new/preview/", asked(corpus), headers={"HX-Request": "true"}))
    assert '<strong class="number">3</strong>' in fragment
    assert "<html" not in fragment
    assert "fewer than the 9 asked for" in text(as_grace.get("/batches/new/preview/", asked(corpus, size=9)))
    assert "0" in text(as_grace.get("/batches/new/preview/", asked(corpus, at_least=2)))
    assert "Profiles: " in text(as_grace.get("/batches/new/preview/", asked(corpus, size="many")))
    assert "once Presidio has read" in text(as_grace.get("/batches/new/preview/", asked(corpus, detections="yes")))
    assert "no target" in text(as_grace.get("/batches/new/preview/", asked(corpus, prefer_thin="on")))


@pytest.mark.parametrize("count", [3, 12])
def test_the_preview_takes_as_many_queries_for_many_profiles(as_grace, django_assert_num_queries, count):
    said = asked(make_corpus_of(count))
    as_grace.get("/account/")
    with django_assert_num_queries(8):  # person, corpus, newest run, and 5 of the preview
        as_grace.get("/batches/new/preview/", said)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"size": 9}, "The corpus has 3 profiles that fit, fewer than the 9 asked for"),
        ({"overlap": 4}, "4 people are to read each profile"),
        ({"overlap": 6}, "less than or equal to 5"),
        ({"name": ""}, "This field is required"),
        ({"subreddits": "not a/name"}, "is no name of a subreddit"),
        ({"languages": "english"}, "is no code of a language"),
        ({"at_least": 5, "at_most": 2}, "No profile has more than the most"),
        ({"since": "2014-01-01", "until": "2013-01-01"}, "It must not come before the first day"),
        ({"prefer_thin": "on"}, "no target of which something is missing"),
    ],
)
def test_says_why_nothing_was_drawn(as_grace, ada, fields, words):
    assert words in text(as_grace.post("/batches/new/", asked(make_corpus_of(3), **fields)), 422)
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
    assert "nothing to draw from" in text(as_grace.get("/batches/new/"))
    make_corpus()
    assert "no guidelines to label by" in text(as_grace.get("/batches/new/"))


def test_a_draft_is_changed_from_where_it_began(as_grace, ada):
    batch = draft(make_corpus_of(4), ada, planted=0)
    page = text(as_grace.get(f"/batches/{batch.pk}/edit/"))
    assert f'name="person_{ada.pk}" id="id_person_{ada.pk}" checked' in page
    changed = asked(batch.corpus, size=3, version=batch.version)
    assert "was drawn anew" in text(as_grace.post(f"/batches/{batch.pk}/edit/", changed, follow=True))
    assert batch.assignments.count() == 3
    assert "Nothing of yours was saved" in text(as_grace.post(f"/batches/{batch.pk}/edit/", changed), 422)
    running(batch.corpus, ada, name="Other")
    assert as_grace.get(f"/batches/{Batch.objects.get(name='Other').pk}/edit/").status_code == 404


# ── Setup ───────────────────────────────────────────────────────────────────


def test_an_admin_runs_a_batch_from_its_page(as_grace, ada, bob):
    batch = draft(make_corpus_of(6), ada)
    assert "was started" in text(post(as_grace, batch, "start"))
    assert "is paused" in text(post(as_grace, batch, "pause"))
    assert "goes on" in text(post(as_grace, batch, "resume"))
    assert "3 more profiles" in text(post(as_grace, batch, "extend", size=3))
    assert "are kept" in text(post(as_grace, batch, "rename", name="Better", due_on="2030-01-01"))
    assert "went to Bob: 5" in text(post(as_grace, batch, "reassign", person=ada.pk, to=[bob.pk]))
    assert "is closed" in text(post(as_grace, batch, "close"))
    batch.refresh_from_db()
    assert (batch.name, batch.closed_at is None) == ("Better", False)


def test_asks_before_it_takes_back_what_people_have_open(as_grace, ada):
    batch = running(make_corpus_of(2), ada)
    claim_next(batch=batch, annotator=ada)
    assert "1 person has 1 profile open, none of them" in text(post(as_grace, batch, "close"), 422)
    assert "is closed" in text(post(as_grace, batch, "close", withdraw="on"))


def test_tells_of_somebody_who_left_in_the_middle(as_grace, ada, bob):
    batch = running(make_corpus_of(2), ada)
    ada.is_active = False
    ada.save(update_fields=["is_active"])
    assert "Ada does not label any more, and 2 profiles wait" in text(as_grace.get(f"/batches/{batch.pk}/setup/"))
    page = text(post(as_grace, batch, "reassign", person=ada.pk, to=[bob.pk]))
    assert "wait for them" not in page


def test_a_skip_is_handed_out_again_or_left(as_grace, ada, bob):
    batch = running(make_corpus_of(2), ada)
    for _ in range(2):
        skip_assignment(claim_next(batch=batch, annotator=ada), "bot", remark="Only links.")
    first, second = batch.assignments.order_by("position")
    assert "Only links." in text(as_grace.get(f"/batches/{batch.pk}/setup/"))
    assert "goes to Bob" in text(post(as_grace, batch, f"skipped/{first.pk}/hand-out", to=bob.pk))
    assert second.profile.pseudonym in text(as_grace.get(f"/batches/{batch.pk}/setup/"))
    post(as_grace, batch, f"skipped/{second.pk}/handled")
    assert "to be dealt with" not in text(as_grace.get(f"/batches/{batch.pk}/setup/"))


def test_two_admins_notice_each_other(as_grace, ada):
    batch = running(make_corpus_of(2), ada)
    seen = batch.version
    pause(batch)
    page = text(as_grace.post(f"/batches/{batch.pk}/close/", {"version": seen}, follow=True))
    assert "Somebody changed “Round” after you opened this page" in page
    assert "Open the page again" in text(as_grace.post(f"/batches/{batch.pk}/close/"), 422)


def test_discards_a_draft(as_grace, ada):
    batch = draft(make_corpus_of(2), ada)
    assert "was discarded" in text(as_grace.post(f"/batches/{batch.pk}/discard/", {"version": 1}, follow=True))
    assert not Batch.objects.exists()
    stays = running(make_corpus_of(2), ada)
    assert "has been started" in text(post(as_grace, stays, "discard"))


def test_a_pool_gives_back_what_was_got_ready_and_practice_has_a_page_too(as_grace, ada):
    batch = running(make_corpus_of(2))
    batch.assignments.filter(position=0).update(annotator=ada)
    assert "Pages got 1 ready" in text(as_grace.get(f"/batches/{batch.pk}/setup/"))
    assert "may take again: 1" in text(post(as_grace, batch, "take-back"))
    practice = make_practice_of(make_known())
    assert "1 profiles that every evaluator reads" in text(as_grace.get(f"/batches/{practice.pk}/setup/"))


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
