"""The profile page."""

import re
from datetime import UTC, datetime
from math import ceil

import pytest

from profiles.encryption import seal
from profiles.models import AccountName, AttributeHint, Comment
from tests.factories import make_annotator, make_assignment, make_batch, make_profile, make_subreddit

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def add_comment(profile, subreddit, body, day=1):
    place = make_subreddit(subreddit)
    Comment.objects.create(
        profile=profile, subreddit=place, reddit_id=900_000 + Comment.objects.count(),
        written_at=datetime(2014, 1, day, tzinfo=UTC), body=body,
    )  # fmt: skip
    count = profile.comments.filter(subreddit=place).count()
    profile.presences.update_or_create(subreddit=place, defaults={"comment_count": count})


def test_shows_comments_by_subreddit_then_date_without_regard_to_case(as_grace):
    profile = make_profile("in the middle", subreddit="Boston")
    add_comment(profile, "zebra", "comes last")
    add_comment(profile, "aquarium", "second in aquarium", day=9)
    add_comment(profile, "aquarium", "first in aquarium", day=2)
    page = as_grace.get(f"/profiles/{profile.pk}/").content.decode()
    places = [page.index(text) for text in ("first in aquarium", "second in aquarium", "in the middle", "comes last")]
    assert places == sorted(places)


def test_shows_an_evaluator_what_they_were_given(as_ada, ada):
    assignment = make_assignment(annotator=ada)
    assert as_ada.get(f"/profiles/{assignment.profile_id}/").status_code == 200


def test_other_profiles_do_not_exist_for_an_evaluator(as_ada):
    assignment = make_assignment(annotator=make_annotator())
    assert as_ada.get(f"/profiles/{assignment.profile_id}/").status_code == 404


def draft_batch(profile):
    return make_batch(corpus=profile.corpus, started_at=None)


def unclaimed(ada):
    return make_assignment(annotator=ada, claimed_at=None)


def unclaimed_and_planted(ada):
    return make_assignment(annotator=ada, claimed_at=None, is_planted=True)


def in_a_draft(ada):
    profile = make_profile()
    return make_assignment(annotator=ada, claimed_at=None, profile=profile, batch=draft_batch(profile))


def claimed_in_a_draft(ada):
    profile = make_profile()
    return make_assignment(annotator=ada, profile=profile, batch=draft_batch(profile))


def in_the_pool(ada):
    return make_assignment()


@pytest.mark.parametrize("make", [unclaimed, unclaimed_and_planted, in_a_draft, claimed_in_a_draft, in_the_pool])
def test_an_evaluator_reads_only_what_they_claimed_in_a_started_batch(as_ada, ada, make):
    given, own = make(ada), make_assignment(annotator=ada)
    comment = given.profile.comments.get()
    at, body = f"/assignments/{given.pk}", comment.body
    paths = [
        f"/profiles/{given.profile_id}/", f"{at}/", f"{at}/comments/", f"{at}/comments/{comment.pk}/", f"{at}/places/",
        f"{at}/presidio/", f"{at}/next/", f"{at}/practice/", f"/assignments/{own.pk}/comments/{comment.pk}/",
    ]  # fmt: skip
    for path in paths:
        for headers in ({}, HTMX):
            response = as_ada.get(path, headers=headers)
            assert response.status_code == 404, path
            assert body not in response.content.decode()


def test_the_page_of_a_batch_links_only_profiles_that_can_be_read(as_ada, ada):
    batch = make_batch()
    claimed = make_assignment(annotator=ada, profile=make_profile(corpus=batch.corpus), batch=batch)
    waiting = make_assignment(annotator=ada, profile=make_profile(corpus=batch.corpus), batch=batch, claimed_at=None)
    page = as_ada.get(f"/batches/{batch.pk}/").content.decode()
    assert f'href="/assignments/{claimed.pk}/"' in page
    assert f"/profiles/{waiting.profile_id}/" not in page


def test_asks_strangers_to_sign_in(client):
    assert client.get(f"/profiles/{make_profile().pk}/").status_code == 302


def test_hostile_text_is_shown_and_not_run(as_grace):
    profile = make_profile("<script>alert(1)</script> {{ 7|add:7 }} \u202eevil\u202c & <b>bold</b>")
    page = as_grace.get(f"/profiles/{profile.pk}/").content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt; {{ 7|add:7 }}" in page
    assert "<script>alert" not in page
    assert "<b>bold" not in page


