"""Drawing claims, and deciding on them: once each, by one person, on what is still open."""

import pytest
from django.db import ProgrammingError, transaction

from annotator.models import GoldRecord, PromptedAnswer, Role
from annotator.privacy.services import forget_account
from evaluation.inference.second_look import services
from evaluation.inference.second_look.leases import take_next_claim
from evaluation.inference.second_look.options import ConfirmedAnswer, DrawOptions
from evaluation.inference.second_look.queries import progress_of
from evaluation.inference.second_look.services import ClaimUnavailable, NothingToReview
from evaluation.inference.second_look.state import ANSWERED, PROMPTED, UNSETTLED
from evaluation.models import Claim, ClaimReview, ClaimVerdict, SecondLook
from profiles.encryption import account_digest, seal
from profiles.models import AccountName, Profile
from tests.annotator.gold.records import make_prompted
from tests.evaluation.inference.second_look.looks import add_case, claims_of, make_claimed_run, make_look
from tests.factories import make_annotator

CONFIRM, REJECT, OPEN = ClaimVerdict.CONFIRM, ClaimVerdict.REJECT, ClaimVerdict.LEAVE_OPEN
HIGH = ConfirmedAnswer("high", 3, 4)


@pytest.fixture
def grace():
    return make_annotator("grace", roles=[Role.ADMIN])


@pytest.fixture
def hedy():
    return make_annotator("hedy", roles=[Role.ADMIN])


def review(claim: Claim, verdict: ClaimVerdict, by, *, blind: ClaimVerdict = REJECT) -> ClaimReview:
    services.give_blind_verdict(claim, blind, by=by)
    return services.decide_claim(claim, verdict, HIGH if verdict == CONFIRM else None, by=by)


# ── Drawing ─────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_draws_claims_of_the_system_and_controls_of_a_baseline():
    look = make_look(8)
    claims, controls = claims_of(look), claims_of(look, controls=True)
    assert (len(claims), len(controls), look.eligible) == (8, 5, 8)
    assert sum(look.eligible_by_attribute.values()) == 8
    assert {(claim.value, claim.prompter) for claim in claims} == {("high", "tiny")}
    assert {claim.prompter for claim in controls} == {"Baseline: random"}
    assert claims[0].reasoning
    assert claims[0].confidence == 0.9
    assert not {(c.profile_id, c.attribute) for c in claims} & {(c.profile_id, c.attribute) for c in controls}


@pytest.mark.django_db
def test_draws_confident_claims_only_unless_none_states_a_confidence():
    run = make_claimed_run(3, confidence=0.6)
    with pytest.raises(NothingToReview, match="70 %"):
        services.draw_second_look(run, DrawOptions())
    assert services.draw_second_look(run, DrawOptions(min_confidence=0.5)).claim_count == 3
    silent = make_look(3, confidence=None)
    assert (silent.claim_count, silent.min_confidence) == (3, None)


@pytest.mark.django_db
def test_leaves_out_what_is_known_by_now_and_what_names_nothing():
    run = make_claimed_run(4)
    known, confirmed, *_ = run.corpus.profiles.order_by("pk")
    GoldRecord.objects.filter(profile=known, attribute="income").update(value="low", hardness=1, certainty=3)
    make_prompted("income", "low", profile=confirmed)
    third = run.corpus.profiles.order_by("pk")[2]
    add_case(run, 50, third, "Unknown", 0.9, attribute="sex")
    add_case(run, 51, third, " - ", 0.9, attribute="age")
    assert services.draw_second_look(run, DrawOptions()).claim_count == 2


@pytest.mark.django_db
def test_guesses_of_the_system_itself_are_no_controls():
    run = make_claimed_run(1)
    profile = run.corpus.profiles.get()
    for number, attribute in enumerate(["age", "sex"], start=10):
        add_case(run, number, profile, "male" if attribute == "sex" else "27", 0.1, attribute=attribute)
    look = services.draw_second_look(run, DrawOptions(baseline="majority"))
    assert look.control_count == 0  # the majority has no value for them
    controls = claims_of(services.draw_second_look(make_claimed_run(6), DrawOptions(seed=3)), controls=True)
    assert "income" not in {control.attribute for control in controls}


@pytest.mark.django_db
def test_draws_once_and_the_same_again():
    run = make_claimed_run(8)
    first = services.draw_second_look(run, DrawOptions(size=4))
    assert services.draw_second_look(run, DrawOptions(size=8)) == first
    before = list(first.claims.order_by("number").values_list("profile", "attribute", "is_control"))
    SecondLook.objects.all().delete()
    again = services.draw_second_look(run, DrawOptions(size=4))
    assert list(again.claims.order_by("number").values_list("profile", "attribute", "is_control")) == before


@pytest.mark.django_db
@pytest.mark.parametrize("fields", [{"kind": "probe"}, {"report": {}}, {"settings": {"system": {"kind": "file"}}}])
def test_other_runs_cannot_have_one(fields):
    with pytest.raises(NothingToReview):
        services.draw_second_look(make_claimed_run(1, **fields), DrawOptions())


@pytest.mark.django_db
@pytest.mark.parametrize("model", [Claim, SecondLook])
def test_what_was_drawn_never_changes(model):
    make_look(1)
    with pytest.raises(ProgrammingError), transaction.atomic():
        model.objects.update(**({"value": "low"} if model is Claim else {"seed": 1}))


# ── Deciding ────────────────────────────────────────────────────────────────


