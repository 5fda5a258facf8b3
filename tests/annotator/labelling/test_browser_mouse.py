"""Labelling with the mouse: from the home page to the next profile, and back."""

import pytest
from playwright.sync_api import expect

from annotator.labelling.forms import NO_REASON
from annotator.models import Assignment, Evidence, Flag, Judgement, LookUp, Submission
from tests.annotator.labelling.browser import (  # noqa: F401 _served holds for every test here
    _served,
    answer,
    card,
    choose,
    draft,
    expect_saved,
    fill_value,
    forgive,
    make_slots,
    next_is_ready,
    open_card,
    open_profile,
    rate,
    select_words,
    submit,
    take_as_evidence,
    value_of,
)
from tests.factories import make_corpus, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def slots(ada):
    corpus = make_corpus()
    return make_slots(ada, *(make_profile("I moved to Houston, so humid.", "Rain.", corpus=corpus) for _ in range(3)))


@pytest.fixture
def open_first(sign_in, live_server, ada, slots):
    def open_first():
        page = sign_in(ada)
        with next_is_ready(page):
            open_profile(page, live_server, slots[0])
        return page

    return open_first


def test_from_home_to_the_next_profile(sign_in, live_server, ada, slots):
    page, comment = sign_in(ada), slots[0].profile.comments.earliest("pk")
    page.goto(live_server.url)
    with next_is_ready(page):
        page.get_by_role("button", name="Continue").click()
    value_of(page, "location").press_sequentially("houston")
    page.locator("#places-location [role=option]").filter(has_text="texas").first.click()
    expect(value_of(page, "location")).to_have_value("houston / texas / united states")
    rate(page, "location", hardness=1, certainty=5)
    choose(page, "sex", "Female")
    rate(page, "sex", hardness=3, certainty=2)
    open_card(page, "location").locator("summary").click()
    card(page, "location").locator("textarea").fill("said so")
    select_words(page, comment, "moved to Houston")
    take_as_evidence(page, "location")
    expect(page.locator(f"#comment-{comment.pk} .evidence-location")).to_have_text("moved to Houston")
    expect_saved(page)
    page.evaluate("window.survives = true")
    submit(page)
    expect(page.locator("h1")).to_have_text(slots[1].profile.pseudonym)
    assert page.evaluate("window.survives")
    location = Judgement.objects.get(assignment=slots[0], attribute="location")
    assert (location.value, location.hardness, location.certainty, location.note) == (
        "houston / texas / united states", 1, 5, "said so",
    )  # fmt: skip
    quote = Evidence.objects.get(judgement=location)
    assert quote.text == comment.body[quote.start : quote.end] == "moved to Houston"
    sex = Judgement.objects.get(assignment=slots[0], attribute="sex")
    assert (sex.value, sex.hardness, sex.certainty) == ("female", 3, 2)
    assert Judgement.objects.filter(assignment=slots[0], value="").count() == 6
    assert not Submission.objects.get(assignment=slots[0]).nothing_inferred


def test_words_dragged_over_with_the_mouse_open_the_menu(open_first, slots):
    page, comment = open_first(), slots[0].profile.comments.earliest("pk")
    box = page.locator(f"#comment-{comment.pk} .written").bounding_box()
    page.mouse.move(box["x"] + 1, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 120, box["y"] + 10, steps=4)
    page.mouse.up()
    expect(page.locator("#selection-menu")).to_be_visible()
    page.locator("[data-evidence=location]").click()
    expect_saved(page)
    (quote,) = draft(slots[0], "location").evidence
    assert quote["text"]
    assert quote["text"] == comment.body[quote["start"] : quote["end"]]


def test_a_look_up_opens_elsewhere_is_remembered_and_suggests_four(open_first, context, slots):
    context.route(lambda url: "127.0.0.1" not in url and "localhost" not in url, lambda route: route.abort())
    page, comment = open_first(), slots[0].profile.comments.earliest("pk")
    hints = page.locator(".looked-up:visible")
    expect(hints).to_have_count(0)
    select_words(page, comment, "moved to Houston,")
    link = page.locator("[data-service=openstreetmap]")
    expect(link).to_have_attribute("href", "https://www.openstreetmap.org/search?query=moved%20to%20Houston%2C")
    for attribute, value in (("target", "_blank"), ("rel", "noopener noreferrer")):
        expect(link).to_have_attribute(attribute, value)
    with page.expect_response("**/look-ups/"), context.expect_page() as elsewhere:
        link.click()
    elsewhere.value.close()
    looked = LookUp.objects.get(assignment=slots[0])
    assert (looked.service, looked.words) == ("openstreetmap", "moved to Houston,")
    assert looked.attribute == "location"
    expect(hints).to_have_count(1)
    page.reload()
    expect(card(page, "location").locator(".looked-up")).to_be_visible()
    expect(hints).to_have_count(1)


