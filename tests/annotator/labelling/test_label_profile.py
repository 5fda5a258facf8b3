"""The labelling page: its contents, who sees it, its cost, and how it handles bad input."""

import re
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from annotator.labelling.cards import Card
from annotator.labelling.services import save_card
from annotator.labelling.submission import submit_assignment
from annotator.models import Batch, Draft
from profiles.attributes import Attribute
from profiles.highlights import MAX_OCCURRENCES
from profiles.hints.store import load_hints
from profiles.models import Comment, DetectionRun, Presence
from tests.annotator.comments.marks import make_detection, make_run
from tests.annotator.labelling.forms import OSLO, quote
from tests.factories import make_annotator, make_assignment, make_batch, make_profile, make_subreddit

pytestmark = pytest.mark.django_db


def text(client, assignment, query=""):
    response = client.get(f"/assignments/{assignment.pk}/{query}")
    assert response.status_code == 200
    return response.content.decode()


def marked(profile, words, **batch):
    """A held assignment whose batch shows a run that found the words in the first comment."""
    run = make_run(profile.corpus)
    make_detection(run, profile.comments.earliest("pk"), words)
    return make_batch(corpus=profile.corpus, recipe=run.recipe, **batch), run


def test_shows_what_was_written_with_its_marks(as_ada, ada):
    profile = make_profile("I moved to Houston", "so humid")
    batch, _ = marked(profile, "Houston")
    page = text(as_ada, make_assignment(annotator=ada, profile=profile, batch=batch))
    assert 'title="Location, score 0.85">Houston</mark>' in page
    assert "so humid" in page
    assert page.count('class="card-of') == 8


def test_many_subreddits_leave_room_for_the_rest_of_the_overview(as_ada, ada):
    profile = make_profile()
    others = [make_subreddit(f"place{number}") for number in range(11)]
    Presence.objects.bulk_create(Presence(profile=profile, subreddit=place, comment_count=1) for place in others)
    page = text(as_ada, make_assignment(annotator=ada, profile=profile))
    assert page.count("data-jump-to") == 12
    assert page.partition("<details")[0].count("data-jump-to") == 10


def test_other_peoples_work_does_not_exist(as_ada):
    theirs = make_assignment(annotator=make_annotator())
    for path in ("", "comments/", "places/", "presidio/", "next/"):
        assert as_ada.get(f"/assignments/{theirs.pk}/{path}").status_code == 404
    assert as_ada.get(f"/assignments/{theirs.pk}/comments/{theirs.profile.comments.get().pk}/").status_code == 404


def test_what_is_only_meant_for_one_cannot_be_opened_yet(as_ada, ada):
    later = make_assignment(annotator=ada, claimed_at=None)
    assert as_ada.get(f"/assignments/{later.pk}/").status_code == 404


def test_whoever_is_signed_out_is_asked_to_sign_in(client, ada):
    held = make_assignment(annotator=ada)
    assert client.get(f"/assignments/{held.pk}/").status_code == 302
    response = client.get(f"/assignments/{held.pk}/comments/")
    assert response.status_code == 401
    assert response.json()["problem"]


def test_nothing_of_anothers_judgement_is_in_the_page(as_ada, ada):
    """Blind: neither values nor notes nor evidence nor who else reads it."""
    profile, batch = make_profile("I live in Oslo"), make_batch(overlap=2)
    other = make_annotator("ludovica")
    theirs = make_assignment(annotator=other, profile=profile, batch=batch, slot=1)
    words = quote(profile.comments.get(), "live")
    save_card(theirs, Attribute.LOCATION, Card("trondheim", 3, 2, note="secretnote", evidence=(words,)), based_on=0)
    submit_assignment(theirs)
    mine = make_assignment(annotator=ada, profile=profile, batch=batch)
    pages = [text(as_ada, mine), as_ada.get(f"/assignments/{mine.pk}/comments/").content.decode()]
    pages.append(as_ada.get(f"/batches/{batch.pk}/").content.decode())
    for page in pages:
        assert not [word for word in ("trondheim", "secretnote", "ludovica", "Ludovica") if word in page]
        assert "evidence-location" not in page


def test_hints_are_shown_unless_the_batch_hides_them(as_ada, ada):
    load_hints()
    profile = make_profile("so humid", subreddit="houston")
    shown = make_assignment(annotator=ada, profile=profile)
    hidden = make_assignment(annotator=ada, profile=profile, batch=make_batch(corpus=profile.corpus, hints_shown=False))
    assert "r/houston, 1" in text(as_ada, shown)
    assert '<span class="place-hint">Location: houston' in text(as_ada, shown)
    assert "place-hint" in as_ada.get(f"/assignments/{shown.pk}/comments/").content.decode()
    assert "place-hint" not in as_ada.get(f"/assignments/{hidden.pk}/comments/").content.decode()
    assert "hints-title" not in text(as_ada, hidden)
    assert "r/houston, 1" not in text(as_ada, hidden)


