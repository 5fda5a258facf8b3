"""The admins' pages about the subreddit list."""

import pytest
from django.test import Client

from annotator.corpora.forms.subreddits import DUPLICATE_HINT
from annotator.corpora.queries import subreddits as queries
from profiles.models import AttributeHint, Subreddit
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.corpora.hint_lists import HEAD, HTMX, OSLO, hint_rows, make_hint, messages_of, text_of, upload
from tests.factories import make_corpus, make_profile, make_subreddit

pytestmark = pytest.mark.django_db
PAGES = ["/subreddits/", "/subreddits/export/", "/subreddits/import/"]
POSTS = ["/subreddits/hints/", "/subreddits/import/", "/subreddits/import/some-upload/"]


# ── Who ─────────────────────────────────────────────────────────────────────


def test_is_for_admins_only(ada, rosalind):
    hint, client = make_hint(), Client()
    hint_page = f"/subreddits/hints/{hint.pk}/"
    for visit, paths in (
        (client.get, [*PAGES, hint_page, f"{hint_page}remove/"]),
        (client.post, [*POSTS, hint_page, f"{hint_page}remove/"]),
    ):
        client.logout()
        for path in paths:
            assert visit(path)["Location"].startswith("/account/login/"), path
        for annotator in (ada, rosalind):
            client.force_login(annotator)
            assert [visit(path).status_code for path in paths] == [404] * len(paths)
    assert AttributeHint.objects.count() == 1
    assert "hints_changed" not in actions()


def test_wrong_methods_are_refused(as_grace):
    hint = make_hint()
    for path in ("/subreddits/", "/subreddits/export/"):
        assert as_grace.post(path).status_code == 405
    for path in ("/subreddits/hints/", "/subreddits/import/some-upload/"):
        assert as_grace.get(path).status_code == 405
    for path in (f"/subreddits/hints/{hint.pk}/", f"/subreddits/hints/{hint.pk}/remove/", "/subreddits/import/"):
        assert as_grace.put(path).status_code == 405


def test_forged_forms_are_refused(grace):
    hint, client = make_hint(), Client(enforce_csrf_checks=True)
    client.force_login(grace)
    for path in (*POSTS, f"/subreddits/hints/{hint.pk}/remove/"):
        assert client.post(path, OSLO).status_code == 403


def test_only_admins_find_the_page_in_the_navigation(as_grace, rosalind):
    assert 'href="/subreddits/"' in text_of(as_grace.get("/corpora/"))
    as_grace.force_login(rosalind)
    assert 'href="/subreddits/"' not in text_of(as_grace.get("/corpora/"))


# ── Browsing ────────────────────────────────────────────────────────────────


def test_shows_each_subreddit_with_its_hints_and_what_it_touches(as_grace):
    hint = make_hint("Oslo")
    make_hint("Oslo", "place_of_birth", "norway", "people from there")
    corpus = make_corpus()
    make_profile("a", "b", corpus=corpus, subreddit="Oslo")
    make_profile("c", corpus=corpus, subreddit="Oslo")
    make_profile("d", "e", "f", corpus=make_corpus(ready=False), subreddit="Oslo")
    make_profile("g", corpus=corpus, subreddit="AskReddit")
    response = as_grace.get("/subreddits/")
    (row,) = response.context["page"]
    assert (row.name, row.profile_count, row.comment_count) == ("Oslo", 2, 3)
    assert [h.attribute for h in row.hints] == ["location", "place_of_birth"]
    page = text_of(response)
    assert all(text in page for text in ("r/Oslo", "oslo / norway", "the city", f"/subreddits/hints/{hint.pk}/remove/"))
    assert "AskReddit" not in page


@pytest.mark.parametrize(
    ("query", "is_listed"),
    [
        ("q=oSL", True), ("q=r/oslo", True), ("q=NORWAY", True), ("q=capital", True), ("q=bergen", False),
        ("q=%25", False), ("attribute=location", True), ("attribute=sex", False), ("q=oslo&attribute=age", False),
    ],
)  # fmt: skip
def test_searches_and_filters(as_grace, query, is_listed):
    make_hint(reason="the capital")
    assert ("r/Oslo" in text_of(as_grace.get(f"/subreddits/?{query}"))) is is_listed


@pytest.mark.parametrize("query", ["q=%00", f"q={'x' * 200}", "attribute=height"])
def test_explains_a_filter_it_cannot_read_and_shows_everything(as_grace, query):
    make_hint()
    response = as_grace.get(f"/subreddits/?{query}")
    assert response.status_code == 200
    assert 'role="alert"' in text_of(response)
    assert "r/Oslo" in text_of(response)


