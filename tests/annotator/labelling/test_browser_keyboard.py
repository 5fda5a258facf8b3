"""Labelling with the keyboard alone."""

import re

import pytest
from playwright.sync_api import expect

from annotator.labelling.cards import CardState
from annotator.models import Evidence, Flag, Judgement
from tests.annotator.comments.marks import make_detection, make_run
from tests.annotator.labelling.browser import (  # noqa: F401 _served holds for every test here
    _served,
    add_comments,
    card,
    draft,
    expect_saved,
    make_slots,
    next_is_ready,
    open_profile,
    press,
    value_of,
)
from tests.factories import make_corpus, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
MAX_KEYS = 25
FOCUS = """() => {
  const now = document.activeElement, style = getComputedStyle(now), box = now.getBoundingClientRect();
  const near = now.closest("label, .segmented label") ?? now, around = getComputedStyle(near);
  const ring = [style, around].some((one) => one.outlineStyle !== "none" && parseFloat(one.outlineWidth) > 0);
  const shadow = [style, around].some((one) => one.boxShadow !== "none");
  return { tag: now.tagName, does: now.dataset?.do ?? "", seen: ring || shadow, inside: box.bottom > 0 && box.right > 0,
    what: now.outerHTML.slice(0, 120) };
}"""


@pytest.fixture
def slots(ada):
    corpus = make_corpus()
    first = make_profile("Anna moved to Houston.", "Nothing here.", "Back to Houston again.", corpus=corpus)
    add_comments(first, "Zebra", ["Stripes of Houston.", "More stripes."])
    run = make_run(corpus)
    for comment in first.comments.filter(body__contains="Houston"):
        make_detection(run, comment, "Houston")
    make_detection(run, first.comments.earliest("pk"), "Anna", "PERSON")
    second = make_profile("Another profile.", corpus=corpus)
    return make_slots(ada, first, second, recipe=run.recipe)


@pytest.fixture
def page(sign_in, live_server, ada, slots):
    page = sign_in(ada)
    with next_is_ready(page):
        open_profile(page, live_server, slots[0])
    return page


@pytest.fixture
def comments(slots):
    return list(slots[0].profile.comments.order_by("pk"))


def here(page):
    return page.locator("#comments .comment[aria-current]")


def at_mark(page):
    return page.locator("#comments .mark[aria-current]")


def test_three_attributes_and_evidence_in_few_keystrokes(page, slots, record_property):
    keys = press(page, "1")
    page.keyboard.type("houston")
    expect(page.locator("#places-location [role=option]").first).to_be_visible()
    keys += press(page, "ArrowDown", "Enter", "1", "5")
    keys += press(page, "d", "d", "e")
    expect(page.locator(".evidence-location")).to_have_text("Houston")
    keys += press(page, "2", "2", "3", "4")
    keys += press(page, "3")
    page.keyboard.type("27")
    keys += press(page, "Enter", "2", "3", "Control+Enter")
    expect(page.locator("h1")).to_have_text(slots[1].profile.pseudonym)
    kept = Judgement.objects.filter(assignment=slots[0]).exclude(value="")
    answers = {judgement.attribute: (judgement.value, judgement.hardness, judgement.certainty) for judgement in kept}
    assert answers == {
        "location": ("houston / texas / united states", 1, 5), "sex": ("female", 3, 4), "age": ("27", 2, 3),
    }  # fmt: skip
    assert Evidence.objects.get(judgement__assignment=slots[0]).text == "Houston"
    record_property("keystrokes", keys)
    assert keys <= MAX_KEYS


def test_the_current_detection_becomes_evidence(page, slots, comments):
    press(page, "d")
    expect(at_mark(page)).to_have_text("Anna")
    press(page, "d", "e")
    expect(page.locator(".evidence-location")).to_have_text("Houston")
    expect_saved(page)
    (quote,) = draft(slots[0], "location").evidence
    assert (quote["comment"], comments[0].body[quote["start"] : quote["end"]]) == (comments[0].pk, "Houston")


def test_digits_rate_what_is_missing_whatever_has_the_focus(page, slots):
    press(page, "d", "d", "v")
    expect(value_of(page, "location")).to_have_value("Houston")
    press(page, "Enter", "2", "4")
    expect(page.locator("[data-expects-digit]")).to_have_count(0)
    press(page, "3")
    expect(value_of(page, "age")).to_be_focused()
    press(page, "Escape", "1")
    expect(card(page, "location").locator(".card-head")).to_be_focused()  # there is a value: keys are commands
    press(page, "h", "3", "c", "0")
    expect_saved(page)
    kept = draft(slots[0], "location")
    assert (kept.value, kept.hardness, kept.certainty) == ("Houston", 3, 0)
    assert not slots[0].drafts.filter(attribute="age").exists()
    press(page, "8", "7")  # no such level
    expect(page.locator("#announce.notification")).to_be_in_viewport()
    expect(card(page, "education").locator("input:checked")).to_have_count(0)
    press(page, "Escape", "7")
    expect(card(page, "income")).to_have_class(re.compile("is-current"))
    press(page, "Tab", "Tab", "2")  # the scale that has the focus is meant
    expect(card(page, "income").locator("input:checked")).to_have_attribute("name", "income-certainty")