def test_only_the_run_of_the_batch_is_shown(as_ada, ada):
    profile = make_profile("I moved to Houston")
    make_detection(make_run(profile.corpus, "before"), profile.comments.get(), "I", "PERSON")
    batch, _ = marked(profile, "Houston")
    make_detection(make_run(profile.corpus, "other"), profile.comments.get(), "moved", "PERSON")
    page = text(as_ada, make_assignment(annotator=ada, profile=profile, batch=batch))
    assert "mark-location" in page
    assert "mark-person" not in page.replace('mark-person"', "")
    assert ">moved</mark>" not in page


def test_says_how_far_presidio_is(as_ada, ada):
    profile = make_profile("I moved to Houston")
    batch, run = marked(profile, "Houston")
    DetectionRun.objects.filter(pk=run.pk).update(finished_at=None)
    held = make_assignment(annotator=ada, profile=profile, batch=batch)
    assert "Presidio is still running: 0 of 1 comments" in text(as_ada, held)
    box = as_ada.get(f"/assignments/{held.pk}/presidio/").content.decode()
    assert 'data-again="10000"' in box


def test_hostile_text_is_text(as_ada, ada):
    bad = '<script>alert(1)</script> & "quotes" \'\u202e\u200b <img src=x onerror=alert(1)>'
    page = text(as_ada, make_assignment(annotator=ada, profile=make_profile(bad)))
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;" in page


def test_no_mark_is_shifted_by_what_comes_before_it(as_ada, ada):
    profile = make_profile("😀👩‍👩‍👧 e\u0301 \U0001f1f3\U0001f1f4 in Oslo\r\nand Oslo")
    batch, _ = marked(profile, "Oslo")
    page = text(as_ada, make_assignment(annotator=ada, profile=profile, batch=batch))
    assert ">Oslo</mark>\r\nand Oslo" in page


def test_evidence_is_framed_and_a_mark_it_cuts_keeps_its_letter_once(as_ada, ada):
    profile = make_profile("I moved to New York City")
    batch, _ = marked(profile, "New York City")
    held = make_assignment(annotator=ada, profile=profile, batch=batch)
    words = quote(profile.comments.get(), "to New York")
    save_card(held, Attribute.LOCATION, Card("new york", evidence=(words,)), based_on=0)
    page = text(as_ada, held)
    assert '<span class="evidence evidence-location" title="Evidence: Location">to </span>' in page
    assert page.count('class="mark mark-location"') == 1
    assert page.count('class="mark mark-location mark-on"') == 1


def test_evidence_that_no_longer_matches_breaks_nothing(as_ada, ada):
    held = make_assignment(annotator=ada)
    gone = {"comment": held.profile.comments.get().pk, "start": 10**6, "end": 10**6 + 4, "text": "gone"}
    Draft.objects.create(assignment=held, attribute="age", evidence=[gone], saved_at=timezone.now())
    assert ">gone</button>" in text(as_ada, held)


def test_what_was_submitted_can_be_read_but_not_written(as_ada, ada):
    held = make_assignment(annotator=ada)
    submit_assignment(held, nothing=True)
    page = text(as_ada, held)
    assert f'action="/assignments/{held.pk}/reopen/"' in page
    assert page.count(" disabled>") >= 8
    assert 'data-do="submit"' not in page


def test_a_closed_batch_says_so(as_ada, ada):
    held = make_assignment(annotator=ada)
    Batch.objects.update(closed_at=timezone.now())
    page = text(as_ada, held)
    assert 'class="message message-info"' in page
    assert 'data-writable="no"' in page
    assert "/reopen/" not in page


def test_a_skipped_profile_leads_back_to_its_batch(as_ada, ada):
    held = make_assignment(annotator=ada, skipped_at=timezone.now(), skip_reason="bot")
    assert as_ada.get(f"/assignments/{held.pk}/").headers["Location"] == f"/batches/{held.batch_id}/"


def test_the_page_is_small_on_the_wire(as_ada, ada):
    held = make_assignment(annotator=ada, profile=make_profile(*["I moved to Houston, so humid."] * 40))
    response = as_ada.get(f"/assignments/{held.pk}/", headers={"Accept-Encoding": "gzip"})
    assert response.headers["Content-Encoding"] == "gzip"
    assert len(response.content) < 12_000