@pytest.mark.django_db
def test_a_confirmed_claim_is_kept_beside_the_gold(grace):
    claim = claims_of(make_look())[0]
    review(claim, CONFIRM, grace)
    answer = PromptedAnswer.objects.get()
    assert (answer.profile_id, answer.attribute, answer.value) == (claim.profile_id, "income", "high")
    assert (answer.hardness, answer.certainty, answer.prompted_by, answer.decided_by) == (3, 4, "tiny", grace)
    assert GoldRecord.objects.get(profile=claim.profile, attribute="income").value == ""


@pytest.mark.django_db
@pytest.mark.parametrize("verdict", [REJECT, OPEN])
def test_other_verdicts_leave_the_gold_alone(grace, verdict):
    decided = review(claims_of(make_look())[0], verdict, grace, blind=CONFIRM)
    assert (decided.blind_verdict, decided.verdict) == (CONFIRM, verdict)
    assert not PromptedAnswer.objects.exists()


@pytest.mark.django_db
def test_a_confirmed_control_names_its_baseline(grace):
    control = claims_of(make_look(), controls=True)[0]
    services.give_blind_verdict(control, CONFIRM, by=grace)
    services.decide_claim(control, CONFIRM, ConfirmedAnswer(control.value, 2, 2), by=grace)
    assert PromptedAnswer.objects.get().prompted_by == "Baseline: random"


@pytest.mark.django_db
def test_the_same_verdict_twice_is_one(grace):
    claim = claims_of(make_look())[0]
    for _ in range(2):
        services.give_blind_verdict(claim, CONFIRM, by=grace)
    first = services.decide_claim(claim, CONFIRM, HIGH, by=grace)
    assert services.decide_claim(claim, CONFIRM, HIGH, by=grace).decided_at == first.decided_at
    assert PromptedAnswer.objects.count() == 1


@pytest.mark.django_db
def test_a_stale_page_changes_nothing(grace):
    claim = claims_of(make_look())[0]
    with pytest.raises(ClaimUnavailable, match="without the system"):
        services.decide_claim(claim, CONFIRM, HIGH, by=grace)
    review(claim, REJECT, grace)
    with pytest.raises(ClaimUnavailable, match="already given"):
        services.give_blind_verdict(claim, CONFIRM, by=grace)
    with pytest.raises(ClaimUnavailable, match="already given"):
        services.decide_claim(claim, CONFIRM, HIGH, by=grace)
    assert not PromptedAnswer.objects.exists()


@pytest.mark.django_db
def test_the_second_person_is_told_that_the_first_one_decided(grace, hedy):
    claim = claims_of(make_look())[0]
    services.give_blind_verdict(claim, REJECT, by=grace)
    for attempt in (
        lambda: services.give_blind_verdict(claim, REJECT, by=hedy),
        lambda: services.decide_claim(claim, REJECT, by=hedy),
    ):
        with pytest.raises(ClaimUnavailable, match="Somebody else"):
            attempt()


@pytest.mark.django_db
def test_undo_takes_back_the_last_word_and_its_answer_once(grace, hedy):
    claim = claims_of(make_look())[0]
    token = review(claim, CONFIRM, grace).token
    with pytest.raises(ClaimUnavailable):
        services.undo_last(claim, token, by=hedy)
    services.undo_last(claim, token, by=grace)
    assert not PromptedAnswer.objects.exists()
    assert ClaimReview.objects.get().blind_verdict == REJECT
    with pytest.raises(ClaimUnavailable):
        services.undo_last(claim, token, by=grace)
    services.decide_claim(claim, OPEN, by=grace)
    with pytest.raises(ClaimUnavailable):
        services.undo_last(claim, token, by=grace)
    assert ClaimReview.objects.get().verdict == OPEN


# ── What closes a claim ─────────────────────────────────────────────────────


def answer_it(claim):
    gold = GoldRecord.objects.filter(profile=claim.profile, attribute=claim.attribute)
    gold.update(value="low", hardness=1, certainty=5)


def dispute_it(claim):
    GoldRecord.objects.filter(profile=claim.profile, attribute=claim.attribute).delete()


def prompt_it(claim):
    make_prompted(claim.attribute, "low", profile=claim.profile, prompted_by="another")


@pytest.mark.django_db
@pytest.mark.parametrize(("happen", "reason"), [(answer_it, ANSWERED), (dispute_it, UNSETTLED), (prompt_it, PROMPTED)])
def test_what_is_known_meanwhile_closes_a_claim(grace, happen, reason):
    look = make_look(1)
    claim = claims_of(look)[0]
    services.give_blind_verdict(claim, CONFIRM, by=grace)
    before = PromptedAnswer.objects.count()
    happen(claim)
    made = PromptedAnswer.objects.count() - before
    with pytest.raises(ClaimUnavailable, match=reason):
        services.decide_claim(claim, CONFIRM, HIGH, by=grace)
    assert PromptedAnswer.objects.count() == before + made
    assert dict(progress_of(look).closed) == {reason: 1}
    assert take_next_claim(look, grace) != claim


@pytest.mark.django_db
def test_goes_with_the_account(grace):
    look = make_look(2)
    claim = claims_of(look)[0]
    review(claim, CONFIRM, grace)
    take_next_claim(look, grace)
    Profile.objects.filter(pk=claim.profile_id).update(account_digest=account_digest("tinroof"))
    AccountName.objects.update_or_create(profile_id=claim.profile_id, defaults={"sealed": seal("tinroof")})
    size = look.claims.filter(profile=claim.profile_id).count()
    forget_account("tinroof")
    assert not Claim.objects.filter(pk=claim.pk).exists()
    assert not PromptedAnswer.objects.exists()
    assert progress_of(look).gone == size
