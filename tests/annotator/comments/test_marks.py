"""Presidio's detections, as a reader of the profile sees them."""

import re

import pytest

from annotator.comments import presidio_results
from annotator.comments.presidio_results import analysed_comments, detected_types
from profiles.models import Unanalysed
from tests.annotator.comments.marks import make_chunk, make_detection, make_recipe, make_run
from tests.factories import make_assignment, make_batch, make_profile

pytestmark = pytest.mark.django_db


def read(client, profile, query="", **headers):
    return client.get(f"/profiles/{profile.pk}/{query}", headers=headers)


def page_of(client, profile, query="", **headers):
    return read(client, profile, query, **headers).content.decode()


def marked(page):
    """What is marked on a page: class and text."""
    return re.findall(r'<mark class="mark mark-(\w+)"[^>]*>([^<]*)</mark>', page)


def box(page):
    match = re.search(r'<section id="presidio-results".*?</section>', page, re.DOTALL)
    return match[0] if match else ""


def text_of_box(page):
    """The box, without its tags."""
    return " ".join(re.sub(r"<[^>]*>", " ", box(page)).split())


@pytest.fixture
def profile():
    return make_profile("I moved to Houston with Anna", "Houston is humid")


@pytest.fixture
def run(profile):
    """Finished: Houston twice and Anna once."""
    run = make_run(profile.corpus)
    first, second = profile.comments.order_by("pk")
    make_detection(run, first, "Houston")
    make_detection(run, first, "Anna", "PERSON")
    make_detection(run, second, "Houston")
    return run


# ── In the text ──────────────────────────────────────────────────────────────
def test_detections_are_marked_with_type_and_score(as_grace, profile, run):
    page = page_of(as_grace, profile)
    assert marked(page) == [("location", "Houston"), ("person", "Anna"), ("location", "Houston")]
    assert 'data-entity="Location: " title="Location, score 0.85">Houston</mark> with ' in page


def test_of_overlapping_detections_the_longest_is_marked(as_grace, profile, run):
    make_detection(run, profile.comments.earliest("pk"), "Houston with Anna", "NRP", 0.1)
    assert marked(page_of(as_grace, profile))[0] == ("nrp", "Houston with Anna")


def test_a_type_of_the_recipes_own_has_its_name_and_a_colour(as_grace, profile, run):
    make_detection(run, profile.comments.latest("pk"), "humid", "BAD_WEATHER", 1)
    page = page_of(as_grace, profile)
    assert ("own", "humid") in marked(page)
    assert 'title="Bad weather, score 1.00"' in page


def test_hostile_text_is_not_run_in_a_mark_either(as_grace):
    profile = make_profile("see <script>alert(1)</script>")
    run = make_run(profile.corpus)
    make_detection(run, profile.comments.get(), "<script>alert(1)</script>", "PERSON")
    page = page_of(as_grace, profile)
    assert marked(page) == [("person", "&lt;script&gt;alert(1)&lt;/script&gt;")]
    assert "<script>alert" not in page


def test_positions_are_code_points(as_grace):
    profile = make_profile("😀👨‍👩‍👧 é in Oslo\r\n\r\nnow")
    make_detection(make_run(profile.corpus), profile.comments.get(), "Oslo")
    page = page_of(as_grace, profile)
    assert marked(page) == [("location", "Oslo")]
    assert text_of_box(page).count("Location 1 Oslo") == 1


def test_a_comment_that_was_not_analysed_says_why(as_grace, profile, run):
    Unanalysed.objects.create(run=run, comment=profile.comments.latest("pk"), reason=Unanalysed.Reason.LANGUAGE)
    assert page_of(as_grace, profile).count(Unanalysed.Reason.LANGUAGE.label.lower()) == 1


# ── Which run ────────────────────────────────────────────────────────────────
def test_without_a_run_the_page_says_so(as_grace, profile):
    page = page_of(as_grace, profile)
    assert marked(page) == []
    assert "<li" not in box(page)


