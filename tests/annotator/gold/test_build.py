"""From judgements to gold: only when everybody is done, only once, and never over a person's decision."""

import threading
import time
from datetime import timedelta

import pytest
from django.apps import apps
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotator.gold import build, tasks
from annotator.gold.build import AlreadyBuilding, build_gold
from annotator.gold.services.builds import request_stale_builds
from annotator.labelling.submission import reopen_assignment
from annotator.models import Assignment, Batch, Dispute, GoldBuild, GoldRecord, Judgement, SameMeaning
from profiles.jobs.claims import TakenOver
from profiles.jobs.states import State, state_of
from tests.annotator.batches.test_claim_next import in_threads
from tests.annotator.gold.builds import disputed, disputes_of, gold_of, quote, say
from tests.annotator.quality.practice_batches import make_known, make_practice_of, submitted
from tests.factories import make_annotator, make_assignment, make_batch, make_corpus, make_judgement, make_profile

pytestmark = pytest.mark.django_db
HISTORY = apps.get_model("annotator", "GoldRecordEvent")


def rows():
    return list(GoldRecord.objects.order_by("pk").values()), list(Dispute.objects.order_by("pk").values())


def test_what_agrees_becomes_gold_and_what_does_not_a_dispute():
    profile = make_profile("I am 27 and moved to Houston")
    batch = make_batch(corpus=profile.corpus, overlap=2)
    first = say(profile, batch, age="27", sex="male", income="")
    say(profile, batch, age="27", sex="female", income="")
    quote(first.judgements.get(attribute="age"), "I am 27")
    build_gold(profile.corpus)
    assert gold_of(profile) == {"age": ("27", 2, 4, "consensus"), "income": ("", 0, 0, "consensus")}
    assert disputes_of(profile) == {"sex": "value"}
    record = GoldRecord.objects.get(attribute="age")
    assert [(judgement["annotator"], judgement["value"]) for judgement in record.said] == [
        (slot.annotator_id, "27") for slot in Assignment.objects.order_by("pk")
    ]
    assert record.evidence == [{"comment": profile.comments.get().pk, "start": 0, "end": 7, "text": "I am 27"}]
    assert (record.rule, record.guideline_id, record.batch_ids) == ("consensus/1", batch.guideline_id, [batch.pk])
    assert record.decided_by is None


def test_a_second_run_changes_nothing_and_leaves_no_history():
    profile = disputed("27", "26", "60")
    disputed("27", "60", profile=make_profile(corpus=profile.corpus))
    build_gold(profile.corpus)
    before, events = rows(), HISTORY.objects.count()
    build_gold(profile.corpus, everything=True)
    assert rows() == before
    assert HISTORY.objects.count() == events


def test_a_profile_waits_while_somebody_is_still_to_judge_it():
    profile = disputed("27")
    waiting = make_assignment(profile=profile, batch=Batch.objects.get())
    assert build_gold(profile.corpus).waiting == 1
    assert gold_of(profile) == {}
    Batch.objects.filter(pk=waiting.batch_id).update(closed_at=timezone.now())
    build_gold(profile.corpus)
    assert gold_of(profile) == {"age": ("27", 2, 4, "single")}


def test_a_reopened_profile_keeps_its_gold_until_it_is_submitted_again():
    profile = disputed("27", "27")
    build_gold(profile.corpus)
    slot = Assignment.objects.earliest("pk")
    reopen_assignment(slot)
    Judgement.objects.filter(assignment=slot).update(value="60")
    build_gold(profile.corpus, everything=True)
    assert gold_of(profile)["age"][0] == "27"
    Assignment.objects.filter(pk=slot.pk).update(reopened_at=None, submitted_at=timezone.now())
    build_gold(profile.corpus)
    assert gold_of(profile) == {}
    assert disputes_of(profile) == {"age": "value"}


