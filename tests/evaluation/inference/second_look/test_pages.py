"""The pages of a second look: draw, review, finish."""

import re

import pytest

from annotator.models import AuditEntry, PromptedAnswer, Role
from evaluation.inference.second_look import services
from evaluation.models import Claim, ClaimReview, SecondLook
from tests.evaluation.inference.judge.runs import make_inference_run
from tests.evaluation.inference.second_look.looks import claims_of, make_claimed_run, make_look
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db
ANSWER = {"verdict": "confirm", "value": "high", "hardness": 3, "certainty": 4}


def path(look, claim=None, action: str = "") -> str:
    at = f"/evaluations/{look.run_id}/second-look/"
    return f"{at}{claim.pk}/{action}" if claim else at


def begin(client, look) -> Claim:
    """The first claim, with the first verdict given."""
    claim = client.get(path(look)).context["shown"].claim
    client.post(path(look, claim), {"verdict": "reject"})
    return claim


def text_of(response) -> str:
    return " ".join(response.content.decode().split())


# ── Drawing ─────────────────────────────────────────────────────────────────


def test_draws_claims(as_grace, grace):
    run = make_claimed_run()
    assert as_grace.get(f"/evaluations/{run.pk}/second-look/").status_code == 200
    values = {"size": 4, "min_confidence": 0.7, "baseline": "majority", "seed": 7}
    response = as_grace.post(f"/evaluations/{run.pk}/second-look/start/", values)
    look = SecondLook.objects.get()
    assert response.url == path(look)
    assert (look.claim_count, look.baseline, look.seed, look.drawn_by) == (4, "majority", 7, grace)
    assert AuditEntry.objects.filter(action="second_look_started").count() == 1


@pytest.mark.parametrize("change", [{"size": 0}, {"min_confidence": 2}, {"baseline": "oracle"}, {"seed": -1}])
def test_says_what_is_wrong_with_the_draw(as_grace, change):
    run = make_claimed_run(1)
    values = {"size": 4, "min_confidence": 0.7, "baseline": "random", "seed": 7} | change
    response = as_grace.post(f"/evaluations/{run.pk}/second-look/start/", values)
    assert response.status_code == 422
    assert [*change] == [*response.context["form"].errors]


def test_says_that_there_is_nothing_to_review(as_grace):
    run = make_claimed_run(2, confidence=0.1)
    values = {"size": 4, "min_confidence": 0.7, "baseline": "random", "seed": 7}
    response = as_grace.post(f"/evaluations/{run.pk}/second-look/start/", values)
    assert response.status_code == 422
    assert "nothing to review" in response.context["problem"]
    other = make_inference_run(kind="probe")
    assert as_grace.get(f"/evaluations/{other.pk}/second-look/").status_code == 404


# ── Reviewing ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize("is_control", [False, True])
def test_the_first_verdict_is_blind(as_grace, is_control):
    look = make_look()
    Claim.objects.filter(look=look).exclude(pk=claims_of(look, controls=is_control)[0].pk).delete()
    page = as_grace.get(path(look))
    content = text_of(page)
    claim = page.context["shown"].claim
    assert claim.is_control == is_control
    assert f"{claim.get_attribute_display()}: " in content
    assert "the big house" in content  # the comments
    for secret in ("They own house", "Drawn at random", "Baseline", "control", "90 %", "50 %"):
        assert secret not in content.replace("access-control", "")


def test_reasons_come_after_the_first_verdict(as_grace):
    look = make_look()
    Claim.objects.filter(is_control=True).delete()
    claim = begin(as_grace, look)
    content = text_of(as_grace.get(path(look)))
    assert claim.reasoning in content
    assert "90 %" in content
    assert "Your verdict so far: <strong>Reject</strong>" in content


def test_confirming_takes_an_answer(as_grace, grace):
    look = make_look()
    Claim.objects.filter(is_control=True).delete()
    claim = begin(as_grace, look)
    response = as_grace.post(path(look, claim, "decide/"), {"verdict": "confirm", "value": claim.value})
    assert response.status_code == 422
    assert {*response.context["problems"]} == {"hardness", "certainty"}
    assert not PromptedAnswer.objects.exists()
    quotes = "the big house\nNight shift"
    assert as_grace.post(path(look, claim, "decide/"), ANSWER | {"quotes": quotes}).status_code == 302
    stored = PromptedAnswer.objects.get()
    assert [span["text"] for span in stored.evidence] == quotes.splitlines()
    assert stored.decided_by == grace
    assert text_of(as_grace.get(path(look))).count("You confirmed") == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"value": ""}, "value"),
        ({"value": "a fortune"}, "value"),
        ({"hardness": 6}, "hardness"),
        ({"certainty": 0}, "certainty"),
        ({"quotes": "never written"}, "quotes"),
        ({"quotes": "\n".join(f"quote {n}" for n in range(11))}, "quotes"),
        ({"verdict": "perhaps"}, "verdict"),
    ],
)
def test_says_what_is_wrong_with_an_answer_and_keeps_it(as_grace, change, field):
    look = make_look()
    Claim.objects.filter(is_control=True).delete()
    claim = begin(as_grace, look)
    response = as_grace.post(path(look, claim, "decide/"), ANSWER | {"quotes": "the big house"} | change)
    assert response.status_code == 422
    assert field in response.context["problems"]
    assert response.context["fields"]["quotes"] == change.get("quotes", "the big house")
    assert ClaimReview.objects.get().verdict == ""