def test_back_to_the_last_profile_reopen_change_and_submit_again(open_first, slots):
    page = open_first()
    answer(page, "age", "27")
    submit(page)
    expect(page.locator("h1")).to_have_text(slots[1].profile.pseudonym)
    page.locator("#previous-profile").click()
    expect(value_of(page, "age")).to_be_disabled()
    page.locator("form[action$='/reopen/'] button").click()
    expect(value_of(page, "age")).to_be_enabled()
    fill_value(page, "age", "28")
    expect_saved(page)
    submit(page)
    expect(page.locator("h1")).to_have_text(slots[1].profile.pseudonym)
    answers = Submission.objects.filter(assignment=slots[0]).order_by("number").values_list("answers", flat=True)
    ages = [next(answer["value"] for answer in version if answer["attribute"] == "age") for version in answers]
    assert ages == ["27", "28"]
    assert Judgement.objects.get(assignment=slots[0], attribute="age").value == "28"


def test_skips_with_a_reason(open_first, slots, complaints):
    page = open_first()
    page.locator("[popovertarget=skip]").click()
    assert page.locator("#skip").evaluate("menu => menu.scrollWidth <= menu.clientWidth")
    page.locator("[data-do=skip]").click()
    expect(page.locator("#skip-problem")).to_have_text(NO_REASON)
    page.locator("#skip input[value=bot]").check()
    page.locator("#skip-remark").fill("posts every minute")
    page.locator("[data-do=skip]").click()
    expect(page.locator("h1")).to_have_text(slots[1].profile.pseudonym)
    skipped = Assignment.objects.get(pk=slots[0].pk)
    assert (skipped.skip_reason, skipped.skip_remark) == ("bot", "posts every minute")
    forgive(complaints)


def test_flags_a_comment(open_first, slots):
    page, comment = open_first(), slots[0].profile.comments.earliest("pk")
    page.locator(f"#comment-{comment.pk}").hover()
    page.locator(f"#comment-{comment.pk} .flag-comment").click()
    page.locator("#flag-remark").fill("this hurts")
    page.locator("#flag-form button[type=submit]").click()
    expect(page.locator("#messages .message-success")).to_be_visible()
    flag = Flag.objects.get(assignment=slots[0])
    assert (flag.comment, flag.remark) == (comment, "this hurts")


def test_that_nothing_can_be_inferred_is_asked_once_and_recorded(open_first, slots, complaints):
    page = open_first()
    submit(page)
    page.locator("#nothing [data-dialog-close]").click()
    assert not Submission.objects.exists()
    submit(page)
    page.locator("[data-nothing-confirm]").click()
    expect(page.locator("h1")).to_have_text(slots[1].profile.pseudonym)
    assert Submission.objects.get(assignment=slots[0]).nothing_inferred
    forgive(complaints)


def test_a_card_that_is_not_complete_is_pointed_at(open_first, slots, complaints):
    page = open_first()
    fill_value(page, "age", "30+")
    expect(card(page, "age").locator(".card-notice")).to_contain_text("30-40")
    submit(page)
    expect(page.locator("#messages .message-error")).to_be_visible()
    expect(value_of(page, "age")).to_be_focused()
    assert not Submission.objects.exists()
    forgive(complaints)


def test_a_selection_stays_while_its_comment_is_rendered_again(open_first, slots):
    page, comment = open_first(), slots[0].profile.comments.earliest("pk")
    select_words(page, comment, "moved to Houston")
    with page.expect_request("**/answers/location/"):
        take_as_evidence(page, "location")
        select_words(page, comment, "Houston, so")
    expect(page.locator(f"#comment-{comment.pk} .evidence")).to_have_count(1)
    assert page.evaluate("getSelection().toString()") == "Houston, so"
    take_as_evidence(page, "age")
    expect_saved(page)
    assert [span["text"] for span in draft(slots[0], "age").evidence] == ["Houston, so"]


def test_evidence_that_is_removed_is_no_longer_marked(open_first, slots):
    page, comment = open_first(), slots[0].profile.comments.earliest("pk")
    select_words(page, comment, "Houston")
    take_as_evidence(page, "location")
    expect(page.locator(f"#comment-{comment.pk} .evidence")).to_have_count(1)
    open_card(page, "location").get_by_role("button", name="Remove this evidence").click()
    expect(page.locator(f"#comment-{comment.pk} .evidence")).to_have_count(0)
    expect_saved(page)
    assert draft(slots[0], "location").evidence == []


def test_nothing_on_a_submitted_profile_can_be_changed_in_view(open_first, slots):
    page = open_first()
    answer(page, "location", "houston / texas / united states")
    submit(page)
    expect(page.locator("h1")).to_have_text(slots[1].profile.pseudonym)
    page.locator("#previous-profile").click()
    expect(value_of(page, "location")).to_be_disabled()
    for key in ("h", "5", "x", "w", "r", "Control+Enter"):
        page.keyboard.press(key)
    expect(value_of(page, "location")).to_have_value("houston / texas / united states")
    expect(value_of(page, "occupation")).to_have_value("")
    expect(card(page, "location").locator("[data-scale=hardness] input:checked")).to_have_value("1")