# ── Blocks ───────────────────────────────────────────────────────────────────
def spread(*counts):
    """A profile with so many comments in r/a, r/B, r/c …, numbered in the order they are to be read."""
    profile = make_profile("number 0", subreddit="a")
    names, rows = "aBcdefgh", []
    for name, count in zip(names, counts, strict=False):
        place = make_subreddit(name)
        for n in range(count - (name == "a")):
            at = datetime(2013, 5, 2 + n % 20, n // 20 % 24, n // 480, tzinfo=UTC)
            rows.append((place, at, n))
        if name != "a":
            Presence.objects.create(profile=profile, subreddit=place, comment_count=count)
    rows.sort(key=lambda row: (row[0].name.lower(), row[1]))
    Comment.objects.bulk_create(
        Comment(profile=profile, subreddit=place, reddit_id=-1 - i, written_at=at, body=f"number {i + 1}")
        for i, (place, at, _) in enumerate(rows)
    )
    Presence.objects.filter(profile=profile, subreddit__name="a").update(comment_count=counts[0])
    type(profile).objects.filter(pk=profile.pk).update(comment_count=sum(counts))
    profile.refresh_from_db()
    return profile


def numbers(response):
    import re

    return [int(n) for n in re.findall(r">number (\d+)<", response.content.decode())]


@pytest.mark.parametrize("counts", [(3,), (50,), (51, 1, 1, 1), (120, 30, 5), (1, 1, 1, 140)])
def test_the_blocks_together_are_all_comments_in_order(as_ada, ada, counts):
    held = make_assignment(annotator=ada, profile=spread(*counts))
    shown = []
    for first in range(0, sum(counts), 50):
        shown += numbers(as_ada.get(f"/assignments/{held.pk}/comments/?first={first}"))
    assert shown == list(range(sum(counts)))


@pytest.mark.parametrize("first", ["-1", "99999", "x", "", "1e3", "²"])
def test_a_position_that_does_not_exist_shows_what_there_is(as_ada, ada, first):
    held = make_assignment(annotator=ada, profile=spread(3))
    assert numbers(as_ada.get(f"/assignments/{held.pk}/comments/?first={first}")) == [0, 1, 2]


def test_search_and_filters_narrow_down(as_ada, ada):
    profile = spread(60, 10)
    batch, _ = marked(profile, "number")
    held = make_assignment(annotator=ada, profile=profile, batch=batch)

    def shown(query):
        return numbers_any(as_ada.get(f"/assignments/{held.pk}/comments/?{query}"))

    assert shown("q=NUMBER+6") == 50  # a search narrows nothing
    assert shown("q=NUMBER+6&only=on") == 11  # 6, 60 … 69
    assert shown("only=on") == 50
    assert shown("subreddit=b") == 10
    assert shown("year=2013") == 50
    assert shown("year=2012") == 0
    assert shown("found=on") == 1
    assert shown("q=%25&only=on") == shown("q=_&only=on") == shown("q=\\&only=on") == 0


def numbers_any(response):
    return response.content.decode().count('class="comment"')


def test_hits_are_marked_wherever_they_stand(as_ada, ada):
    held = make_assignment(annotator=ada, profile=make_profile("Wow, wow, WOW"))
    page = as_ada.get(f"/assignments/{held.pk}/comments/?q=wow").content.decode()
    assert [page.count(f'<span class="hit">{word}</span>') for word in ("Wow", "wow", "WOW")] == [1, 1, 1]


def test_places_say_where_something_was_found(as_ada, ada):
    profile = spread(60, 10)
    run = make_run(profile.corpus)
    late = profile.comments.get(body="number 65")
    make_detection(run, late, "number")
    make_detection(run, late, "65", "PERSON")
    batch = make_batch(corpus=profile.corpus, recipe=run.recipe)
    held = make_assignment(annotator=ada, profile=profile, batch=batch)

    def places(query):
        return as_ada.get(f"/assignments/{held.pk}/places/?{query}").json()["places"]

    assert places("") == [[65, late.pk, 2]]
    assert places("type=PERSON&text=65") == [[65, late.pk, 1]]
    assert places("type=PERSON&text=66") == []
    assert places("subreddit=B") == [[5, late.pk, 2]]
    assert places(f"q=number+6&only=on&comment={late.pk}") == [[6, late.pk]]  # after 6, 60 … 64
    assert places(f"q=number+6&comment={late.pk}") == [[65, late.pk]]
    assert places(f"comment={late.pk}") == [[65, late.pk]]
    assert places("comment=99999999999999999999") == []
    assert places("comment=x") == []
    assert places("text=%00") == [[65, late.pk, 2]]
    profile.comments.filter(pk=late.pk).update(written_at=datetime(2013, 1, 1, tzinfo=UTC))
    assert places(f"comment={late.pk}") == [[60, late.pk]]  # the first of its subreddit


def test_places_say_where_the_words_of_a_search_occur_and_how_often(as_ada, ada):
    held = make_assignment(annotator=ada, profile=make_profile("Wow, wow, WOW", "No.", "100%_ wow", "a" * 500))
    first, _, third, last = held.profile.comments.order_by("written_at").values_list("pk", flat=True)

    def hits(query):
        return as_ada.get(f"/assignments/{held.pk}/places/?hits=on&{query}").json()["places"]

    assert hits("q=wow") == [[0, first, 3], [2, third, 1]]
    assert hits("q=wow&only=on") == [[0, first, 3], [1, third, 1]]
    assert hits("q=%25_") == [[2, third, 1]]
    assert hits("q=a") == [[3, last, MAX_OCCURRENCES]]
    assert hits("q=") == hits("q=nothing") == []


def test_one_comment_anew(as_ada, ada):
    held = make_assignment(annotator=ada, profile=make_profile("I live in Oslo"))
    comment = held.profile.comments.get()
    save_card(held, Attribute.LOCATION, Card("oslo", evidence=(quote(comment, "Oslo"),)), based_on=0)
    fresh = as_ada.get(f"/assignments/{held.pk}/comments/{comment.pk}/").content.decode()
    assert ">Oslo</span>" in fresh
    stranger = make_profile("elsewhere").comments.get()
    assert as_ada.get(f"/assignments/{held.pk}/comments/{stranger.pk}/").status_code == 404


def test_evidence_for_two_cards_has_the_letter_of_each_of_them_wherever_it_is_shown(as_ada, ada):
    held = make_assignment(annotator=ada, profile=make_profile("I study in Oslo"))
    comment = held.profile.comments.get()
    for attribute, value in ((Attribute.EDUCATION, "in college"), (Attribute.LOCATION, "oslo")):
        save_card(held, attribute, Card(value, evidence=(quote(comment, "Oslo"),)), based_on=0)
    for path in ("", "comments/", f"comments/{comment.pk}/"):
        assert letters(text(as_ada, held, path)) == ["location", "education"]


def test_overlapping_evidence_has_each_letter_once(as_ada, ada):
    held = make_assignment(annotator=ada, profile=make_profile("I study law in Oslo now"))
    comment = held.profile.comments.get()
    for attribute, value, words in (
        (Attribute.LOCATION, "oslo", "law in Oslo"), (Attribute.EDUCATION, "in college", "study law in"),
    ):  # fmt: skip
        save_card(held, attribute, Card(value, evidence=(quote(comment, words),)), based_on=0)
    assert letters(text(as_ada, held)) == ["education", "location"]


def letters(page):
    """The attributes whose letter stands in the comments, in order."""
    return re.findall(r'class="evidence evidence-(\w+)"', page)


def test_the_months_are_a_table_with_a_row_for_each_year(as_ada, ada):
    profile = make_profile("One.", "Two.")
    profile.comments.filter(pk=profile.comments.latest("pk").pk).update(written_at=datetime(2015, 2, 1, tzinfo=UTC))
    profile.comments.filter(pk=profile.comments.earliest("pk").pk).update(written_at=datetime(2014, 11, 1, tzinfo=UTC))
    page = text(as_ada, make_assignment(annotator=ada, profile=profile))
    cells = re.findall(r'data-month="([^"]+)">(\d+)</td>', page)
    assert cells == [("Nov 2014", "1"), ("Dec 2014", "0"), ("Jan 2015", "0"), ("Feb 2015", "1")]
    assert re.findall(r'<th scope="row">(\d+)</th>', page) == ["2014", "2015"]
    assert "Nov 2014 – Feb 2015" in page


def test_all_positions_are_those_of_the_comments_shown(as_ada, ada):
    held = make_assignment(annotator=ada, profile=make_profile("One.", "Two.", "Three."))
    places = as_ada.get(f"/assignments/{held.pk}/places/?all=on").json()["places"]
    assert [position for position, _ in places] == [0, 1, 2]
    assert {number for _, number in places} == set(held.profile.comments.values_list("pk", flat=True))
    narrowed = as_ada.get(f"/assignments/{held.pk}/places/?all=on&q=two&only=on").json()["places"]
    assert narrowed == [[0, held.profile.comments.get(body="Two.").pk]]


@pytest.mark.parametrize("counts", [(1,), (60, 10), (600, 100, 20, 5)])
def test_query_count_does_not_grow_with_what_was_written(as_ada, ada, django_assert_num_queries, counts):
    profile = spread(*counts)
    batch, _ = marked(profile, "number")
    held = make_assignment(annotator=ada, profile=profile, batch=batch)
    save_card(held, Attribute.LOCATION, OSLO, based_on=0)
    text(as_ada, held)  # the session is read once
    # person, assignment, drafts, run, chapters, block, around, hints, months, found (later when large)
    with django_assert_num_queries(10 if sum(counts) <= 500 else 9):
        text(as_ada, held)
    with django_assert_num_queries(7):  # person, assignment, drafts, hints, run, chapters, block
        as_ada.get(f"/assignments/{held.pk}/comments/?first=50")