def test_a_dispute_goes_when_people_come_to_agree():
    profile = disputed("27", "60")
    build_gold(profile.corpus)
    Judgement.objects.filter(value="60").update(value="27")
    build_gold(profile.corpus, everything=True)
    assert disputes_of(profile) == {}
    assert gold_of(profile)["age"][3] == "consensus"


def test_planted_and_practice_judgements_do_not_count(ada):
    profile = make_known()
    submitted(ada, profile, make_batch(corpus=profile.corpus), planted=True, age="27")
    submitted(make_annotator(), profile, make_practice_of(profile), age="27")
    build_gold(profile.corpus)
    assert gold_of(profile) == {}


def test_whoever_judged_twice_counts_once_with_what_they_said_last(ada):
    profile = make_profile()
    first = say(profile, make_batch(corpus=profile.corpus), ada, age="27")
    Assignment.objects.filter(pk=first.pk).update(submitted_at=timezone.now() - timedelta(days=1))
    say(profile, make_batch(corpus=profile.corpus), ada, age="60")
    build_gold(profile.corpus)
    assert gold_of(profile) == {"age": ("60", 2, 4, "single")}


# ── What a person decided ────────────────────────────────────────────────────
def decide(profile, grace, value="60"):
    build_gold(profile.corpus)
    Dispute.objects.all().delete()
    judgements = [
        {"annotator": j.assignment.annotator_id, "value": j.value, "hardness": 2, "certainty": 4,
         "required_subreddit": False}
        for j in Judgement.objects.all()
    ]  # fmt: skip
    return GoldRecord.objects.create(
        profile=profile, attribute="age", value=value, hardness=1, certainty=5, said=judgements, reached="adjudicated",
        rule="adjudication", decided_by=grace,
    )  # fmt: skip


def test_a_decision_stays(grace):
    profile = disputed("27", "60")
    decide(profile, grace)
    build_gold(profile.corpus, everything=True)
    assert gold_of(profile) == {"age": ("60", 1, 5, "adjudicated")}
    assert disputes_of(profile) == {}


def test_a_decision_whose_ground_changed_stays_and_is_disputed(grace):
    profile = disputed("27", "60")
    decide(profile, grace)
    Judgement.objects.filter(value="27").update(value="60")
    build_gold(profile.corpus, everything=True)
    assert gold_of(profile) == {"age": ("60", 1, 5, "adjudicated")}
    assert disputes_of(profile) == {"age": "changed"}
    Judgement.objects.filter(pk=Judgement.objects.earliest("pk").pk).update(value="27")
    build_gold(profile.corpus, everything=True)
    assert disputes_of(profile) == {}


def test_submitting_the_same_once_more_disputes_no_decision(grace):
    profile = disputed("27", "60")
    decide(profile, grace)
    Judgement.objects.update(judged_at=timezone.now() + timedelta(hours=1))
    build_gold(profile.corpus, everything=True)
    assert disputes_of(profile) == {}


# ── Which profiles are looked at: see also test_fingerprints.py ──────────────
def test_a_remembered_meaning_reaches_every_profile_and_its_undoing_too():
    profile = disputed("nurse", "carer", attribute="occupation")
    build_gold(profile.corpus)
    decision = SameMeaning.objects.create(attribute="occupation", one="carer", other="nurse", is_same=True)
    build_gold(profile.corpus)
    assert gold_of(profile)["occupation"][0] == "nurse"
    decision.delete()
    build_gold(profile.corpus)
    assert disputes_of(profile) == {"occupation": "value"}


def test_the_number_of_queries_does_not_grow_with_profiles(django_assert_max_num_queries):
    corpus = make_corpus()
    for _ in range(2):
        disputed("27", "60", "61", profile=make_profile(corpus=corpus))
    with django_assert_max_num_queries(25):
        build_gold(corpus)
    for _ in range(6):
        disputed("27", "27", "61", profile=make_profile(corpus=corpus))
    with django_assert_max_num_queries(25):
        build_gold(corpus, everything=True)