def test_never_shows_the_account_behind_the_pseudonym(as_grace):
    profile = make_profile("hello there")
    AccountName.objects.create(profile=profile, sealed=seal("tinroof_rusty"))
    page = as_grace.get(f"/profiles/{profile.pk}/").content.decode()
    assert profile.pseudonym in page
    assert "tinroof" not in page


def test_an_evaluator_is_not_offered_the_account_name(as_ada, ada):
    page = as_ada.get(f"/profiles/{make_assignment(annotator=ada).profile_id}/").content.decode()
    assert "account" not in page.lower().replace("account settings", "").replace("/account/", "")


def test_shows_hints_with_their_source(as_grace):
    profile = make_profile("rain again", subreddit="Seattle")
    AttributeHint.objects.create(subreddit=make_subreddit("Seattle"), attribute="location", value="seattle")
    page = as_grace.get(f"/profiles/{profile.pk}/").content.decode()
    assert "Location: <strong>seattle</strong>" in page
    assert "from r/Seattle (1)" in page


def test_hides_hints_from_an_evaluator_whose_batch_hides_them(as_ada, ada):
    profile = make_profile("rain again", subreddit="Seattle")
    AttributeHint.objects.create(subreddit=make_subreddit("Seattle"), attribute="location", value="a guess")
    make_assignment(annotator=ada, profile=profile, batch=make_batch(hints_shown=False))
    page = as_ada.get(f"/profiles/{profile.pk}/").content.decode()
    assert "rain again" in page
    assert "a guess" not in page
    assert "Hints" not in page


@pytest.mark.parametrize(
    ("subreddit", "shown", "hidden"), [("houston", "so humid", "rain again"), ("SEATTLE", "rain again", "so humid")]
)
def test_shows_one_subreddit_alone(as_grace, subreddit, shown, hidden):
    profile = make_profile("rain again", subreddit="Seattle")
    add_comment(profile, "Houston", "so humid")
    page = as_grace.get(f"/profiles/{profile.pk}/?subreddit={subreddit}").content.decode()
    assert shown in page
    assert hidden not in page


def test_lists_the_subreddits_largest_first(as_grace):
    profile = make_profile("one", "two", subreddit="zebra")
    for subreddit in ("Boston", "aquarium"):
        add_comment(profile, subreddit, "text")
    page = as_grace.get(f"/profiles/{profile.pk}/").content.decode()
    listed = [page.index(f'">r/{name}</a>') for name in ("zebra", "aquarium", "Boston")]
    assert listed == sorted(listed)


def test_sends_a_giant_profile_page_by_page(as_grace, monkeypatch):
    monkeypatch.setattr("annotator.corpora.views.corpora.COMMENTS_PER_PAGE", 2)
    profile = make_profile("first text", "second text", "third text")
    page = as_grace.get(f"/profiles/{profile.pk}/").content.decode()
    assert "second text" in page
    assert "third text" not in page
    rest = as_grace.get(f"/profiles/{profile.pk}/?page=2", headers=HTMX).content.decode()
    assert "third text" in rest
    assert "<html" not in rest


@pytest.mark.parametrize(("query", "expected"), [("", [0, 1, 2, 3, 4, 5]), ("&subreddit=b", [3, 4, 5])])
def test_a_page_goes_on_where_the_one_before_ended(as_grace, monkeypatch, query, expected):
    monkeypatch.setattr("annotator.corpora.views.corpora.COMMENTS_PER_PAGE", 2)
    profile = make_profile("number 0", "number 1", "number 2", subreddit="a")
    for n in (3, 4, 5):
        add_comment(profile, "B", f"number {n}", day=n)
    pages = [as_grace.get(f"/profiles/{profile.pk}/?page={n + 1}{query}") for n in range(ceil(len(expected) / 2))]
    assert [int(n) for page in pages for n in re.findall(r">number (\d)<", page.content.decode())] == expected


@pytest.mark.parametrize("page", ["0", "-1", "many", "99999", "1e9", ""])
def test_a_page_that_is_not_there_is_the_nearest_one(as_grace, page):
    profile = make_profile("only text")
    assert "only text" in as_grace.get(f"/profiles/{profile.pk}/?page={page}").content.decode()


@pytest.mark.parametrize("comments", [1, 40])
def test_query_count_does_not_grow_with_comments(as_grace, django_assert_num_queries, comments):
    profile = make_profile(*["text"] * comments)
    as_grace.get("/")
    with django_assert_num_queries(9):  # person, profile, seen before?, entry, runs, places, hints, activity, comments
        as_grace.get(f"/profiles/{profile.pk}/")