def test_the_walk_goes_on_after_evidence_was_taken(page, comments):
    press(page, "d", "e")
    expect(page.locator(".evidence-location")).to_have_text("Anna")
    expect(at_mark(page)).to_have_text("Anna")
    expect(here(page)).to_be_focused()
    press(page, "d")
    expect(at_mark(page)).to_have_text("Houston")
    press(page, "d")
    expect(here(page)).to_have_id(f"comment-{comments[2].pk}")


def test_a_detection_with_evidence_inside_it_is_taken_whole(page, slots, comments):
    press(page, "j")
    press(page, "ArrowRight", "e")
    expect(page.locator(".evidence-location")).to_have_text("Anna")
    page.evaluate(
        """(id) => {
        const text = document.querySelector(`#comment-${id} .mark[data-type=LOCATION]`).firstChild;
        getSelection().setBaseAndExtent(text, 2, text, 4); }""",
        comments[0].pk,
    )
    press(page, "2", "e")
    expect(page.locator(".evidence-sex")).to_have_text("us")
    press(page, "d", "3")
    press(page, "Escape", "d")
    expect(at_mark(page)).to_have_text("Ho")
    press(page, "e")
    expect_saved(page)
    assert [quote["text"] for quote in draft(slots[0], "age").evidence] == ["Houston"]


def test_words_are_selected_with_the_arrows(page, slots, comments):
    press(page, "j", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "2", "e")
    expect(page.locator(".evidence-sex")).to_have_text("moved to")
    expect_saved(page)
    assert draft(slots[0], "sex").evidence[0]["text"] == "moved to"


def test_walks_through_comments_detections_and_subreddits(page, comments):
    press(page, "j")
    expect(here(page)).to_have_id(f"comment-{comments[0].pk}")
    press(page, "j")
    expect(here(page)).to_have_id(f"comment-{comments[1].pk}")
    press(page, "k")
    expect(here(page)).to_have_id(f"comment-{comments[0].pk}")
    press(page, "]")
    expect(here(page)).to_have_id(f"comment-{comments[3].pk}")
    press(page, "d", "D")
    expect(here(page)).to_have_id(f"comment-{comments[2].pk}")
    press(page, "d")
    expect(here(page)).to_have_id(f"comment-{comments[3].pk}")
    press(page, "[")
    expect(here(page)).to_have_id(f"comment-{comments[0].pk}")


def test_searches_and_walks_through_the_hits(page, comments):
    press(page, "/")
    page.keyboard.type("houston")
    expect(page.locator("#hit-at")).to_have_text("1 of 3")
    expect(page.locator("#shown-count")).to_have_text("5 comments")
    press(page, "Enter")
    expect(here(page)).to_be_focused()
    hit = page.locator(".hit[aria-current]")
    for key, comment, number in (("n", 2, 2), ("n", 3, 3), ("n", 0, 1), ("p", 3, 3)):
        press(page, key)
        expect(here(page)).to_have_id(f"comment-{comments[comment].pk}")
        expect(hit).to_have_text("Houston")
        expect(page.locator("#hit-at")).to_have_text(f"{number} of 3")
    press(page, "Escape")
    expect(page.locator(".hit")).to_have_count(0)
    expect(page.locator("#filter [name=q]")).to_have_value("")
    expect(here(page)).to_have_id(f"comment-{comments[3].pk}")


def test_takes_a_match_as_evidence_and_selects_words_from_it(page, slots, comments):
    press(page, "/")
    page.keyboard.type("houston")
    expect(page.locator("#hit-at")).to_have_text("1 of 3")
    press(page, "Enter", "1", "Escape", "e")
    expect(page.locator(".evidence-location")).to_have_text("Houston")
    expect_saved(page)
    (quote,) = draft(slots[0], "location").evidence
    body = comments[0].body
    assert (quote["comment"], body[quote["start"] : quote["end"]]) == (comments[0].pk, "Houston")
    press(page, "n", "Shift+ArrowLeft")
    before = comments[2].body[: comments[2].body.index("Houston")].split()[-1]
    assert page.evaluate("getSelection().toString()").strip() == f"{before} Houston"


