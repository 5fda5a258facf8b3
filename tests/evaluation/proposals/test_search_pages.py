"""The pages about searches: ask, watch, list, decide, with and without scripts."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotator.core.formatting import THIN
from annotator.models import AuditEntry
from evaluation.models import SubredditProposal, SubredditSearch
from evaluation.proposals import job, tasks
from evaluation.proposals.services.decisions import accept_proposal, reject_proposal
from evaluation.proposals.services.searches import STILL_RUNNING
from evaluation.proposals.views.searches import DELETED
from profiles.models import AttributeHint
from tests.annotator.corpora.hint_lists import hint_rows, make_hint, messages_of, text_of
from tests.evaluation.llm.rows import ELSEWHERE, make_endpoint
from tests.evaluation.proposals.searches import HTMX, NAMES, make_proposal, make_proposals, make_search
from tests.factories import make_annotator, make_corpus, make_profile

pytestmark = pytest.mark.django_db
LIST, NEW = "/subreddits/searches/", "/subreddits/searches/new/"
Decision = SubredditProposal.Decision


def page_of(search_or_proposal):
    search = getattr(search_or_proposal, "search", search_or_proposal)
    return f"{LIST}{search.pk}/"


def fill(**fields):
    endpoint = fields.pop("endpoint", None) or make_endpoint()
    return {
        "attribute": "location",
        "value": "London",
        "number": 5,
        "examples": "r/uk, AskUK",
        "endpoint": endpoint.pk,
    } | fields


# ── Who ─────────────────────────────────────────────────────────────────────


def test_is_for_admins_only(ada, rosalind):
    proposal, client = make_proposal(), Client()
    at, decide = page_of(proposal), f"/subreddits/proposals/{proposal.pk}/"
    visits = [
        *((client.get, path) for path in (LIST, NEW, at, f"{at}delete/", f"{at}accept-certain/")),
        *((client.post, path) for path in (NEW, f"{at}again/", f"{at}cancel/", f"{at}delete/", f"{at}accept-certain/")),
        *((client.post, f"{decide}{action}/") for action in ("accept", "reject", "undo")),
    ]
    for visit, path in visits:
        assert visit(path)["Location"].startswith("/account/login/"), path
    for person in (ada, rosalind):
        client.force_login(person)
        assert {visit(path).status_code for visit, path in visits} == {404}
    proposal.refresh_from_db()
    assert proposal.decision == Decision.OPEN


def test_wrong_methods_and_forged_forms_are_refused(as_grace, grace):
    proposal = make_proposal()
    posts = [f"{page_of(proposal)}{name}/" for name in ("again", "cancel")]
    posts += [f"/subreddits/proposals/{proposal.pk}/{name}/" for name in ("accept", "reject", "undo")]
    assert {as_grace.get(path).status_code for path in posts} == {405}
    assert {as_grace.post(path).status_code for path in (LIST, page_of(proposal))} == {405}
    assert as_grace.put(NEW).status_code == 405
    forger = Client(enforce_csrf_checks=True)
    forger.force_login(grace)
    assert {forger.post(path).status_code for path in (*posts, NEW)} == {403}


def test_what_does_not_exist_is_not_found(as_grace):
    paths = [f"{LIST}999/again/", f"{LIST}999/cancel/", f"{LIST}999/delete/", f"{LIST}999/accept-certain/"]
    paths += [f"/subreddits/proposals/999/{name}/" for name in ("accept", "reject", "undo")]
    assert {as_grace.post(path).status_code for path in paths} == {404}
    assert as_grace.get(f"{LIST}999/").status_code == 404


def test_the_subreddit_list_links_to_the_searches(as_grace):
    assert f'href="{reverse("evaluation:subreddit_searches")}"' in text_of(as_grace.get("/subreddits/"))


# ── Asking ──────────────────────────────────────────────────────────────────


def test_a_search_is_requested_and_queued(as_grace, grace, monkeypatch, django_capture_on_commit_callbacks):
    calls = []
    monkeypatch.setattr(tasks.search_subreddits, "delay", calls.append)
    with django_capture_on_commit_callbacks(execute=True):
        response = as_grace.post(NEW, fill(value="  Greater   London "))
    search = SubredditSearch.objects.get()
    assert response.url == page_of(search)
    assert (search.attribute, search.value, search.wanted, search.examples) == (
        "location", "Greater London", 5, ["uk", "AskUK"],
    )  # fmt: skip
    assert (search.asked_by, search.prompt.partition("@")[0]) == (grace, "proposals-1")
    assert calls == [search.pk]


def test_the_page_says_what_is_sent(as_grace):
    make_endpoint()
    assert "and nobody’s comments" in text_of(as_grace.get(NEW))


def test_without_an_endpoint_the_page_says_so(as_grace):
    page = text_of(as_grace.get(NEW))
    assert "No model is set up" in page
    assert '<form class="card' not in page


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"attribute": "sex", "value": "men"}, "value"), ({"attribute": "age", "value": "young"}, "value"),
        ({"value": ""}, "value"), ({"value": "a\x07b"}, "value"), ({"value": "a / b / c / d"}, "value"),
        ({"attribute": "height"}, "attribute"), ({"number": 0}, "number"), ({"number": 101}, "number"),
        ({"number": "many"}, "number"), ({"examples": "r/Ask-Women uk"}, "examples"),
        ({"examples": " ".join(f"name{n}" for n in range(21))}, "examples"), ({"endpoint": 0}, "endpoint"),
    ],
)  # fmt: skip
def test_refuses_what_cannot_be_asked(as_grace, fields, wrong):
    response = as_grace.post(NEW, fill() | fields)
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [wrong]
    assert not SubredditSearch.objects.exists()


def test_takes_the_codes_of_closed_lists(as_grace):
    as_grace.post(NEW, fill(attribute="marital_status", value="No Relation"))
    assert SubredditSearch.objects.get().value == "no relation"


def test_an_endpoint_that_is_not_confirmed_or_archived_is_refused(as_grace, settings):
    settings.MODEL_HOSTS = ["api.example.org"]
    elsewhere = make_endpoint(ELSEWHERE, name="Elsewhere")
    archived = make_endpoint(name="Old", archived_at=timezone.now())
    for endpoint in (elsewhere, archived):
        response = as_grace.post(NEW, fill(endpoint=endpoint))
        assert list(response.context["form"].errors) == ["endpoint"]


def test_a_new_search_starts_with_the_words_of_another(as_grace):
    search = make_search(attribute="occupation", value="nurse", number=9, examples=["nursing"])
    page = text_of(as_grace.get(f"{NEW}?like={search.pk}"))
    assert all(text in page for text in ('value="nurse"', 'value="9"', 'value="nursing"'))
    for like in ("999", "x", "", "9" * 40, "²"):
        assert as_grace.get(NEW, {"like": like}).status_code == 200


# ── The list ────────────────────────────────────────────────────────────────


def test_the_list_counts_proposals(as_grace):
    proposals = make_proposals("london", "AskUK", "uk", "europe", certain=["london", "AskUK"])
    accept_proposal(proposals[0].pk)
    reject_proposal(proposals[3].pk)
    make_search(value="<b>Leeds</b>")
    response = as_grace.get(LIST)
    newest, row = response.context["page"]
    counts = row.counts
    assert (counts.proposed, counts.certain, counts.accepted, counts.rejected, counts.open) == (4, 2, 1, 1, 2)
    assert counts.open_certain == 1
    assert newest.counts.proposed == 0
    assert "&lt;b&gt;Leeds" in text_of(response)


def test_the_list_polls_while_a_search_is_live(as_grace):
    make_proposal()
    assert b"hx-get" not in as_grace.get(LIST, headers=HTMX).content
    make_search()
    fragment = as_grace.get(LIST, headers=HTMX).content
    assert b"hx-get" in fragment
    assert b"<html" not in fragment


@pytest.mark.parametrize("searches", [1, 12])
def test_queries_do_not_grow_with_searches(as_grace, django_assert_num_queries, searches):
    for _ in range(searches):
        make_proposals()
    with django_assert_num_queries(3):  # person, count, rows
        as_grace.get(LIST)


# ── A search ────────────────────────────────────────────────────────────────


def test_shows_what_each_proposal_would_touch_and_what_is_listed(as_grace):
    london, *_ = make_proposals("London", "AskUK", "europe", certain=["London"], reason="<i>so</i>")
    first, second = make_corpus("first"), make_corpus("second")
    make_profile("a", "b", corpus=first, subreddit="london")
    make_profile("c", corpus=first, subreddit="london")
    make_profile("d", corpus=second, subreddit="london")
    make_profile("e", corpus=make_corpus(ready=False), subreddit="AskUK")
    make_hint("london", "place_of_birth", "england")
    make_hint("AskUK", "location", "london")
    response = as_grace.get(page_of(london))
    rows = response.context["proposals"]
    assert [[(t.corpus, t.comments, t.profiles) for t in row.touched] for row in rows] == [
        [("first", 3, 2), ("second", 1, 1)], [], [],
    ]  # fmt: skip
    assert [(row.is_listed, [hint.value for hint in row.hints]) for row in rows] == [
        (False, ["england"]), (True, ["london"]), (False, []),
    ]  # fmt: skip
    page = text_of(response)
    assert "3 comments, 2 profiles" in page
    assert "0, not in any corpus" in page
    assert "&lt;i&gt;so" in page


@pytest.mark.parametrize("count", [1, 30])
def test_queries_do_not_grow_with_proposals(as_grace, django_assert_num_queries, count):
    proposals = make_proposals(*(f"name{number}" for number in range(count)))
    for proposal in proposals:
        make_profile(subreddit=proposal.name)
        make_hint(proposal.name)
        accept_proposal(proposal.pk)
    with django_assert_num_queries(5):  # person, search, proposals, hints, corpora
        as_grace.get(page_of(proposals[0]))


def test_prompts_and_answers_are_shown_folded(as_grace):
    search = make_proposals(certain=())[0].search
    exchange = {
        "question": "Can you give me <3>?", "answer": "", "has_schema": False, "outcome": "list", "is_cut": True,
        "prompt_tokens": 1234, "completion_tokens": 20, "seconds": 1.0, "names": 2, "invalid": 1,
    }  # fmt: skip
    SubredditSearch.objects.update(exchanges=[exchange, exchange | {"prompt_tokens": None, "new": 2, "names": 0}])
    page = text_of(as_grace.get(page_of(search)))
    assert "Can you give me &lt;3&gt;?" in page
    assert page.count('<details class="more">') == 2
    assert f"1{THIN}234 input tokens" in page
    assert "1 name left out" in page
    assert "cut off" in page
    assert "none of them" in page


def test_a_live_search_shows_how_far_it_is_and_can_be_cancelled(as_grace):
    search, now = make_search(), timezone.now()
    SubredditSearch.objects.update(began_at=now - timedelta(seconds=3), beat_at=now, done=1, total=2)
    page = text_of(as_grace.get(page_of(search)))
    assert "1 of 2 questions" in page
    assert "hx-get" in page
    fragment = as_grace.get(page_of(search), headers=HTMX)
    assert b"<html" not in fragment.content
    as_grace.post(f"{page_of(search)}cancel/")
    assert as_grace.get(page_of(search), headers=HTMX)["HX-Refresh"] == "true"
    page = text_of(as_grace.get(page_of(search)))
    assert "Cancelled" in page
    assert "Ask again" in page
    assert "already ended" in messages_of(as_grace.post(f"{page_of(search)}cancel/", follow=True))


def fail(search, problem="The endpoint rejects the key.", **fields):
    now = timezone.now()
    SubredditSearch.objects.filter(pk=search.pk).update(
        began_at=now, beat_at=now, finished_at=now, problem=problem, **fields
    )


def test_a_search_that_stopped_says_why_and_is_asked_again(as_grace, monkeypatch, django_capture_on_commit_callbacks):
    calls = []
    monkeypatch.setattr(tasks.search_subreddits, "delay", calls.append)
    search = make_search()
    fail(search)
    page = text_of(as_grace.get(page_of(search)))
    assert "The endpoint rejects the key." in page
    assert "Ask again" in page
    with django_capture_on_commit_callbacks(execute=True):
        as_grace.post(f"{page_of(search)}again/")
        second = as_grace.post(f"{page_of(search)}again/", follow=True)
    assert calls == [search.pk]
    assert "not stopped" in messages_of(second)
    search.refresh_from_db()
    assert (search.problem, search.finished_at, search.began_at) == ("", None, None)


def test_an_answer_that_names_nothing_is_not_asked_for_again(as_grace):
    search = make_search()
    exchange = {"question": "?", "answer": "Hm.", "has_schema": True, "outcome": "nothing", "is_cut": False}
    fail(search, job.NOTHING, exchanges=[exchange | {"prompt_tokens": None, "completion_tokens": None}])
    page = text_of(as_grace.get(page_of(search)))
    assert "Ask again" not in page
    assert f"{NEW}?like={search.pk}" in page
    assert "Hm." in page


# ── Decisions ───────────────────────────────────────────────────────────────


def decide(client, proposal, action, **options):
    return client.post(f"/subreddits/proposals/{proposal.pk}/{action}/", **options)


def test_decides_without_scripts(as_grace, grace):
    london, askuk, _ = make_proposals()
    response = decide(as_grace, london, "accept")
    assert response.url == f"{page_of(london)}#proposal-{london.pk}"
    decide(as_grace, askuk, "reject")
    assert hint_rows() == [("london", "location", "london", "because")]
    page = text_of(as_grace.get(page_of(london)))
    assert "Accepted" in page
    assert "Rejected" in page
    assert page.count("Grace, ") == 2
    assert AuditEntry.objects.get(action="hints_changed").address
    decide(as_grace, london, "undo")
    assert not AttributeHint.objects.exists()


def test_answers_htmx_with_the_row_and_the_counts(as_grace):
    proposal = make_proposal()
    fragment = text_of(decide(as_grace, proposal, "accept", headers=HTMX))
    assert fragment.strip().startswith(f'<tr id="proposal-{proposal.pk}">')
    assert 'id="search-counts"' in fragment
    assert "<html" not in fragment
    assert "Undo" in fragment
    assert "Accept all" not in fragment
    fragment = text_of(decide(as_grace, proposal, "undo", headers=HTMX))
    assert "Accept all" in fragment


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_the_second_person_sees_the_first_decision(as_grace, headers):
    proposal = make_proposal()
    reject_proposal(proposal.pk, by=make_annotator("hedy"))
    response = decide(as_grace, proposal, "accept", headers=headers, follow=True)
    assert "Hedy had already rejected r/london" in text_of(response)
    assert not AttributeHint.objects.exists()


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_double_click_says_nothing(as_grace, headers):
    proposal = make_proposal()
    decide(as_grace, proposal, "accept", headers=headers)
    response = decide(as_grace, proposal, "accept", headers=headers, follow=True)
    assert "already" not in text_of(response)
    assert AttributeHint.objects.count() == 1


def test_a_decision_whose_hint_was_changed_stays(as_grace):
    proposal = make_proposal()
    decide(as_grace, proposal, "accept")
    AttributeHint.objects.update(reason="better")
    assert f'/subreddits/proposals/{proposal.pk}/undo/" hx' not in text_of(as_grace.get(page_of(proposal)))
    assert "has since changed the hint" in text_of(decide(as_grace, proposal, "undo", headers=HTMX))
    assert AttributeHint.objects.count() == 1


def test_accepting_all_certain_ones_asks_first(as_grace):
    proposals = make_proposals(*NAMES, certain=["london", "AskUK"])
    path = f"{page_of(proposals[0])}accept-certain/"
    assert f'href="{path}"' in text_of(as_grace.get(page_of(proposals[0])))
    page = text_of(as_grace.get(path))
    assert "r/AskUK" in page
    assert "r/europe" not in page
    assert not AttributeHint.objects.exists()
    assert "2 subreddits were accepted" in messages_of(as_grace.post(path, follow=True))
    assert AttributeHint.objects.count() == 2
    assert "0 subreddits" in messages_of(as_grace.post(path, follow=True))
    assert "no open proposals" in text_of(as_grace.get(path))


# ── Deleting ────────────────────────────────────────────────────────────────


def test_a_search_is_deleted_once_an_admin_confirms_and_its_hints_stay(as_grace, grace):
    proposal, other = make_proposal(), make_proposal("AskUK")
    as_grace.post(f"/subreddits/proposals/{proposal.pk}/accept/")
    at = f"{page_of(proposal)}delete/"
    assert at in text_of(as_grace.get(page_of(proposal)))
    assert proposal.search.value in text_of(as_grace.get(at))
    assert SubredditSearch.objects.filter(pk=proposal.search_id).exists()
    assert messages_of(as_grace.post(at, follow=True)) == DELETED
    assert list(SubredditSearch.objects.all()) == [other.search]
    assert AttributeHint.objects.filter(subreddit__name="london").exists()
    entry = AuditEntry.objects.get(action=AuditEntry.Action.SEARCH_DELETED)
    assert (entry.actor, entry.details["search"]) == (grace, proposal.search_id)
    assert as_grace.post(at).status_code == 404


def test_a_live_search_is_not_deleted(as_grace):
    search, now = make_search(), timezone.now()
    SubredditSearch.objects.update(began_at=now, beat_at=now)
    assert f"{page_of(search)}delete/" not in text_of(as_grace.get(page_of(search)))
    assert messages_of(as_grace.post(f"{page_of(search)}delete/", follow=True)) == STILL_RUNNING
    assert SubredditSearch.objects.filter(pk=search.pk).exists()
    assert not AuditEntry.objects.filter(action=AuditEntry.Action.SEARCH_DELETED).exists()