@pytest.mark.parametrize("page", ["x", "-1", "0", "9" * 30, "\x00"])
def test_an_odd_page_number_shows_some_page(as_grace, page):
    make_hint()
    assert "r/Oslo" in text_of(as_grace.get("/subreddits/", {"page": page}))


def test_answers_htmx_with_the_rows_alone(as_grace):
    make_hint()
    page = text_of(as_grace.get("/subreddits/", headers=HTMX))
    assert "r/Oslo" in page
    assert "<html" not in page
    assert "Add a hint" not in page


def test_the_next_page_keeps_the_filter(as_grace, monkeypatch):
    monkeypatch.setattr(queries, "PAGE_SIZE", 1)
    for name in ("Oslo", "bergen", "tromso"):
        make_hint(name)
    first = text_of(as_grace.get("/subreddits/?attribute=location"))
    assert "r/bergen" in first
    assert "r/Oslo" not in first
    assert "?attribute=location&amp;page=2" in first
    assert "r/Oslo" in text_of(as_grace.get("/subreddits/?attribute=location&page=2"))


def test_an_empty_list_says_what_to_do(as_grace):
    assert "bin/manage subreddit_hints reset" in text_of(as_grace.get("/subreddits/"))
    assert "Show the whole list" in text_of(as_grace.get("/subreddits/?q=nothing"))


@pytest.mark.parametrize("n_rows", [1, 40])
def test_the_number_of_queries_does_not_grow(as_grace, django_assert_num_queries, n_rows):
    corpus = make_corpus()
    for number in range(n_rows):
        make_hint(f"place{number}")
        make_hint(f"place{number}", "sex", "male")
        make_profile(corpus=corpus, subreddit=f"place{number}")
    as_grace.get("/subreddits/")
    with django_assert_num_queries(5):  # the admin, how many, the page, its hints, what they touch
        as_grace.get("/subreddits/")


def test_hostile_texts_are_only_shown(as_grace):
    evil = "<script>alert(1)</script>"
    hint = make_hint(f"a{evil}", "occupation", evil, f'"><img src=x>{evil}')
    upload_page = upload(as_grace, f"{HEAD}x,{evil},,\n")
    pages = [as_grace.get(path) for path in ("/subreddits/", f"/subreddits/?q={evil}")]
    pages += [as_grace.get(f"/subreddits/hints/{hint.pk}/"), as_grace.get(f"/subreddits/hints/{hint.pk}/remove/")]
    for page in (upload_page, *pages):
        assert page.status_code == 200
        assert "&lt;script&gt;" in text_of(page)
        assert evil not in text_of(page)
        assert "<img src=x" not in text_of(page)


# ── Adding ──────────────────────────────────────────────────────────────────


def test_adds_a_hint_and_writes_it_down(as_grace, grace):
    response = as_grace.post(
        "/subreddits/hints/", OSLO | {"subreddit": " /r/Oslo ", "value": "Oslo/Norway"}, follow=True
    )
    assert "r/Oslo" in messages_of(response)
    assert hint_rows() == [("Oslo", "location", "oslo / norway", "the city")]
    assert entry("hints_changed").actor == grace
    assert entry("hints_changed").details == {"added": 1, "hint": AttributeHint.objects.get().pk}


def test_adding_by_htmx_answers_with_an_empty_form_and_makes_the_list_fetch_itself(as_grace):
    response = as_grace.post("/subreddits/hints/", OSLO, headers=HTMX)
    page = text_of(response)
    assert response.status_code == 200
    assert response["HX-Trigger"] == "hints-changed"
    assert response.context["added"].subreddit == "Oslo"
    assert 'value="Oslo"' not in page
    assert "<html" not in page


def test_a_known_subreddit_keeps_its_spelling(as_grace):
    make_subreddit("OSLO")
    as_grace.post("/subreddits/hints/", OSLO)
    assert [subreddit.name for subreddit in Subreddit.objects.all()] == ["OSLO"]
    assert hint_rows()[0][0] == "OSLO"