# ── One run at a time ────────────────────────────────────────────────────────
def test_refuses_a_second_run_while_the_first_is_alive():
    profile = disputed("27")
    GoldBuild.objects.create(corpus=profile.corpus, began_at=timezone.now(), beat_at=timezone.now())
    with pytest.raises(AlreadyBuilding):
        build_gold(profile.corpus)
    assert gold_of(profile) == {}


def test_takes_over_from_a_run_that_is_silent():
    profile = disputed("27")
    dead = timezone.now() - timedelta(seconds=61)
    GoldBuild.objects.create(corpus=profile.corpus, began_at=dead, beat_at=dead)
    build_gold(profile.corpus)
    assert gold_of(profile) != {}
    assert state_of(GoldBuild.objects.get()) == State.FINISHED


def test_a_run_that_was_taken_over_stops_and_leaves_no_stamp(monkeypatch):
    profile = disputed("27")
    work = build.build_profiles

    def slowly(*args):
        GoldBuild.objects.update(began_at=timezone.now() + timedelta(seconds=1))
        return work(*args)

    monkeypatch.setattr(build, "build_profiles", slowly)
    with pytest.raises(TakenOver):
        build_gold(profile.corpus)
    assert GoldBuild.objects.get().stamp == ""


@pytest.mark.django_db(transaction=True)
def test_of_two_runs_at_the_same_moment_one_is_refused(monkeypatch):
    profile = disputed("27", "60")
    GoldBuild.objects.create(corpus=profile.corpus)
    ready, work = threading.Barrier(2, timeout=10), build.build_profiles

    def slowly(*args):
        time.sleep(0.5)
        return work(*args)

    def run():
        ready.wait()
        return build_gold(profile.corpus)

    monkeypatch.setattr(build, "build_profiles", slowly)
    results = in_threads(run, run)
    assert sorted(type(result).__name__ for result in results) == ["AlreadyBuilding", "Tally"]


# ── Asking the workers ───────────────────────────────────────────────────────
@pytest.fixture
def requested(monkeypatch, django_capture_on_commit_callbacks):
    calls = []
    monkeypatch.setattr(tasks.build_gold, "delay", calls.append)

    def ask(corpus=None):
        calls.clear()
        with django_capture_on_commit_callbacks(execute=True):
            request_stale_builds(corpus)
        return list(calls)

    return ask


def test_asks_the_workers_once_where_something_was_said_since(requested):
    profile = disputed("27")
    make_corpus()
    assert requested() == [profile.corpus_id]
    assert requested() == []  # a moment later it was asked for
    build_gold(profile.corpus)
    cache.clear()
    assert requested() == []
    say(profile, make_batch(corpus=profile.corpus), age="30")
    assert requested(profile.corpus) == [profile.corpus_id]


def test_asks_again_as_soon_as_the_worker_is_done(requested):
    profile = disputed("27")
    assert requested() == [profile.corpus_id]
    build.run(profile.corpus_id)
    say(profile, make_batch(corpus=profile.corpus), age="30")
    assert requested() == [profile.corpus_id]


def test_commands_build_without_the_cache_whose_client_takes_long_to_load(monkeypatch):
    monkeypatch.setattr(build, "cache", None)
    assert build_gold(disputed("27").corpus).gold == 1


def test_does_not_ask_while_a_run_is_alive(requested):
    profile = disputed("27")
    GoldBuild.objects.create(corpus=profile.corpus, began_at=timezone.now(), beat_at=timezone.now())
    assert requested() == []


# ── The command ──────────────────────────────────────────────────────────────
def test_the_command_says_what_it_came_to(capsys):
    profile = disputed("27", "60")
    make_judgement(Assignment.objects.earliest("pk"), "sex", "male")
    call_command("build_gold", corpus=profile.corpus.name)
    assert "1 profile checked; 1 gold record and 1 dispute written, 0 removed." in capsys.readouterr().out


def test_the_command_refuses_an_unknown_corpus():
    with pytest.raises(CommandError, match="There is no complete corpus called “nowhere”"):
        call_command("build_gold", corpus="nowhere")
