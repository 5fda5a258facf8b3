"""Corpora and the profile browser."""

import pytest

from annotator.comments.profiles import readable_profiles
from annotator.corpora.queries import corpora as queries
from profiles.models import Corpus, Presence, Profile
from tests.annotator.corpora.dumps import make_imported_corpus, make_ingest
from tests.annotator.corpora.hint_lists import make_hint
from tests.factories import make_assignment, make_batch, make_corpus, make_profile, make_subreddit

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def test_lists_visible_corpora_with_their_sizes(as_grace):
    make_profile("one", "two", corpus=make_corpus("pilot"))
    make_corpus("half loaded", ready=False)
    page = as_grace.get("/corpora/").content.decode()
    assert "pilot" in page
    assert "half loaded" not in page


def test_visible_is_what_is_ready_or_was_ever_ingested(ada, grace):
    ready, unfinished, other = make_corpus("ready"), make_corpus("unfinished", ready=False), make_corpus(ready=False)
    for corpus in (ready, ready, unfinished, unfinished):
        make_ingest(corpus, stage="stopped")
    profile, *_ = [make_profile("text", corpus=corpus) for corpus in (ready, unfinished, other)]
    assert sorted(Corpus.objects.visible().values_list("name", flat=True)) == ["ready", "unfinished"]
    assert list(Corpus.objects.ready()) == [ready]
    assert list(Profile.objects.ready()) == list(readable_profiles(grace)) == [profile]
    assert list(readable_profiles(ada)) == []
    make_assignment(profile=profile, annotator=ada, batch=make_batch(corpus=ready))
    assert list(readable_profiles(ada)) == [profile]


@pytest.mark.parametrize(
    ("ready", "ingest", "state"),
    [
        (False, {"stage": "reading"}, "being created"),
        (False, {"stage": "waiting"}, "being created"),
        (False, {"stage": "reading", "quiet": 60}, "stopped"),
        (False, {"stage": "stopped"}, "stopped"),
        (True, {"stage": "done"}, "ready"),
        (True, {"stage": "loading"}, "growing"),
        (True, {"stage": "loading", "quiet": 60}, "ready, import stopped"),
    ],
)
def test_shows_the_state_of_each_corpus(as_grace, ready, ingest, state):
    corpus = make_imported_corpus("pilot", ready=ready)
    make_ingest(corpus, stage="stopped")
    make_ingest(corpus, **ingest)
    page = as_grace.get("/corpora/").content.decode()
    assert f">{state}</span>" in page
    assert page.count(f'href="/corpora/{corpus.pk}/"') == 1
    assert ("not yet" in page) is not ready


def test_the_profiles_of_a_half_made_corpus_are_not_counted(as_grace):
    corpus = make_imported_corpus("half made", ready=False)
    make_ingest(corpus)
    make_profile(*["text"] * 77, corpus=corpus)
    assert ">77<" not in as_grace.get("/corpora/").content.decode()


def test_an_empty_list_tells_an_admin_how_to_import_and_a_researcher_whom_to_ask(as_grace, client, rosalind):
    assert 'href="/corpora/import/"' in as_grace.get("/corpora/").content.decode()
    assert "bin/manage ingest_dumps" in as_grace.get("/corpora/").content.decode()
    client.force_login(rosalind)
    page = client.get("/corpora/").content.decode()
    assert "/corpora/import/" not in page


@pytest.mark.parametrize("corpora", [1, 12])
def test_the_list_of_corpora_takes_as_many_queries_for_many(as_grace, django_assert_num_queries, corpora):
    for _ in range(corpora):
        make_ingest(make_imported_corpus())
    as_grace.get("/corpora/")
    with django_assert_num_queries(4):  # person, count, corpora, deletions
        as_grace.get("/corpora/")


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
    ("query", "is_listed"),
    [
        ("subreddit=Seattle", True), ("subreddit=r/SEATTLE", True), ("subreddit=houston", False),
        ("at_least=2", False), ("at_least=1&at_most=1", True), ("at_most=1", True),
        ("attribute=location", True), ("attribute=age", False), ("attribute=location&value=SEATTLE", True),
        ("attribute=location&value=washington", True), ("attribute=location&value=oregon", False),
        ("value=seattle", True), ("attribute=sex&value=male", False), ("attribute=sex&value=FEMALE", True),
        ("since=2013-05-01", True), ("since=2013-05-02", False), ("until=2013-05-01", False),
        ("until=2013-05-02", True), ("since=2013-05-01&until=2013-05-02", True), ("since=2014-01-01&q=heron", False),
    ],
)  # fmt: skip
def test_filters_profiles(as_grace, query, is_listed):
    make_hint("Seattle", "location", "seattle / washington", "the city")
    make_hint("Seattle", "sex", "female", "made up")
    profile = make_profile("rain again", subreddit="Seattle")
    page = as_grace.get(f"/corpora/{profile.corpus_id}/?{query}").content.decode()
    assert (profile.pseudonym in page) is is_listed


