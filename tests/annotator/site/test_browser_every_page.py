"""Every page: no axe-core violations, no sideways scrolling, no errors in the console."""

import os

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from annotator.accounts.links import invitation_link
from annotator.accounts.services.invitations import create_invitation
from annotator.models import Role
from profiles.hints.store import save_hints, shipped_hints
from profiles.models import SetAside
from tests.annotator.corpora.dumps import make_dump_file, make_imported_corpus, make_ingest
from tests.annotator.detection.runs import detect, detected_run, fail, make_chunk, repeat_run
from tests.factories import PASSWORD, make_annotator, make_assignment, make_profile

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

AXE = Axe().axe_script
# Once htmx has settled, which can still move the page, and from the top: axe takes what the header happens to cover
# for a target that is too small.
OBJECTIONS = """async (options) => {
  const frame = () => new Promise(requestAnimationFrame);
  while (document.querySelector(".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added")) await frame();
  scrollTo({top: 0, behavior: "instant"});
  await frame(); await frame();
  return (await axe.run(options)).violations.flatMap(
    ({id, help, nodes}) => nodes.map(({target}) => `${id} on ${target}: ${help}`));
}"""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
END_TRANSITIONS = """() => { for (const moving of document.getAnimations())
  if (moving instanceof CSSTransition) moving.finish(); }"""


# Contrast takes two thirds of axe's time. test_css.py computes it for both themes, and plain `bin/test` measures it
# where tests ask for it: on the style guide, which has everything that pages are made of, and where texts are marked.
MEASURES_CONTRAST = "TELLTALE_TEST_QUICK" not in os.environ


def assert_accessible(page: Page) -> None:
    """By all rules, in the light theme; by all but contrast in plain `bin/test`."""
    page.evaluate(AXE)
    contrast = {"color-contrast": {"enabled": MEASURES_CONTRAST}}
    options = {"runOnly": RULES, "resultTypes": ["violations"], "rules": contrast}
    assert page.evaluate(OBJECTIONS, options) == [], page.url


def assert_legible_in_the_dark(page: Page) -> None:
    assert_legible(page, "dark")


def assert_legible(page: Page, theme: str) -> None:
    page.evaluate(AXE)
    page.emulate_media(color_scheme=theme)
    page.evaluate(END_TRANSITIONS)
    illegible = page.evaluate(OBJECTIONS, {"runOnly": ["color-contrast"], "resultTypes": ["violations"]})
    page.emulate_media(color_scheme="light")
    assert illegible == [], page.url


def assert_fits(page: Page) -> None:
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{page.url} scrolls sideways by {wide} px"


def visit(page: Page, url: str) -> None:
    page.goto(url)
    assert_accessible(page)
    assert_fits(page)


def test_pages_of_an_evaluator(sign_in, live_server):
    ada = make_annotator("ada")
    held = make_assignment(annotator=ada, profile=make_profile("I moved to Houston\n\nlast week", "again"))
    page = sign_in(ada)
    for path in ("/", f"/batches/{held.batch_id}/", f"/profiles/{held.profile_id}/", "/account/"):
        visit(page, live_server.url + path)


def test_pages_of_an_admin(sign_in, live_server):
    grace = make_annotator("grace", roles=list(Role))
    profile = make_profile("I moved to Houston", "so humid")
    save_hints(shipped_hints()[:20])  # axe takes seconds for a thousand rows that are alike
    page = sign_in(grace)
    for path in (
        "/", "/corpora/", f"/corpora/{profile.corpus_id}/", f"/corpora/{profile.corpus_id}/?q=nobody",
        f"/corpora/{profile.corpus_id}/settings/", f"/corpora/{profile.corpus_id}/delete/",
        "/subreddits/", f"/profiles/{profile.pk}/", "/people/", f"/people/{grace.pk}/", "/privacy/", "/audit/",
        "/account/", "/account/password/change/", "/account/two-factor/", "/styleguide/",
    ):  # fmt: skip
        visit(page, live_server.url + path)
    for theme in ("light", "dark"):
        assert_legible(page, theme)  # the style guide has everything that pages are made of