def test_undo_brings_the_claim_back(as_grace):
    look = make_look()
    claim = begin(as_grace, look)
    as_grace.post(path(look, claim, "decide/"), {"verdict": "reject"})
    last = as_grace.get(path(look)).context["last"]
    as_grace.post(path(look, claim, "undo/"), {"decision": last.token})
    assert as_grace.get(path(look)).context["shown"].claim == claim
    as_grace.post(path(look, claim, "undo/"), {"decision": last.token})  # an old tab
    assert ClaimReview.objects.get().verdict == ""


@pytest.mark.parametrize("verdict", ["", "perhaps"])
def test_a_first_verdict_must_be_chosen(as_grace, verdict):
    look = make_look()
    claim = claims_of(look)[0]
    assert as_grace.post(path(look, claim), {"verdict": verdict}).status_code == 302
    assert not ClaimReview.objects.exists()


def test_a_stale_tab_is_told_and_goes_on(as_grace):
    look = make_look()
    claim = begin(as_grace, look)
    as_grace.post(path(look, claim, "decide/"), {"verdict": "reject"})
    for verdict in ({"verdict": "confirm"}, ANSWER):
        response = as_grace.post(path(look, claim, "decide/"), verdict, follow=True)
        assert response.status_code == 200
        assert services.ALREADY in text_of(response).replace("&#x27;", "'")
    assert ClaimReview.objects.get().verdict == "reject"


def test_opening_a_claim_is_recorded_as_reading_the_profile(as_grace):
    look = make_look(1)
    profile = as_grace.get(path(look)).context["shown"].claim.profile_id
    assert AuditEntry.objects.filter(action="profile_seen", details__profile=profile).exists()


def test_comments_load_in_blocks_of_the_same_claim(as_grace):
    look = make_look(1)
    claim = claims_of(look)[0]
    response = as_grace.get(path(look, claim, "comments/"), {"first": "0"}, headers={"HX-Request": "true"})
    assert "the big house" in text_of(response)
    assert "<html" not in text_of(response)


def test_markup_in_claims_and_reasons_is_text(as_grace):
    look = make_look(1, system="<b>tiny</b>")
    claim = claims_of(look)[0]
    Claim.objects.all().delete()
    Claim.objects.create(
        look=look, number=1, profile=claim.profile, attribute="income", value="<i>high</i>", is_control=False,
        reasoning="<script>x</script>", prompter="tiny",
    )  # fmt: skip
    begin(as_grace, look)
    content = text_of(as_grace.get(path(look)))
    assert not re.search("<i>high|<script>x", content)
    assert "&lt;script&gt;x" in content


def test_says_what_came_out_once_all_are_reviewed(as_grace):
    look = make_look(2, size=2)
    while "shown" in (page := as_grace.get(path(look))).context:
        claim = page.context["shown"].claim
        as_grace.post(path(look, claim), {"verdict": "confirm"})
        assert page.context["progress"].decided == ClaimReview.objects.count() - 1
        verdict = {"verdict": "reject"} if claim.is_control else ANSWER
        as_grace.post(path(look, claim, "decide/"), verdict)
    assert "People confirmed 2 of 2 claims." in text_of(page)
    assert page.context["progress"].is_finished


# ── Who may, and what it costs ──────────────────────────────────────────────


def test_researchers_see_progress_but_no_claim(client):
    look = make_look(1)
    client.force_login(make_annotator("rosa", roles=[Role.RESEARCHER]))
    page = client.get(path(look))
    assert page.status_code == 200
    assert "the big house" not in text_of(page)
    claim = claims_of(look)[0]
    assert client.post(path(look, claim), {"verdict": "reject"}).status_code == 404
    assert client.get(path(look, claim, "comments/")).status_code == 404


def test_evaluators_find_nothing(as_ada):
    look = make_look(1)
    claim = claims_of(look)[0]
    for address in (path(look), "/evaluations/second-looks/", path(look, claim, "comments/")):
        assert as_ada.get(address).status_code == 404
    for address in (f"{path(look)}start/", path(look, claim), path(look, claim, "decide/"), path(look, claim, "undo/")):
        assert as_ada.post(address).status_code == 404


def test_claims_of_another_look_are_not_found(as_grace):
    look, other = make_look(1), make_look(1)
    claim = claims_of(other)[0]
    assert as_grace.post(path(look, claim), {"verdict": "reject"}).status_code == 404


def test_writing_takes_a_post(as_grace):
    look = make_look(1)
    claim = claims_of(look)[0]
    for address in (f"{path(look)}start/", path(look, claim), path(look, claim, "decide/"), path(look, claim, "undo/")):
        assert as_grace.get(address).status_code == 405


@pytest.mark.parametrize("looks", [1, 6])
def test_lists_second_looks(as_grace, looks, django_assert_num_queries):
    for number in range(looks):
        make_look(1, name=f"run {number}")
    with django_assert_num_queries(3):  # the admin, the count, the page
        response = as_grace.get("/evaluations/second-looks/", {"sort": "run"})
    assert response.context["page"].paginator.count == looks


@pytest.mark.parametrize("profiles", [2, 12])
def test_query_count_does_not_grow_with_claims(as_grace, profiles, django_assert_max_num_queries):
    look = make_look(profiles)
    as_grace.get(path(look))
    with django_assert_max_num_queries(22):
        as_grace.get(path(look))


def test_the_queue_and_the_report_lead_there(as_grace):
    look = make_look(1)
    assert "/evaluations/second-looks/" in text_of(as_grace.get("/adjudication/"))
    assert look.run.report