@pytest.mark.parametrize(
    ("first", "last", "is_listed"),
    [(1, 2, False), (1, 3, True), (4, 4, True), (4, 6, True), (1, 9, True), (5, 6, False)],
)
def test_activity_must_overlap_the_days_asked_for(as_grace, first, last, is_listed):
    """From the 3rd until before the 5th; a profile may begin before and end after."""
    profile = make_profile()
    at = profile.first_written_at.replace(month=1, hour=23)
    Profile.objects.filter(pk=profile.pk).update(
        first_written_at=at.replace(day=first), last_written_at=at.replace(day=last)
    )
    page = as_grace.get(f"/corpora/{profile.corpus_id}/?since=2013-01-03&until=2013-01-05").content.decode()
    assert (profile.pseudonym in page) is is_listed


def test_a_profile_comes_once_however_many_of_its_subreddits_fit(as_grace):
    profile = make_profile(subreddit="Seattle")
    for name in ("SeattleWA", "askseattle"):
        Presence.objects.create(profile=profile, subreddit=make_subreddit(name), comment_count=1)
    for name in ("Seattle", "SeattleWA", "askseattle"):
        make_hint(name, "location", "seattle", "the city")
        make_hint(name, "location", "washington", "the state")
    profiles = queries.profiles_page(profile.corpus, {"attribute": "location"}).profiles
    assert [row.pk for row in profiles] == [profile.pk]


def test_the_filter_form_does_not_carry_the_place_in_the_list(as_grace, monkeypatch):
    """The next page's cursor would hide the first rows of another selection."""
    monkeypatch.setattr(queries, "PAGE_SIZE", 1)
    corpus = make_corpus()
    first, last = make_profile("a", "b", corpus=corpus), make_profile("a", corpus=corpus)
    page = as_grace.get(f"/corpora/{corpus.pk}/?after=2-{first.pk}").content.decode()
    assert last.pseudonym in page
    form = page.split('role="search"')[1].split("</form>")[0]
    assert 'name="after"' not in form
    assert "after=" not in form
    assert f'hx-get="/corpora/{corpus.pk}/"' in form


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


@pytest.mark.parametrize("query", [
    "at_least=many", "after=first", "q=%00", f"q={'x' * 100}", "at_least=-1", "at_least=3&at_most=2", "at_most=0",
    "since=yesterday", "since=2013-05-02&until=2013-05-02", "attribute=shoes", "value=%00",
])  # fmt: skip
def test_explains_a_filter_it_cannot_read_and_shows_everything(as_grace, query):
    profile = make_profile()
    response = as_grace.get(f"/corpora/{profile.corpus_id}/?{query}")
    assert response.status_code == 200
    assert 'role="alert"' in response.content.decode()
    assert profile.pseudonym in response.content.decode()


def test_pages_through_every_profile_once(as_grace, monkeypatch):
    monkeypatch.setattr(queries, "PAGE_SIZE", 3)
    corpus = make_corpus()
    expected = {make_profile(*["text"] * (1 + n % 3), corpus=corpus).pk for n in range(8)}
    listed, cursor = [], None
    while True:
        page = queries.profiles_page(corpus, {"after": cursor} if cursor else {})
        listed += [profile.pk for profile in page.profiles]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert len(listed) == len(expected)
    assert set(listed) == expected


def test_the_next_page_keeps_the_filter(as_grace, monkeypatch):
    monkeypatch.setattr(queries, "PAGE_SIZE", 1)
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
    with django_assert_num_queries(5):  # person, corpus, its counts, profiles, latest ingest
        as_grace.get(f"/corpora/{corpus.pk}/")
    with django_assert_num_queries(4):
        as_grace.get(f"/corpora/{corpus.pk}/?attribute=location&value=x&subreddit=y&since=2012-01-01", headers=HTMX)


def test_an_empty_corpus_leads_to_what_the_rules_removed(as_grace):
    corpus = make_imported_corpus()
    page = as_grace.get(f"/corpora/{corpus.pk}/").content.decode()
    assert f'href="/corpora/{corpus.pk}/provenance/"' in page
    assert f'href="/corpora/{corpus.pk}/provenance/"' in page
