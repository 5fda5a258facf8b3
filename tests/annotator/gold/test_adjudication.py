"""Adjudication: the queue, the page of a profile, and what a decision records."""

import pytest
from django.utils import timezone

from annotator.gold.build import build_gold
from annotator.gold.services.leases import acquire_lease
from annotator.models import AdjudicationLease, Batch, Dispute, GoldBuild, GoldRecord, Judgement, Role
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.gold.builds import disputed, disputes_of, gold_of, quote, say
from tests.annotator.gold.disputes import accept, at, built, judgement, seen, text, write
from tests.factories import make_annotator, make_batch, make_corpus, make_profile

pytestmark = pytest.mark.django_db
QUEUE = "/adjudication/"
HTMX = {"HX-Request": "true"}


# ── Who may ──────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    "path",
    [
        "",
        "next/",
        "meanings/",
        "decisions/",
        "{pk}/",
        "{pk}/age/",
        "{pk}/comments/",
        "{pk}/renew/",
        "{pk}/meaning/",
        "{pk}/age/undo/",
    ],
)
@pytest.mark.parametrize("role", [Role.EVALUATOR, Role.RESEARCHER])
def test_the_pages_exist_for_admins_only(client, path, role):
    profile = built("27", "60")
    client.force_login(make_annotator(roles=[role]))
    url = f"/adjudication/{path.format(pk=profile.pk)}"
    assert client.get(url).status_code == 404
    assert client.post(url).status_code == 404


@pytest.mark.parametrize(
    ("path", "method"),
    [
        ("", "post"),
        ("meanings/", "post"),
        ("decisions/", "post"),
        ("{pk}/", "post"),
        ("{pk}/comments/", "post"),
        ("{pk}/age/", "get"),
        ("{pk}/age/undo/", "get"),
    ],
)
def test_refuses_the_wrong_method(as_grace, path, method):
    profile = built("27", "60")
    url = f"/adjudication/{path.format(pk=profile.pk)}"
    assert getattr(as_grace, method)(url).status_code == 405


def test_what_nobody_judged_cannot_be_adjudicated(as_grace):
    assert as_grace.get(at(make_profile())).status_code == 404
    profile = built("27", "60")
    assert as_grace.post(at(profile, "shoe_size"), {}).status_code == 404


# ── The queue ────────────────────────────────────────────────────────────────
def test_the_queue_shows_the_worst_first(as_grace):
    mild = built("20-40", "30")
    grave = built("20", "60")
    page = text(as_grace.get(QUEUE))
    assert page.index(grave.pseudonym) < page.index(mild.pseudonym)
    assert "gold built" in page


@pytest.mark.parametrize("name", ["corpus", "batch", "attribute", "kind"])
def test_the_queue_can_be_narrowed(as_grace, name):
    shown, hidden = built("27", ""), built("male", "female", attribute="sex")
    batch = Batch.objects.get(corpus=shown.corpus)
    value = {"corpus": shown.corpus_id, "batch": batch.pk, "attribute": "age", "kind": "presence"}[name]
    page = text(as_grace.get(QUEUE, {name: value}))
    assert shown.pseudonym in page
    assert hidden.pseudonym not in page


def test_a_filter_that_makes_no_sense_is_told(as_grace):
    built("27", "60")
    response = as_grace.get(QUEUE, {"kind": "nonsense", "corpus": "x", "page": "z"})
    assert response.status_code == 200
    assert "is not one of the choices" in text(response)


def test_the_queue_says_when_there_is_nothing(as_grace):
    assert "Nothing to decide" in text(as_grace.get(QUEUE))
    assert "match these filters" in text(as_grace.get(QUEUE, {"kind": "value"}))


def test_the_queue_asks_again_while_it_is_being_worked_out(as_grace):
    profile = disputed("27", "60")
    now = timezone.now()
    GoldBuild.objects.create(corpus=profile.corpus, began_at=now, beat_at=now, done=500, total=1000)
    page = text(as_grace.get(QUEUE, headers=HTMX))
    assert "gold is being built, 500 of 1 000 profiles…" in page.replace(" ", " ").replace("\u202f", " ")
    assert 'hx-trigger="every 2s"' in page
    assert "<html" not in page
    build_after(profile)
    assert "hx-trigger" not in text(as_grace.get(QUEUE, headers=HTMX))


def build_after(profile):
    GoldBuild.objects.update(began_at=None)
    build_gold(profile.corpus)


@pytest.mark.parametrize("count", [1, 6])
def test_the_queue_needs_as_many_queries_for_any_number(as_grace, count, django_assert_num_queries):
    corpus = make_corpus()
    for _ in range(count):
        built("27", "60", profile=make_profile(corpus=corpus))
    as_grace.get(QUEUE)
    with django_assert_num_queries(9):
        as_grace.get(QUEUE)