def test_staff_see_the_newest_run_or_the_one_they_choose(as_grace, profile, run):
    newer = make_run(profile.corpus, "large model")
    make_detection(newer, profile.comments.latest("pk"), "humid", "PERSON")
    page = page_of(as_grace, profile)
    assert marked(page) == [("person", "humid")]
    assert f"Run {newer.pk}" in text_of_box(page)
    assert f'href="?run={run.pk}"' in page
    assert len(marked(page_of(as_grace, profile, f"?run={run.pk}"))) == 3


def test_a_chosen_run_is_kept_where_one_reads_on(as_grace, profile, run):
    make_run(profile.corpus, "large model")
    page = page_of(as_grace, profile, f"?run={run.pk}")
    assert f'href="?run={run.pk}&amp;subreddit=AskReddit"' in page


@pytest.mark.parametrize("number", ["0", "-1", "x", "", "99999999999999999999", "1 OR 1"])
def test_a_run_that_is_not_there_is_not_found(as_grace, profile, run, number):
    assert read(as_grace, profile, f"?run={number}").status_code == 404


def test_a_run_of_another_corpus_is_not_found(as_grace, profile, run):
    other = make_run(make_profile().corpus)
    assert read(as_grace, profile, f"?run={other.pk}").status_code == 404


def test_an_evaluator_sees_the_run_of_their_batchs_recipe_and_no_other(as_ada, ada, profile, run):
    make_run(profile.corpus, "large model")
    batch = make_batch(corpus=profile.corpus, recipe=make_recipe("small model"))
    make_assignment(annotator=ada, profile=profile, batch=batch)
    page = page_of(as_ada, profile, "?run=0")
    assert len(marked(page)) == 3
    assert "small model" in text_of_box(page)
    assert "another run" not in page


def test_of_several_batches_the_one_they_opened_last_counts(as_ada, ada, profile, run):
    newer = make_run(profile.corpus, "large model")
    for recipe in ("small model", "large model"):
        batch = make_batch(corpus=profile.corpus, recipe=make_recipe(recipe))
        make_assignment(annotator=ada, profile=profile, batch=batch)
    assert f"Run {newer.pk}" in text_of_box(page_of(as_ada, profile))


@pytest.mark.parametrize("recipe", [None, "never run"])
def test_an_evaluator_whose_batch_has_no_run_sees_no_marks(as_ada, ada, profile, run, recipe):
    batch = make_batch(corpus=profile.corpus, recipe=make_recipe(recipe) if recipe else None)
    make_assignment(annotator=ada, profile=profile, batch=batch)
    page = page_of(as_ada, profile)
    assert marked(page) == []
    assert "<li" not in box(page)


# ── The box ──────────────────────────────────────────────────────────────────
def test_the_box_counts_strings_by_type(as_grace, profile, run):
    text = text_of_box(page_of(as_grace, profile))
    assert "Location 2 Houston ×2 Person 1 Anna" in text
    assert f"Run {run.pk}" in text


def test_the_box_is_about_the_whole_profile_and_nothing_else(profile, run):
    other = make_profile("Houston again", corpus=profile.corpus)
    make_detection(run, other.comments.get(), "Houston")
    make_detection(make_run(profile.corpus, "large model"), profile.comments.latest("pk"), "Houston")
    assert [(t.entity_type, t.total) for t in detected_types(run, profile)] == [("LOCATION", 2), ("PERSON", 1)]


def test_lists_the_most_frequent_strings_and_counts_the_rest(monkeypatch):
    monkeypatch.setattr(presidio_results, "MAX_STRINGS", 2)
    profile = make_profile("Oslo Bergen Paris Oslo", "Oslo", "Bergen")
    run = make_run(profile.corpus)
    for comment in profile.comments.all():
        for city in set(comment.body.split()):
            make_detection(run, comment, city)
    (cities,) = detected_types(run, profile)
    assert [(string.text, string.times) for string in cities.strings] == [("Bergen", 2), ("Oslo", 2)]
    assert (cities.total, cities.more) == (5, 1)


