"""The pages about guidelines: reading every version, and publishing the next one."""

import threading
from html import unescape

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.test import Client

from annotator.guidelines import services
from annotator.guidelines.queries import versions
from annotator.guidelines.services import first_guidelines, publish
from annotator.guidelines.text import MAX_LENGTH, NO_SECTION, NO_STEP, TOO_LONG
from annotator.guidelines.views import MEANWHILE
from annotator.models import GuidelineVersion
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.batches.test_claim_next import in_threads
from tests.annotator.corpora.hint_lists import HTMX, text_of
from tests.factories import make_annotator, make_batch

pytestmark = pytest.mark.django_db
SHIPPED = first_guidelines()
NEXT = SHIPPED.replace("Read first, answer second.", "Read first, then answer.")
EVIL = "<script>alert(1)</script>"
PAGES = ["/guidelines/", "/guidelines/1/", "/guidelines/1/?changes=1"]


def make_version(number=1, text=SHIPPED, by=None):
    return GuidelineVersion.objects.create(number=number, text=text, created_by=by)


def typed(text=NEXT, based_on=1, **fields):
    return {"text": text, "based_on": based_on, **fields}


def unescaped(response) -> str:
    return unescape(text_of(response))


# ── Who ─────────────────────────────────────────────────────────────────────


def test_everybody_who_is_signed_in_reads_them(ada, grace, rosalind):
    make_version()
    client = Client()
    for path in PAGES:
        assert client.get(path)["Location"].startswith("/account/login/"), path
    for annotator in (ada, grace, rosalind, make_annotator("nobody", roles=[])):
        client.force_login(annotator)
        assert [client.get(path).status_code for path in PAGES] == [200] * len(PAGES)
        assert 'href="/guidelines/"' in text_of(client.get("/"))


def test_only_admins_write_them(ada, rosalind):
    make_version()
    client = Client()
    for visit in (client.get, client.post):
        client.logout()
        assert visit("/guidelines/new/")["Location"].startswith("/account/login/")
        for annotator in (ada, rosalind):
            client.force_login(annotator)
            assert visit("/guidelines/new/", typed()).status_code == 404
            assert "/guidelines/new/" not in text_of(client.get("/guidelines/"))
    assert GuidelineVersion.objects.count() == 1


def test_wrong_methods_are_refused(as_grace):
    make_version()
    for path in PAGES:
        assert as_grace.post(path).status_code == 405
    assert as_grace.put("/guidelines/new/").status_code == 405


def test_forged_forms_are_refused(grace):
    client = Client(enforce_csrf_checks=True)
    client.force_login(grace)
    assert client.post("/guidelines/new/", typed(based_on=0)).status_code == 403


# ── Reading ─────────────────────────────────────────────────────────────────


def test_shows_the_newest_version_with_a_heading_to_jump_to_for_each_section(as_ada):
    make_version(text="Read, then judge.")
    make_version(2)
    response = as_ada.get("/guidelines/")
    page = unescaped(response)
    assert (response.context["version"].number, response.context["is_newest"]) == (2, True)
    for slug, title in (("location", "Location"), ("place-of-birth", "Place of birth"), ("hardness", "Hardness")):
        assert f'<h2 id="{slug}">{title}</h2>' in page
        assert f'href="#{slug}"' in page
    assert '<h3 id="age-cases">Cases</h3>' in page
    assert "<strong>Judge the author.</strong>" in page
    assert "<code>25-35</code>" in page
    assert '<span class="scale-step">5</span>' in page


def test_an_earlier_version_says_so(as_ada):
    make_version(text="Read, then judge.")
    make_version(2)
    response = as_ada.get("/guidelines/1/")
    assert response.context["is_newest"] is False
    assert "Read, then judge." in text_of(response)
    assert '<div class="message message-warning">' in text_of(response)


def test_answers_htmx_with_the_article_alone(as_ada):
    make_version(text="Read, then judge.")
    make_version(2)
    for path in ("/guidelines/", "/guidelines/2/"):
        response = as_ada.get(path, headers=HTMX)
        page = text_of(response)
        assert page.strip().startswith('<article id="guidelines-text"')
        assert page.strip().endswith("</article>")
        assert 'id="certainty"' in page
        assert "HX-Request" in response["Vary"]


def test_a_version_that_does_not_exist_is_not_found(as_ada):
    make_version()
    for number in (0, 2, 10**18, 10**30):
        assert as_ada.get(f"/guidelines/{number}/").status_code == 404


def test_without_any_version_says_what_to_do(as_grace, grace, ada):
    for annotator, may_write in ((grace, True), (ada, False)):
        as_grace.force_login(annotator)
        response = as_grace.get("/guidelines/")
        assert response.templates[0].name == "annotator/guidelines/no_guidelines.html"
        assert ('href="/guidelines/new/"' in text_of(response)) is may_write


