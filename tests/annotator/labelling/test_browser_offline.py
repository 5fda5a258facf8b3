"""The network is cut while somebody labels: nothing is lost, nothing is sent twice."""

import pytest
from playwright.sync_api import expect

from annotator.models import Draft, Submission
from tests.annotator.labelling.browser import (  # noqa: F401 _served holds for every test here
    _served,
    answer,
    choose,
    draft,
    expect_saved,
    fill_value,
    forgive,
    make_slots,
    next_is_ready,
    open_profile,
    press,
    select_words,
    state,
    submit,
    take_as_evidence,
    value_of,
)
from tests.factories import make_corpus, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def slots(ada):
    corpus = make_corpus()
    many = [f"comment {n}" for n in range(120)]
    return make_slots(ada, make_profile(*many, corpus=corpus), make_profile("Another.", corpus=corpus))


@pytest.fixture
def page(sign_in, live_server, ada, slots):
    page = sign_in(ada)
    with next_is_ready(page):
        open_profile(page, live_server, slots[0])
    return page


def change_three(page) -> None:
    fill_value(page, "age", "27")
    fill_value(page, "occupation", "nurse")
    choose(page, "sex", "Male")
    expect(state(page)).to_have_attribute("data-save", "offline")


def kept(slot) -> dict[str, tuple[str, int]]:
    return {draft.attribute: (draft.value, draft.version) for draft in Draft.objects.filter(assignment=slot)}


THREE = {"age": ("27", 1), "occupation": ("nurse", 1), "sex": ("male", 1)}


def test_changes_wait_and_are_sent_once_when_the_network_is_back(page, context, slots, complaints):
    sent = []
    context.set_offline(True)
    change_three(page)
    assert kept(slots[0]) == {}
    page.on("response", lambda response: sent.append(response.url.split("/")[-2]) if "/answers/" in response.url else 0)
    context.set_offline(False)
    expect_saved(page)
    assert kept(slots[0]) == THREE
    assert sent == ["age", "occupation", "sex"]
    forgive(complaints)


def test_changes_outlive_the_tab_they_were_made_in(page, context, live_server, slots, complaints):
    context.set_offline(True)
    change_three(page)
    page.close()
    context.set_offline(False)
    again = open_profile(context.new_page(), live_server, slots[0])
    expect(value_of(again, "age")).to_have_value("27")
    expect(value_of(again, "occupation")).to_have_value("nurse")
    expect_saved(again)
    assert kept(slots[0]) == THREE
    assert again.evaluate("Object.keys(localStorage).filter((key) => /^telltale:\\d/.test(key)).length") == 0
    forgive(complaints)


def test_submitting_without_a_network_says_so_and_loses_nothing(page, context, slots, complaints):
    answer(page, "age", "27")
    expect_saved(page)
    context.set_offline(True)
    submit(page)
    expect(page.locator("#messages")).to_contain_text("offline")
    message = page.locator("#messages").inner_text()
    fill_value(page, "age", "28")
    expect(state(page)).to_have_attribute("data-save", "offline")
    submit(page)
    expect(page.locator("#messages")).not_to_have_text(message)
    assert not Submission.objects.exists()
    context.set_offline(False)
    expect_saved(page)
    expect(page.locator("#messages .message")).to_have_count(0)
    submit(page)
    expect(page.locator("h1")).to_have_text(slots[1].profile.pseudonym)
    assert draft(slots[0], "age").value == "28"
    forgive(complaints)


def test_an_answer_that_was_saved_but_never_confirmed_is_no_conflict(page, slots, complaints):
    def swallow(route):
        route.fetch()
        route.abort()

    page.route("**/answers/age/", swallow)
    fill_value(page, "age", "27")
    expect(state(page)).to_have_attribute("data-save", "offline")
    page.unroute("**/answers/age/")
    fill_value(page, "age", "28")
    expect_saved(page)
    expect(page.locator("#conflict")).to_be_hidden()
    assert kept(slots[0]) == {"age": ("28", 2)}
    forgive(complaints)


def test_reading_on_without_a_network_is_no_error(page, context, slots, complaints):
    comment = slots[0].profile.comments.earliest("pk")
    select_words(page, comment, "comment")
    context.set_offline(True)
    take_as_evidence(page, "location")
    press(page, "d", "]", "?", "Escape", "g")
    expect(page.locator("#guidelines-body")).to_contain_text("cannot be reached")
    press(page, "Escape")
    page.locator("#comments .comment").nth(49).scroll_into_view_if_needed()
    page.locator("#comments .comment").nth(49).click()
    press(page, "j", "j")
    expect(page.locator("#announce")).to_contain_text("cannot be reached")
    context.set_offline(False)
    expect_saved(page)
    expect(page.locator(f"#comment-{comment.pk} .evidence")).to_have_text("comment")
    forgive(complaints)


def test_what_is_typed_before_the_scripts_are_there_is_kept(page, slots):
    held = []
    page.route("**/js/labelling.js", lambda route: held.append(route))  # noqa: PLW0108 Playwright asks for a function
    page.reload(wait_until="commit")
    page.wait_for_function("document.readyState != 'loading'")  # then the browser has restored the form
    fill_value(page, "age", "27")
    choose(page, "sex", "Male")
    for route in held:
        route.continue_()
    expect(page.locator("html.scripted")).to_be_attached()
    expect_saved(page)
    assert kept(slots[0]) == {"age": ("27", 1), "sex": ("male", 1)}