def test_pages_about_making_a_corpus(sign_in, live_server, settings, tmp_path):
    settings.IMPORT_FOLDERS = [tmp_path]
    for number in range(40):  # enough to scroll in
        (tmp_path / f"RC_{number}.zst").touch()
    made, silent = (
        make_imported_corpus("pilot", min_comments=3),
        make_ingest(quiet=60, done=1, total=3, file="RC_2.zst"),
    )
    make_ingest(made, done=1, total=3, file="RC_1.zst")
    stopped = make_ingest(stage="stopped", problem="The disk is full. Make room, then let it go on.")
    make_dump_file(made, state="failed", problem="It ends in the middle. Download it again.")
    file = make_dump_file(made, "x" * 255, state="loaded", reasons={"not JSON": 3})
    SetAside.objects.create(file=file, line=3, reason="not JSON")
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    for path in (
        "/corpora/", "/corpora/import/", f"/corpora/{made.pk}/", f"/corpora/{made.pk}/provenance/",
        f"/corpora/{made.pk}/import/", f"/corpora/{made.pk}/files/{file.pk}/", f"/corpora/{silent.corpus_id}/",
        f"/corpora/{stopped.corpus_id}/",
    ):  # fmt: skip
        visit(page, live_server.url + path)
    page.set_viewport_size({"width": 390, "height": 800})
    for path in ("/corpora/import/", f"/corpora/{made.pk}/provenance/", f"/corpora/{made.pk}/files/{file.pk}/"):
        page.goto(live_server.url + path)
        assert_fits(page)


def test_pages_about_detection(sign_in, live_server):
    run = detected_run("Anna moved to Houston " + "x" * 3000, "humid", name="r" * 100, problem="No model. Install it.")
    make_chunk(run, 10**9, 10**9, ago=None)
    other, comment = repeat_run(run, name="other"), run.corpus.profiles.get().comments.earliest("pk")
    detect(other, comment, "Anna", "PERSON")
    detect(other, comment, "x" * 3000, "STREET_" + "X" * 33)
    fail(run, comment, detail="d" * 200)
    empty = make_imported_corpus()
    at = f"/corpora/{run.corpus_id}/detection"
    paths = (
        f"{at}/", f"{at}/{run.pk}/", f"{at}/{other.pk}/", f"{at}/compare/?a={run.pk}&b={other.pk}", f"{at}/recipe/",
        f"/corpora/{empty.pk}/detection/",
    )  # fmt: skip
    page = sign_in(make_annotator("grace", roles=[Role.ADMIN]))
    for path in paths:
        visit(page, live_server.url + path)
    page.set_viewport_size({"width": 390, "height": 800})
    for path in paths:
        page.goto(live_server.url + path)
        assert_fits(page)


def test_pages_of_two_factor(sign_in, live_server):
    page = sign_in(make_annotator("ada"))
    visit(page, f"{live_server.url}/account/two-factor/totp/activate/")  # first it asks for the password again
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").click()
    assert_accessible(page)
    expect(page.get_by_role("img", name="QR code")).to_be_visible()


def test_the_page_of_an_invitation(page, live_server):
    invitation = create_invitation(roles=["evaluator"], email="", base_url=live_server.url)
    visit(page, invitation_link(invitation, live_server.url))


def test_pages_of_bad_news(sign_in, live_server, complaints):
    page = sign_in(make_annotator("ada"))
    visit(page, f"{live_server.url}/nowhere/")
    page.context.clear_cookies(name="telltale_csrf")
    page.locator(".user-toggle").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_load_state()
    assert_accessible(page)
    complaints.clear()  # the browser calls a 404 and a 403 errors; the pages are what was looked at


@pytest.mark.parametrize("path", ["/account/login/", "/account/password/reset/", "/join/not-a-token/"])
def test_pages_before_signing_in(page, live_server, path, complaints):
    visit(page, live_server.url + path)
    complaints.clear()  # the browser calls a 404 an error; the page is what was looked at


@pytest.mark.parametrize("width", [768, 640, 390])
def test_nothing_scrolls_sideways_on_a_tablet_or_at_double_size(sign_in, live_server, width):
    grace = make_annotator("grace", display_name="Grace Murray Hopper of the United States Navy", roles=list(Role))
    profile = make_profile("a" * 3000, "so humid")
    page = sign_in(grace)
    page.set_viewport_size({"width": width, "height": 800})
    for path in ("/", "/corpora/", f"/corpora/{profile.corpus_id}/", f"/profiles/{profile.pk}/", "/people/", "/audit/"):
        page.goto(live_server.url + path)
        assert_fits(page)