def test_the_queue_says_who_has_a_profile_open(as_grace):
    profile, ben = built("27", "60"), make_annotator("ben", roles=[Role.ADMIN])
    acquire_lease(profile, ben)
    assert "Ben" in text(as_grace.get(QUEUE))


# ── The page of one profile ──────────────────────────────────────────────────
def test_judgements_stand_side_by_side_under_letters(as_grace):
    profile = make_profile("I am 27 and moved to Houston")
    batch = make_batch(corpus=profile.corpus)
    wilhelmina = make_annotator("wilhelmina")
    slot = say(profile, batch, wilhelmina, age={"value": "27", "note": "said so"}, sex="male")
    say(profile, batch, age="60", sex="male")
    comment = quote(slot.judgements.get(attribute="age"), "I am 27").comment_id
    build_gold(profile.corpus)
    page = text(as_grace.get(at(profile)))
    assert page.index("Different values") < page.index("Agreed or decided")
    assert "“I am 27”" in page
    assert f"{at(profile)}?about=age&amp;comment={comment}#comment-{comment}" in page
    assert "said so" in page
    assert "Accept A for Age" in page
    assert "Wilhelmina" not in page
    assert "Wilhelmina" in text(as_grace.get(at(profile), {"names": "shown"}))


@pytest.mark.parametrize("people", [2, 6])
def test_the_page_needs_as_many_queries_for_any_number(as_grace, people, django_assert_num_queries):
    profile = built(*map(str, range(20, 20 + 10 * people, 10)))
    as_grace.get(at(profile))
    with django_assert_num_queries(14):
        as_grace.get(at(profile))


def test_opening_a_profile_is_written_down_once(as_grace, grace):
    profile = built("27", "60")
    as_grace.get(at(profile))
    as_grace.get(at(profile))
    assert actions().count("profile_seen") == 1
    assert entry("profile_seen").details == {"profile": profile.pk}


def test_going_on_to_a_profile_is_written_down_too(as_grace):
    profile = built("27", "60")
    as_grace.post(f"{QUEUE}next/", follow=True)
    assert actions().count("profile_seen") == 1
    assert entry("profile_seen").details == {"profile": profile.pk}


# ── Deciding ─────────────────────────────────────────────────────────────────
def test_accepting_makes_gold_of_a_judgement(as_grace, grace):
    profile = built("27", "60", "60-70", "")
    quote(Judgement.objects.get(value="60"), "moved")
    as_grace.get(at(profile))
    response = accept(as_grace, profile, "60")
    assert response.status_code == 302
    gold = GoldRecord.objects.get()
    assert (gold.value, gold.hardness, gold.certainty, gold.reached) == ("60", 2, 4, "adjudicated")
    assert (gold.rule, gold.decided_by, gold.reason) == ("adjudication", grace, "")
    assert [judgement["value"] for judgement in gold.said] == ["27", "60", "60-70", ""]
    assert [evidence["text"] for evidence in gold.evidence] == ["moved"]
    assert disputes_of(profile) == {}
    assert entry("gold_decided").details == {
        "profile": profile.pk, "gold": gold.pk, "attribute": "age", "how": "accept",
    }  # fmt: skip


def test_a_decision_outlives_the_next_run(as_grace):
    profile = built("27", "60")
    as_grace.get(at(profile))
    accept(as_grace, profile, "60")
    build_gold(profile.corpus, everything=True)
    assert gold_of(profile)["age"][0] == "60"
    assert disputes_of(profile) == {}


def test_merging_takes_what_the_answers_come_to_together(as_grace):
    profile = built("20-40", "30")
    page = text(as_grace.get(at(profile)))
    assert "Merge into “30”" in page
    assert write(as_grace, profile, how="merge", value="30", reason="").status_code == 302
    assert gold_of(profile) == {"age": ("30", 3, 2, "adjudicated")}


def test_a_merger_of_one_s_own_needs_a_reason(as_grace):
    profile = built("20-40", "30")
    as_grace.get(at(profile))
    response = write(as_grace, profile, how="merge", value="35", reason="")
    assert response.status_code == 422
    assert "Give a reason" in text(response)
    assert gold_of(profile) == {}


def test_writing_another_keeps_the_reason(as_grace):
    profile = built("27", "60")
    as_grace.get(at(profile))
    write(as_grace, profile, value="40 – 45", required_subreddit="on")
    gold = GoldRecord.objects.get()
    assert (gold.value, gold.reason, gold.required_subreddit) == ("40-45", "both are half right", True)