def test_shows_what_changed_line_by_line(as_ada):
    make_version(1, "same\n\nold line\n")
    make_version(2, "same\n\nnew line\n")
    response = as_ada.get("/guidelines/2/?changes=1")
    page = text_of(response)
    assert response.context["before"].number == 1
    assert "<ins>new line</ins>" in page
    assert "<del>old line</del>" in page
    assert "<ins>" not in text_of(as_ada.get("/guidelines/2/"))
    first = as_ada.get("/guidelines/1/?changes=1")
    assert (first.context["before"], first.context["changes"]) == (None, ())


def test_lists_the_versions_and_tells_admins_who_and_where(as_grace, ada, grace):
    used = make_batch()
    make_version(2, by=grace)
    page = text_of(as_grace.get("/guidelines/"))
    assert all(text in page for text in ("/guidelines/1/", "/guidelines/2/", "Grace", used.name))
    as_grace.force_login(ada)
    page = text_of(as_grace.get("/guidelines/"))
    assert "/guidelines/1/" in page
    assert [text for text in ("Grace", used.name) if text in page] == []


@pytest.mark.parametrize("in_full", [True, False])
def test_the_list_of_versions_leaves_their_texts_where_they_are(django_assert_num_queries, in_full):
    make_version()
    with django_assert_num_queries(2 if in_full else 1) as queries:
        versions(in_full=in_full)
    assert [query["sql"] for query in queries if '"text"' in query["sql"]] == []


def test_hostile_text_is_only_shown(as_grace):
    hostile = (
        f'# {EVIL}\n\n{EVIL} **{EVIL}** *{EVIL}* `{EVIL}`\n\n## {EVIL}\n\n- {EVIL}\n- **1** {EVIL}\n\n### "><b>{EVIL}\n'
    )
    make_version(1, "x")
    make_version(2, hostile)
    answers = [as_grace.get(path) for path in ("/guidelines/", "/guidelines/2/?changes=1", "/guidelines/new/")]
    answers += [as_grace.get("/guidelines/2/", headers=HTMX)]
    answers += [as_grace.post("/guidelines/new/", typed(hostile, preview="1"), headers=h) for h in ({}, HTMX)]
    answers += [as_grace.post("/guidelines/new/", typed(hostile, based_on=based_on)) for based_on in (1, EVIL)]
    for answer in answers:
        page = text_of(answer)
        assert "&lt;script&gt;" in page
        assert EVIL not in page
        assert '"><b>' not in page


@pytest.mark.parametrize("n", [1, 12])
def test_the_number_of_queries_does_not_grow(as_grace, ada, django_assert_num_queries, n):
    make_batch()
    for number in range(2, n + 2):
        version = make_version(number, by=make_annotator())
        for _ in range(n):
            batch = make_batch()
            rows = type(batch).objects.filter(pk=batch.pk)
            rows.update(started_at=None)  # a batch that runs keeps its guidelines
            rows.update(guideline=version)
    as_grace.get("/guidelines/")
    with django_assert_num_queries(4):  # the admin, the version, all versions, their batches
        as_grace.get("/guidelines/")
    with django_assert_num_queries(6):  # and the newest, and the one before
        as_grace.get("/guidelines/2/?changes=1")
    with django_assert_num_queries(2):
        as_grace.get("/guidelines/new/")
    as_grace.force_login(ada)
    as_grace.get("/guidelines/")
    with django_assert_num_queries(3):
        as_grace.get("/guidelines/")


# ── Writing ─────────────────────────────────────────────────────────────────


def test_begins_with_the_newest_text_or_with_the_shipped_one(as_grace):
    assert as_grace.get("/guidelines/new/").context["form"]["text"].value() == SHIPPED
    make_version(1, "Read, then judge.")
    form = as_grace.get("/guidelines/new/").context["form"]
    assert (form["text"].value(), form["based_on"].value()) == ("Read, then judge.", 1)


def test_publishes_the_next_version_and_writes_it_down(as_grace, grace):
    old = make_version()
    used = make_batch()
    response = as_grace.post("/guidelines/new/", typed(NEXT.replace("\n", "\r\n")), follow=True)
    assert response.redirect_chain == [("/guidelines/2/", 302)]
    published = GuidelineVersion.objects.get(number=2)
    assert (published.text, published.created_by) == (NEXT, grace)
    assert (entry("guidelines_published").actor, entry("guidelines_published").details) == (grace, {"version": 2})
    used.refresh_from_db()
    assert used.guideline == old


def test_publishes_the_first_version(as_grace):
    as_grace.post("/guidelines/new/", typed(SHIPPED, based_on=0))
    assert [(v.number, v.text) for v in GuidelineVersion.objects.all()] == [(1, SHIPPED)]


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("## Age\n\nMine & yours", [NO_SECTION.format(title=title) for title in ("Location", "What you may use")]),
        ("", []),
        ("  \n\n", [NO_SECTION.format(title="Location")]),
        ("x" * 200_001, [TOO_LONG.format(length=200_002, limit=MAX_LENGTH)]),
        (f"{NEXT}\x00", []),
        (NEXT.replace("- **4** Very certain.", "- Very certain."), [NO_STEP.format(title="Certainty", number=4)]),
    ],
)
def test_refuses_what_cannot_be_used_with_every_reason_and_keeps_the_text(as_grace, text, reasons):
    make_version()
    response = as_grace.post("/guidelines/new/", typed(text))
    assert response.status_code == 422
    assert [reason for reason in reasons if reason not in unescaped(response)] == []
    assert response.context["form"]["text"].value() == text
    assert GuidelineVersion.objects.count() == 1
    assert actions() == []


