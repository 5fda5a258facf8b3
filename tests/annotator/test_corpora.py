"""Corpora and the profile browser."""

import pytest

from annotator.queries import corpora as queries
from profiles.models import Profile
from tests.factories import make_corpus, make_profile

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def test_lists_visible_corpora_with_their_sizes(as_grace):
    make_profile("one", "two", corpus=make_corpus("pilot"))
    make_corpus("half loaded", ready=False)
    page = as_grace.get("/corpora/").content.decode()
    assert "pilot" in page
    assert "half loaded" not in page


def test_does_not_exist_for_evaluators(as_ada):
    corpus = make_corpus()
    assert as_ada.get("/corpora/").status_code == 404
    assert as_ada.get(f"/corpora/{corpus.pk}/").status_code == 404


def test_a_corpus_that_is_still_loading_does_not_exist(as_grace):
    corpus = make_corpus(ready=False)
    assert as_grace.get(f"/corpora/{corpus.pk}/").status_code == 404


def test_refuses_to_be_posted_to(as_grace):
    assert as_grace.post("/corpora/").status_code == 405


def test_lists_the_profiles_of_one_corpus_largest_first(as_grace):
    corpus = make_corpus()
    small = make_profile("one", corpus=corpus)
    large = make_profile("one", "two", corpus=corpus)
    stranger = make_profile()
    page = as_grace.get(f"/corpora/{corpus.pk}/").content.decode()
    assert page.index(large.pseudonym) < page.index(small.pseudonym)
    assert stranger.pseudonym not in page


@pytest.mark.parametrize(
    ("query", "found"),
    [("subreddit=Seattle", True), ("subreddit=r/SEATTLE", True), ("subreddit=houston", False), ("at_least=2", False)],
)
def test_filters_profiles(as_grace, query, found):
    profile = make_profile("rain again", subreddit="Seattle")
    page = as_grace.get(f"/corpora/{profile.corpus_id}/?{query}").content.decode()
    assert (profile.pseudonym in page) is found


def test_finds_a_profile_by_a_part_of_its_pseudonym(as_grace):
    corpus = make_corpus()
    for name in ("amber-heron-7k3qd", "quiet-otter-9zz2m"):
        Profile.objects.filter(pk=make_profile(corpus=corpus).pk).update(pseudonym=name)
    page = as_grace.get(f"/corpora/{corpus.pk}/?q=HERON-7k").content.decode()
    assert "amber-heron-7k3qd" in page
    assert "quiet-otter-9zz2m" not in page


def test_answers_htmx_with_the_rows_alone(as_grace):
    profile = make_profile()
    page = as_grace.get(f"/corpora/{profile.corpus_id}/", headers=HTMX).content.decode()
    assert profile.pseudonym in page
    assert "<html" not in page


@pytest.mark.parametrize("query", ["at_least=many", "after=first", "q=%00", f"q={'x' * 100}", "at_least=-1"])
def test_explains_a_filter_it_cannot_read_and_shows_everything(as_grace, query):
    profile = make_profile()
    response = as_grace.get(f"/corpora/{profile.corpus_id}/?{query}")
    assert response.status_code == 200
    assert 'role="alert"' in response.content.decode()
    assert profile.pseudonym in response.content.decode()


def test_pages_through_every_profile_once(as_grace, monkeypatch):
    monkeypatch.setattr(queries, "PROFILES_A_PAGE", 3)
    corpus = make_corpus()
    made = {make_profile(*["text"] * (1 + n % 3), corpus=corpus).pk for n in range(8)}
    seen, cursor = [], None
    while True:
        page = queries.profiles_page(corpus, {"after": cursor} if cursor else {})
        seen += [profile.pk for profile in page.profiles]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert len(seen) == len(made)
    assert set(seen) == made


def test_the_next_page_keeps_the_filter(as_grace, monkeypatch):
    monkeypatch.setattr(queries, "PROFILES_A_PAGE", 1)
    corpus = make_corpus()
    first = make_profile("a", "b", corpus=corpus, subreddit="Seattle")
    make_profile("a", corpus=corpus, subreddit="Seattle")
    page = as_grace.get(f"/corpora/{corpus.pk}/?subreddit=seattle").content.decode()
    assert f"?subreddit=seattle&amp;after=2-{first.pk}" in page


@pytest.mark.parametrize("profiles", [1, 30])
def test_query_count_does_not_grow_with_profiles(as_grace, django_assert_num_queries, profiles):
    corpus = make_corpus()
    for _ in range(profiles):
        make_profile(corpus=corpus)
    as_grace.get("/corpora/")
    with django_assert_num_queries(4):  # person, corpus, its counts, profiles
        as_grace.get(f"/corpora/{corpus.pk}/")