def test_leaving_the_search_clears_it_and_goes_back(page, comments):
    press(page, "]", "/")
    page.keyboard.type("houston")
    expect(page.locator("#hit-at")).to_have_text("3 of 3")
    press(page, "Escape")
    expect(page.locator("#hits")).to_be_hidden()
    expect(page.locator(".hit")).to_have_count(0)
    expect(page.locator("#comments .comment")).to_have_count(5)


def test_subreddits_are_walked_through_in_a_search_too(page, comments):
    press(page, "/")
    page.keyboard.type("houston")
    page.get_by_label("Only matches").check()
    expect(page.locator("#shown-count")).to_have_text("Showing 3 of 5 comments")
    press(page, "/", "Enter", "]")
    expect(here(page)).to_have_id(f"comment-{comments[3].pk}")
    press(page, "[")
    expect(here(page)).to_have_id(f"comment-{comments[0].pk}")


def test_help_and_guidelines_open_and_close(page):
    for key, dialog in (("?", "#shortcuts"), ("g", "#guidelines")):
        press(page, key)
        expect(page.locator(dialog).locator("h2").first).to_be_in_viewport()
        press(page, "Escape")
        expect(page.locator(dialog)).to_be_hidden()
    expect(page.locator("#guidelines-body")).not_to_be_empty()


def test_a_flag_is_raised_and_its_dialog_keeps_its_keys(page, slots, comments):
    press(page, "j", "f")
    page.keyboard.type("j x d ?")
    press(page, "Control+Enter")
    press(page, "Tab", "Enter")
    expect(page.locator("#flag")).to_be_hidden()
    assert Flag.objects.get(assignment=slots[0]).comment == comments[0]
    expect(page.locator("h1")).to_have_text(slots[0].profile.pseudonym)


def test_keys_do_nothing_while_one_types(page, slots):
    press(page, "1")
    page.keyboard.type("jdx?h3/g")
    expect(value_of(page, "location")).to_have_value("jdx?h3/g")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(here(page)).to_have_count(0)
    press(page, "Escape", "Escape")
    expect(value_of(page, "location")).not_to_be_focused()
    press(page, "j")
    expect(here(page)).to_have_count(1)


def test_submits_from_within_a_field(page, slots):
    press(page, "3")
    page.keyboard.type("27")
    press(page, "Enter", "h", "2", "c", "3", "t")
    page.keyboard.type("a note")
    press(page, "Control+Enter")
    expect(page.locator("h1")).to_have_text(slots[1].profile.pseudonym)
    assert Judgement.objects.get(assignment=slots[0], attribute="age").note == "a note"


def test_other_answers_have_keys_too(page, slots):
    press(page, "4", "Escape", "w", "h", "1", "c", "1", "r")
    expect(value_of(page, "occupation")).to_have_value("none")
    expect_saved(page)
    kept = draft(slots[0], "occupation")
    assert (kept.value, kept.required_subreddit) == ("none", True)
    press(page, "x")
    expect(card(page, "occupation")).to_have_attribute("data-state", CardState.NOTHING.value)
    expect(value_of(page, "occupation")).to_have_value("")


def test_the_reasons_for_skipping_are_walked_with_the_arrows(page):
    page.locator("[popovertarget=skip]").focus()
    press(page, "Enter")
    page.locator("#skip input[type=radio]").first.focus()
    press(page, "Space", "ArrowRight")
    expect(page.locator("#skip input[type=radio]").nth(1)).to_be_checked()


def test_single_keys_can_be_turned_off_for_good(page):
    press(page, "?")
    page.get_by_label("Single keys are on").uncheck()
    press(page, "Escape", "j")
    page.reload()
    expect(page.locator("html.scripted")).to_be_attached()
    press(page, "j", "g")
    expect(here(page)).to_have_count(0)
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.locator("[data-dialog-open=shortcuts]").click()
    page.get_by_label("Single keys are on").check()
    press(page, "Escape", "j")
    expect(here(page)).to_have_count(1)


def test_focus_is_seen_and_goes_through_the_whole_page(page):
    reached, cards = [], set()
    for _ in range(260):
        press(page, "Tab")
        focus = page.evaluate(FOCUS)
        if focus["tag"] == "BODY":
            break
        assert (focus["seen"], focus["inside"]) == (True, True), focus["what"]
        reached.append(focus["does"])
        cards.add(page.evaluate("document.activeElement.closest('.card-of')?.dataset.attribute ?? ''"))
    else:
        pytest.fail("the focus never left the page")
    assert "submit" in reached
    assert len(cards - {""}) == 8