def test_an_empty_form_is_refused(as_grace):
    assert as_grace.post("/guidelines/new/").status_code == 422
    assert as_grace.post("/guidelines/new/", {"preview": "1"}).status_code == 200


@pytest.mark.parametrize("based_on", [0, 1])
def test_the_same_text_is_no_new_version(as_grace, based_on):
    make_version(1, SHIPPED.rstrip())
    response = as_grace.post("/guidelines/new/", typed(SHIPPED.replace("\n", "  \r\n"), based_on))
    assert response.status_code == 422
    assert response.context["form"].non_field_errors()
    assert (GuidelineVersion.objects.count(), actions()) == (1, [])


@pytest.mark.parametrize("based_on", ["1", "x", "", "-1", "9" * 30])
def test_whoever_comes_second_is_told_and_loses_nothing(as_grace, based_on):
    make_version()
    make_version(2, SHIPPED.replace("All people", "All the people"))
    response = as_grace.post("/guidelines/new/", typed(based_on=based_on))
    page = unescaped(response)
    assert response.status_code == 422
    assert MEANWHILE.format(number=2) in page
    assert '<details class="card more" open>' in page
    assert "<del>All the people in the examples are made up.</del>" in page
    form = response.context["form"]
    assert (form["text"].value(), form["based_on"].value()) == (NEXT, "2")
    assert GuidelineVersion.objects.count() == 2
    as_grace.post("/guidelines/new/", typed(form["text"].value(), form["based_on"].value()))
    assert GuidelineVersion.objects.get(number=3).text == NEXT


@pytest.mark.django_db(transaction=True)
def test_of_two_who_publish_at_the_same_moment_one_is_told(monkeypatch, rf, grace):
    make_version()
    both_looked, create = threading.Barrier(2, timeout=10), GuidelineVersion.objects.create

    def create_together(**fields):
        both_looked.wait()
        return create(**fields)

    monkeypatch.setattr(GuidelineVersion.objects, "create", create_together)
    texts = [NEXT, f"{NEXT}\nAnother end.\n"]
    results = in_threads(
        *(lambda text=text: publish(text, by=grace, based_on=1, request=rf.post("/")) for text in texts)
    )
    assert sorted(type(result).__name__ for result in results) == ["GuidelineVersion", "PublishedMeanwhile"]
    assert [version.number for version in GuidelineVersion.objects.order_by("number")] == [1, 2]
    assert actions() == ["guidelines_published"]


def test_a_version_without_its_entry_in_the_log_is_not_kept(monkeypatch, rf, grace):
    def refuse(*args, **kwargs):
        raise IntegrityError

    monkeypatch.setattr(services, "record", refuse)
    with pytest.raises(services.PublishedMeanwhile):
        publish(NEXT, by=grace, based_on=0, request=rf.post("/"))
    assert not GuidelineVersion.objects.exists()


def test_a_version_is_never_edited():
    version = make_version()
    with pytest.raises(DatabaseError, match="Cannot update"), transaction.atomic():
        GuidelineVersion.objects.filter(pk=version.pk).update(text="other")


# ── Preview ─────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["plain", "htmx"])
def test_shows_a_text_before_it_is_published(as_grace, headers):
    make_version()
    response = as_grace.post("/guidelines/new/", typed(preview="1"), headers=headers)
    page = unescaped(response)
    assert response.status_code == 200
    assert "<ins>Read first, then answer." in page
    assert '<h2 id="location">Location</h2>' in page
    assert response.context["preview"].problems == []
    assert ("<html" in page) is (not headers)
    assert ("<textarea" in page) is (not headers)
    assert GuidelineVersion.objects.count() == 1


def test_a_preview_keeps_the_text_and_where_it_began(as_grace):
    make_version()
    form = as_grace.post("/guidelines/new/", typed("half a\r\nthought", preview="1")).context["form"]
    assert (form["text"].value(), form["based_on"].value()) == ("half a\r\nthought", "1")


@pytest.mark.parametrize("text", ["half a thought", "x" * 200_001, "a\x00b", ""])
def test_a_preview_says_what_is_still_missing(as_grace, text):
    response = as_grace.post("/guidelines/new/", typed(text, preview="1"))
    assert response.status_code == 200
    assert response.context["preview"].problems


def test_a_preview_does_not_read_what_is_too_long(as_grace):
    make_version()
    preview = as_grace.post("/guidelines/new/", typed("x" * 200_001, preview="1")).context["preview"]
    assert (preview.guidelines.intro, preview.changes) == ((), ())