REFUSED = [
    ({"attribute": "height"}, "attribute", "is not one of the choices"),
    ({"attribute": "sex", "value": "both"}, "value", "Choose one of: male, female"),
    ({"attribute": "income", "value": "rich"}, "value", "Choose one of: no, low"),
    ({"attribute": "age", "value": "30+"}, "value", "Write an age as 27 or 25-35"),
    ({"value": "a / b / c / d"}, "value", "Write a place as city / state / country"),
    ({"value": "x" * 121}, "value", "at most 120 characters"),
    ({"reason": "x" * 201}, "reason", "at most 200 characters"),
    ({"reason": "a\x00b"}, "reason", "null character"),
    ({"reason": "a\x07b"}, "reason", "cannot be printed"),
]


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
@pytest.mark.parametrize(
    ("typed", "field", "reason"),
    [
        *REFUSED,
        ({"subreddit": ""}, "subreddit", "This field is required"),
        ({"subreddit": "two words"}, "subreddit", "as in its address"),
        ({"subreddit": "x" * 51}, "subreddit", "longer than 50 characters"),
        ({"subreddit": "r/\x00"}, "subreddit", "null character"),
    ],
)
def test_refuses_what_makes_no_sense_beside_the_field(as_grace, headers, typed, field, reason):
    response = as_grace.post("/subreddits/hints/", OSLO | typed, headers=headers)
    assert response.status_code == 422
    assert reason in " ".join(response.context["hint_form"].errors[field])
    assert ("<html" in text_of(response)) is (not headers)
    assert (hint_rows(), actions()) == ([], [])


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_a_hint_is_said_once_whatever_its_case(as_grace, headers):
    make_hint()
    response = as_grace.post(
        "/subreddits/hints/", OSLO | {"subreddit": "OSLO", "value": "OSLO/norway"}, headers=headers
    )
    assert response.status_code == 422
    assert DUPLICATE_HINT in text_of(response)
    assert len(hint_rows()) == 1
    assert actions() == []


# ── Changing ────────────────────────────────────────────────────────────────


def test_changes_a_hint_and_writes_it_down_once(as_grace, grace):
    hint = make_hint()
    at = f"/subreddits/hints/{hint.pk}/"
    assert 'value="oslo / norway"' in text_of(as_grace.get(at))
    typed = {"attribute": "place_of_birth", "value": "Norway", "reason": "from there"}
    for _ in range(2):
        assert as_grace.post(at, typed)["Location"] == "/subreddits/"
    assert hint_rows() == [("Oslo", "place_of_birth", "norway", "from there")]
    assert actions() == ["hints_changed"]
    assert (entry("hints_changed").actor, entry("hints_changed").details) == (grace, {"changed": 1, "hint": hint.pk})


@pytest.mark.parametrize(("typed", "field", "reason"), [*REFUSED, ({"attribute": ""}, "attribute", "required")])
def test_refuses_a_change_that_makes_no_sense(as_grace, typed, field, reason):
    hint = make_hint()
    response = as_grace.post(f"/subreddits/hints/{hint.pk}/", OSLO | typed)
    assert response.status_code == 422
    assert reason in " ".join(response.context["form"].errors[field])
    assert hint_rows() == [("Oslo", "location", "oslo / norway", "the city")]


def test_an_empty_form_is_refused_too(as_grace):
    hint = make_hint()
    assert as_grace.post(f"/subreddits/hints/{hint.pk}/").status_code == 422
    assert as_grace.post("/subreddits/hints/").status_code == 422
    assert as_grace.post("/subreddits/import/").status_code == 422


def test_a_hint_cannot_become_another(as_grace):
    hint = make_hint(value="norway")
    make_hint()
    response = as_grace.post(f"/subreddits/hints/{hint.pk}/", OSLO)
    assert response.status_code == 422
    assert DUPLICATE_HINT in text_of(response)


def test_a_hint_that_does_not_exist_is_not_found(as_grace):
    for path in (f"/subreddits/hints/{10**18}/", f"/subreddits/hints/{10**18}/remove/", f"/subreddits/hints/{10**30}/"):
        assert as_grace.get(path).status_code == 404
    assert as_grace.post(f"/subreddits/hints/{10**18}/", OSLO).status_code == 404


# ── Removing ────────────────────────────────────────────────────────────────


def test_asks_before_it_removes(as_grace, grace):
    hint = make_hint()
    at = f"/subreddits/hints/{hint.pk}/remove/"
    assert as_grace.get(at).status_code == 200
    assert len(hint_rows()) == 1
    assert as_grace.post(at)["Location"] == "/subreddits/"
    assert hint_rows() == []
    assert as_grace.post(at)["Location"] == "/subreddits/"
    assert actions() == ["hints_changed"]
    assert (entry("hints_changed").actor, entry("hints_changed").details) == (grace, {"removed": 1, "hint": hint.pk})
