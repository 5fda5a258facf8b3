"""Malicious, or merely long and strange, text: nothing runs, nothing shifts by even one character."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotator.models import Draft
from tests.annotator.comments.marks import make_detection, make_run
from tests.annotator.labelling.browser import (  # noqa: F401 _served holds for every test here
    LONG_TASKS,
    _served,
    card,
    draft,
    expect_saved,
    fill_value,
    make_slots,
    open_card,
    open_profile,
    press,
    select_words,
    shown_text,
    take_as_evidence,
    value_of,
)
from tests.annotator.site.test_browser_every_page import assert_fits
from tests.factories import make_corpus, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HOSTILE = {
    "html": "</div><script>window.hurt = 1</script><img src=x onerror='window.hurt = 1'>&lt;b&gt; Houston {{ 7 }}",
    "bidi": "\u202egnirts\u202c and \u2066isolated\u2069 Houston \u202e no end",
    "unseen": "\u200bz\u200de\u200cr\ufeffo\u2060 Houston\u00ad\u034f",
    "astral": "😀🏳️‍🌈👩‍👩‍👧 𝒽𝑒𝓁𝓁𝑜 𠜎 Houston 𐍈",
    "breaks": "one\r\ntwo\r\n\r\nthree\rfour\nHouston\r\nfive",
    "combined": "e\u0301a\u0308\u0323 Zal\u0334\u0335\u0336go\u0337 Houston नि한글",
    "odd": "\u0085\u2028\u2029\x0b\x1f\x7f Houston \ufffe\ud7ff",
}


def as_shown(body: str) -> str:
    return re.sub("\r\n?", "\n", body)


@pytest.fixture
def slot(ada):
    corpus = make_corpus()
    profile = make_profile(*HOSTILE.values(), corpus=corpus)
    older, run, newer = (make_run(corpus, name) for name in ("older", "shown", "newer"))
    for comment in profile.comments.all():
        make_detection(run, comment, "Houston")
        for stale in (older, newer):
            make_detection(stale, comment, comment.body[:3], "PERSON")
    return make_slots(ada, profile, recipe=run.recipe)[0]


@pytest.fixture
def comments(slot):
    return dict(zip(HOSTILE, slot.profile.comments.order_by("pk"), strict=True))


@pytest.fixture
def opened(sign_in, live_server, ada, slot):
    return open_profile(sign_in(ada), live_server, slot)


def test_text_is_shown_as_written_and_nothing_runs(opened, comments):
    page = opened
    for kind, comment in comments.items():
        assert shown_text(page, comment) == as_shown(comment.body), kind
    assert page.evaluate("window.hurt") is None
    assert page.locator("#comments script, #comments img").count() == 0


def test_a_mark_covers_exactly_its_words_and_those_of_another_run_are_not_there(opened, comments):
    page = opened
    marks = page.locator("#comments .mark")
    expect(marks).to_have_text(["Houston"] * len(comments), use_inner_text=False)
    assert page.locator("#comments .mark[data-type=PERSON]").count() == 0


def test_evidence_quotes_exactly_what_was_selected(opened, slot, comments):
    page = opened
    words = {
        "astral": "𠜎 Houston 𐍈",
        "breaks": "Houston",
        "combined": "Houston नि",
        "bidi": "Houston",
        "html": "Houston {{",
    }
    for kind, text in words.items():
        select_words(page, comments[kind], text)
        take_as_evidence(page, "location")
    expect_saved(page)
    by_pk = {comment.pk: comment for comment in comments.values()}
    kept = draft(slot, "location").evidence
    assert {quote["text"] for quote in kept} == set(words.values())
    for quote in kept:
        assert by_pk[quote["comment"]].body[quote["start"] : quote["end"]] == quote["text"]


def test_evidence_over_a_line_break_is_kept_as_written(opened, slot, comments):
    page = opened
    select_words(page, comments["breaks"], "two\n\nthree\nfour\nHouston")
    take_as_evidence(page, "location")
    expect_saved(page)
    (quote,) = draft(slot, "location").evidence
    assert quote["text"] == "two\r\n\r\nthree\rfour\nHouston"
    assert comments["breaks"].body[quote["start"] : quote["end"]] == quote["text"]
    marked = page.locator(f"#comment-{comments['breaks'].pk} .evidence")
    expect(marked.first).to_be_attached()
    assert "".join(marked.all_text_contents()) == "two\n\nthree\nfour\nHouston"


def test_the_current_detection_after_astral_characters_is_quoted_exactly(opened, slot, comments):
    page = opened
    page.locator(f"#comment-{comments['unseen'].pk} time").click()
    press(page, "d", "d", "e")
    expect(card(page, "location").locator(".quote")).to_have_count(1)
    expect_saved(page)
    (quote,) = draft(slot, "location").evidence
    assert (quote["comment"], quote["text"]) == (comments["astral"].pk, "Houston")


def test_a_look_up_of_long_astral_words_is_no_error(sign_in, live_server, ada):
    comment_text = "x" + "😀" * 400
    slot = make_slots(ada, make_profile(comment_text))[0]
    page = open_profile(sign_in(ada), live_server, slot)
    select_words(page, slot.profile.comments.get(), comment_text)
    expect(page.locator("[data-service=google]")).to_have_attribute("href", re.compile("q=x%F0%9F"))


def test_evidence_that_no_longer_matches_breaks_nothing(sign_in, live_server, ada):
    slot = make_slots(ada, make_profile("I moved"))[0]
    stale = {"comment": slot.profile.comments.get().pk, "start": 2, "end": 900, "text": "long gone"}
    Draft.objects.create(assignment=slot, attribute="age", evidence=[stale], saved_at=timezone.now())
    page = open_profile(sign_in(ada), live_server, slot)
    expect(card(page, "age").locator(".quote-text")).to_have_text("long gone")
    assert shown_text(page, slot.profile.comments.get()) == "I moved"
    open_card(page, "age").get_by_role("button", name="Remove this evidence").click()
    expect_saved(page)
    fill_value(page, "age", "27")
    expect_saved(page)
    assert (draft(slot, "age").value, draft(slot, "age").evidence) == ("27", [])


def test_a_hundred_thousand_characters_without_a_space(sign_in, live_server, ada, context):
    context.add_init_script(LONG_TASKS)
    slot = make_slots(ada, make_profile("x" * 100_000, "after it"))[0]
    page = open_profile(sign_in(ada), live_server, slot)
    expect(page.locator("#comments .comment")).to_have_count(2)
    page.locator("#comments .comment").last.scroll_into_view_if_needed()
    assert_fits(page)
    pane = page.locator("#reading").evaluate("pane => pane.scrollWidth - pane.clientWidth")
    assert pane <= 0
    assert page.evaluate("window.longest") < 1000