def test_presidios_own_types_come_first_in_their_order(profile, run):
    comment = profile.comments.latest("pk")
    for entity_type in ("ZEBRA", "AARDVARK", "NRP", "EMAIL_ADDRESS"):
        make_detection(run, comment, "humid", entity_type)
    types = [detected.entity_type for detected in detected_types(run, profile)]
    assert types == ["EMAIL_ADDRESS", "LOCATION", "PERSON", "NRP", "AARDVARK", "ZEBRA"]


def test_nothing_found_is_said_in_words(as_grace, profile):
    make_run(profile.corpus)
    assert "<li" not in box(page_of(as_grace, profile))
    assert "Run" in text_of_box(page_of(as_grace, profile))


# ── While it runs ────────────────────────────────────────────────────────────
def test_says_how_far_a_run_is_with_this_profile(as_grace, profile):
    run = make_run(profile.corpus, finished=False)
    first, second = profile.comments.order_by("pk").values_list("pk", flat=True)
    make_chunk(run, first, first)
    make_chunk(run, second, second, done=False)
    page = page_of(as_grace, profile)
    assert "1 of 2 comments" in text_of_box(page)
    assert 'hx-trigger="every 10s"' in page


def test_the_box_renews_itself_alone(as_grace, profile, run):
    renewed = page_of(as_grace, profile, **{"HX-Request": "true", "HX-Target": "presidio-results"})
    assert renewed.strip().startswith('<section id="presidio-results"')
    assert "Houston ×2" in text_of_box(renewed)
    assert "<article" not in renewed
    assert "every 10s" not in renewed


@pytest.mark.parametrize(
    ("field", "state"),
    [("paused_at", "paused"), ("cancelled_at", "cancelled")],
)
def test_a_run_that_does_not_go_on_is_not_waited_for(as_grace, profile, field, state):
    run = make_run(profile.corpus, finished=False)
    type(run).objects.update(**{field: run.requested_at})
    page = page_of(as_grace, profile)
    assert state in text_of_box(page)
    assert "0 of 2 comments" in text_of_box(page)
    assert "every 10s" not in page


def test_a_comment_is_analysed_when_the_chunk_it_lies_in_is_done():
    profile, other = make_profile("one", "two", "three", "four"), make_profile("of somebody else")
    run, other_run = make_run(profile.corpus, finished=False), make_run(other.corpus, finished=False)
    first, second, third, fourth = profile.comments.order_by("pk").values_list("pk", flat=True)
    assert analysed_comments(run, profile) == 0
    make_chunk(run, first, second)
    assert analysed_comments(run, profile) == 2  # the third and fourth begin after a chunk that ends before them
    make_chunk(other_run, third, fourth)  # of another run
    assert analysed_comments(run, profile) == 2
    make_chunk(run, third, fourth, done=False)
    assert analysed_comments(run, profile) == 2
    make_chunk(run, first, first, done=False, comment_count=0)  # tried once more
    assert analysed_comments(run, profile) == 2
    run.chunks.update(done_at=run.requested_at)
    assert analysed_comments(run, profile) == 4
    assert analysed_comments(run, other) == 0


# ── Queries ──────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("comments", [1, 40])
@pytest.mark.parametrize(("finished", "queries"), [(True, 10), (False, 11)])
def test_query_count_does_not_grow_with_detections(as_grace, django_assert_num_queries, comments, finished, queries):
    profile = make_profile(*["Anna in Oslo"] * comments)
    run = make_run(profile.corpus, finished=finished)
    make_run(make_profile().corpus)
    for comment in profile.comments.all():
        make_detection(run, comment, "Oslo")
        make_detection(run, comment, "Anna", "PERSON")
    as_grace.get("/")
    with django_assert_num_queries(queries):  # those without a run, what was found, and how far it is until it is done
        read(as_grace, profile)