def test_nothing_can_be_told_is_a_decision_too(as_grace):
    profile = built("27", "60")
    as_grace.get(at(profile))
    write(as_grace, profile, value="", hardness=0, certainty=0, required_subreddit="on")
    assert gold_of(profile) == {"age": ("", 0, 0, "adjudicated")}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"value": "30+"}, "Write a range with an upper end"),
        ({"value": "30", "hardness": 0}, "A value needs hardness from 1 to 5."),
        ({"value": "30", "certainty": 9}, "Ratings go from 0 to 5."),
        ({"value": "30", "certainty": "x"}, "Ratings go from 0 to 5."),
        ({"value": ""}, "Leave hardness and certainty at 0"),
        ({"value": "30", "reason": " "}, "Say why none of the answers is right."),
        ({"value": "3" * 501}, "at most 500 characters"),
    ],
)
def test_refuses_what_is_not_an_answer_and_keeps_what_was_typed(as_grace, fields, message):
    profile = built("27", "60")
    as_grace.get(at(profile))
    response = write(as_grace, profile, **({"reason": "typed words"} | fields))
    assert response.status_code == 422
    assert message in text(response)
    assert fields.get("reason", "typed words").strip() in text(response)
    assert gold_of(profile) == {}


@pytest.mark.parametrize("payload", [{}, {"how": "guess"}, {"how": "accept"}])
def test_refuses_a_decision_that_says_nothing(as_grace, payload):
    profile = built("27", "60")
    as_grace.get(at(profile))
    assert as_grace.post(at(profile, "age"), payload).status_code == 422
    assert gold_of(profile) == {}


def test_what_was_agreed_can_be_overruled_with_a_reason(as_grace):
    profile = built("27", "27")
    page = text(as_grace.get(at(profile)))
    assert "Accept A for Age" not in page
    write(as_grace, profile, value="30")
    assert gold_of(profile)["age"] == ("30", 3, 2, "adjudicated")


def test_what_was_decided_can_be_kept_after_its_ground_changed(as_grace):
    profile = built("27", "60")
    as_grace.get(at(profile))
    accept(as_grace, profile, "60")
    Judgement.objects.filter(value="27").update(value="28")
    build_gold(profile.corpus, everything=True)
    page = text(as_grace.get(at(profile)))
    assert Dispute.Kind.CHANGED.label in page
    assert "Keep the decision" in page
    as_grace.post(at(profile, "age"), {"how": "keep", "seen": seen(profile)})
    build_gold(profile.corpus, everything=True)
    assert disputes_of(profile) == {}
    assert gold_of(profile)["age"][0] == "60"


# ── The way through the queue ────────────────────────────────────────────────
def test_after_the_last_decision_comes_the_next_profile(as_grace):
    first, second = built("20", "60"), built("20-40", "30")
    as_grace.get(at(first))
    response = as_grace.post(at(first, "age"), {"how": "accept", "seen": seen(first), "judgement": judgement("60")})
    assert response.url.startswith(at(second))
    assert AdjudicationLease.objects.get().profile == second


def test_a_profile_with_more_to_decide_stays(as_grace):
    profile = make_profile()
    batch = make_batch(corpus=profile.corpus)
    say(profile, batch, age="20", sex="male")
    say(profile, batch, age="60", sex="female")
    build_gold(profile.corpus)
    as_grace.get(at(profile))
    assert accept(as_grace, profile, "60").url.startswith(at(profile))


def test_next_gives_the_worst_that_nobody_else_has_open(as_grace, grace):
    taken, free = built("20", "60"), built("20-40", "30")
    acquire_lease(taken, make_annotator("ben", roles=[Role.ADMIN]))
    assert as_grace.post(f"{QUEUE}next/").url.startswith(at(free))
    assert AdjudicationLease.objects.filter(held_by=grace, profile=free).exists()


def test_next_keeps_to_the_filters(as_grace):
    built("20", "60")
    mild = built("20-40", "30")
    assert as_grace.post(f"{QUEUE}next/?kind=precision").url == f"{at(mild)}?kind=precision&"


def test_a_skipped_profile_does_not_come_again_until_nothing_else_is_left(as_grace):
    first, second = built("20", "60"), built("20-40", "30")
    as_grace.get(at(first))
    assert as_grace.post(f"{QUEUE}next/", {"left": first.pk, "skip": "yes"}).url.startswith(at(second))
    assert not AdjudicationLease.objects.filter(profile=first).exists()
    assert as_grace.post(f"{QUEUE}next/", {"left": second.pk}).url.startswith(QUEUE + "?")
    assert as_grace.post(f"{QUEUE}next/").url.startswith(at(first))


@pytest.mark.parametrize("left", ["", "x", "99999999999999999999999", "-1"])
def test_next_takes_no_nonsense(as_grace, left):
    assert as_grace.post(f"{QUEUE}next/", {"left": left}).status_code == 302


def test_the_address_of_the_next_dispute_leads_there_by_get_too(as_grace):
    profile = built("27", "45")
    assert as_grace.get("/adjudication/next/").url.startswith(at(profile))
    assert as_grace.head("/adjudication/next/").status_code == 200


def test_without_disputes_the_next_one_is_the_queue(as_grace):
    assert as_grace.get("/adjudication/next/", follow=True).redirect_chain[0][0].startswith("/adjudication/?")
