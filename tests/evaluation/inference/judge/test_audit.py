"""The audit page: blind, one answer for each pair, and results only at the end."""

import re
import threading

import pytest
from django.db import connection, transaction

from evaluation.inference.judge import services, views
from evaluation.inference.judge.queries import judge_agreement, sample_of
from evaluation.inference.judge.services import AuditClosed, record_audit
from evaluation.models import AuditedPair, JudgedPair, Verdict
from tests.evaluation.inference.judge.runs import make_inference_run, make_inferred_case, make_judged_run
from tests.evaluation.runs.records import make_run
from tests.factories import make_annotator

HTMX = {"HX-Request": "true"}
ALL = ["match", "no-match", "less-precise"] * 5


@pytest.fixture
def as_rosalind(client, rosalind):
    client.force_login(rosalind)
    return client


@pytest.fixture
def run(db):
    return make_judged_run(*ALL)


def page(client, run):
    return client.get(f"/evaluations/{run.pk}/judge/").content.decode()


def decide(client, run, verdict="match", pair=None, **options):
    pair = pair or next_pair(client, run)
    return client.post(f"/evaluations/{run.pk}/judge/{pair}/", {"verdict": verdict}, **options)


def next_pair(client, run):
    return int(re.search(rf"/evaluations/{run.pk}/judge/(\d+)/", page(client, run))[1])


def decide_all(client, run, verdict=None):
    for pair in sample_of(run):
        decide(client, run, verdict or JudgedPair.objects.get(pk=pair).verdict, pair)


def test_shows_a_pair_and_how_far_one_is(as_rosalind, run):
    text = page(as_rosalind, run)
    assert "0 of 15 done" in text
    number = re.search(r"label-(\d+)", text)[1]
    assert f"guess-{number}" in text
    assert "Occupation" in text


@pytest.mark.django_db
def test_the_page_is_the_same_whatever_the_judge_said(as_rosalind):
    """Numbers, tokens and the name of the run apart, no byte depends on a verdict."""
    texts = set()
    for verdict in Verdict.values:
        run = make_judged_run(verdict)
        text = page(as_rosalind, run)
        decided = decide(as_rosalind, make_judged_run(verdict, verdict), headers=HTMX).content.decode()
        texts.add(re.sub(r"/evaluations/\d+/(judge/\d+/)?|[A-Za-z0-9]{64}|(label|guess)-\d", "", text + decided))
    assert len(texts) == 1


def test_a_decision_leads_to_the_next_pair(as_rosalind, run, rosalind):
    first = next_pair(as_rosalind, run)
    response = decide(as_rosalind, run, "less-precise")
    assert response.url == f"/evaluations/{run.pk}/judge/"
    assert next_pair(as_rosalind, run) != first
    assert "1 of 15 done" in page(as_rosalind, run)
    assert AuditedPair.objects.values_list("pair", "annotator", "verdict").get() == (first, rosalind.pk, "less-precise")


def test_with_htmx_the_next_pair_comes_alone(as_rosalind, run):
    response = decide(as_rosalind, run, headers=HTMX)
    text = response.content.decode()
    assert response.status_code == 200
    assert "<html" not in text
    assert "1 of 15 done" in text


def test_the_last_decision_with_htmx_opens_the_results(as_rosalind, run):
    *before, last = sample_of(run)
    for pair in before:
        decide(as_rosalind, run, pair=pair)
    response = decide(as_rosalind, run, pair=last, headers=HTMX)
    assert response["HX-Redirect"] == f"/evaluations/{run.pk}/judge/"


def test_sent_twice_it_counts_once(as_rosalind, run):
    pair = next_pair(as_rosalind, run)
    assert decide(as_rosalind, run, "match", pair).status_code == 302
    assert decide(as_rosalind, run, "no-match", pair).status_code == 302
    assert AuditedPair.objects.get().verdict == "no-match"


def test_undo_brings_the_last_pair_back(as_rosalind, run):
    first = next_pair(as_rosalind, run)
    decide(as_rosalind, run)
    response = as_rosalind.post(f"/evaluations/{run.pk}/judge/{first}/", {"undo": "yes"})
    assert response.status_code == 302
    assert next_pair(as_rosalind, run) == first
    assert "Undo the last" not in page(as_rosalind, run)
    assert not AuditedPair.objects.exists()


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_refuses_a_verdict_that_does_not_exist(as_rosalind, run, headers):
    response = decide(as_rosalind, run, "perhaps", headers=headers)
    assert response.status_code == 422
    assert views.CHOOSE in response.content.decode()
    assert not AuditedPair.objects.exists()


def test_results_at_the_end(as_rosalind, run):
    decide_all(as_rosalind, run)
    text = page(as_rosalind, run)
    assert "15 of 15 pairs" in text
    assert "They agree on this whole sample." in text
    assert judge_agreement(run).kappa.value == pytest.approx(1)


def test_disagreements_are_listed_at_the_end(as_rosalind, run):
    decide_all(as_rosalind, run, "match")
    text = page(as_rosalind, run)
    assert text.count("<td>Less precise</td>") == 5
    assert text.count("<td>No match</td>") == 5
    assert judge_agreement(run).agreeing == 5


def test_says_why_there_is_no_kappa(as_rosalind, db):
    run = make_judged_run("match", "no-match")
    decide_all(as_rosalind, run)
    assert "kappa needs 10 audited pairs" in page(as_rosalind, run)


def test_nothing_changes_once_the_verdicts_are_known(as_rosalind, run, rosalind):
    decide_all(as_rosalind, run, "match")
    pair = sample_of(run)[0]
    response = as_rosalind.post(f"/evaluations/{run.pk}/judge/{pair}/", {"verdict": "no-match"}, follow=True)
    assert "can no longer change" in response.content.decode()
    as_rosalind.post(f"/evaluations/{run.pk}/judge/{pair}/", {"undo": "yes"})
    assert set(AuditedPair.objects.values_list("verdict", flat=True)) == {"match"}
    with pytest.raises(AuditClosed):
        record_audit(run, JudgedPair.objects.get(pk=pair), Verdict.MATCH, by=rosalind, sample=sample_of(run))


def test_each_person_has_an_audit_of_their_own(as_rosalind, run, grace):
    decide_all(as_rosalind, run)
    as_rosalind.force_login(grace)
    text = page(as_rosalind, run)
    assert "0 of 15 done" in text
    assert "Agreement" not in text
    decide(as_rosalind, run)
    assert judge_agreement(run).pairs == 16


def test_without_audits_there_is_no_agreement(run):
    assert judge_agreement(run) is None


@pytest.mark.django_db
def test_a_run_without_a_judge_has_nothing_to_check(as_rosalind):
    assert "Nothing to check" in page(as_rosalind, make_inference_run())


def test_hostile_texts_are_escaped(as_rosalind, db):
    run = make_inference_run(name="<i>run</i>")
    case = make_inferred_case(run, 1, ["<script>x</script>"])
    JudgedPair.objects.create(case=case, position=1, verdict="match")
    text = page(as_rosalind, run)
    assert "<script>x" not in text
    assert "<i>run" not in text


def test_what_does_not_exist_is_not_found(as_rosalind, run):
    other, spans = make_judged_run("match"), make_run()
    foreign = JudgedPair.objects.get(case__run=other).pk
    assert as_rosalind.get("/evaluations/0/judge/").status_code == 404
    assert as_rosalind.get(f"/evaluations/{spans.pk}/judge/").status_code == 404
    assert decide(as_rosalind, run, pair=foreign).status_code == 404
    assert decide(as_rosalind, run, pair=10**9).status_code == 404


def test_only_staff_may_check(client, ada, run):
    client.force_login(ada)
    assert client.get(f"/evaluations/{run.pk}/judge/").status_code == 404
    assert client.post(f"/evaluations/{run.pk}/judge/{sample_of(run)[0]}/", {"verdict": "match"}).status_code == 404


def test_wrong_methods_are_refused(as_rosalind, run):
    assert as_rosalind.post(f"/evaluations/{run.pk}/judge/").status_code == 405
    assert as_rosalind.get(f"/evaluations/{run.pk}/judge/{sample_of(run)[0]}/").status_code == 405


@pytest.mark.parametrize("count", [1, 40])
def test_query_count_does_not_grow_with_pairs(as_rosalind, django_assert_max_num_queries, count, db):
    run = make_judged_run(*["match"] * count)
    with django_assert_max_num_queries(8):
        page(as_rosalind, run)


def test_a_large_run_has_a_sample_of_fifty(as_rosalind, db):
    run = make_judged_run(*ALL * 4)
    assert "0 of 50 done" in page(as_rosalind, run)
    outside = set(JudgedPair.objects.values_list("pk", flat=True)) - set(sample_of(run))
    assert decide(as_rosalind, run, pair=outside.pop()).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_another_tab_waits_and_then_finds_the_audit_closed():
    """One tab has looked and is about to write the last answer; the other one has to wait for it."""
    run, person = make_judged_run("match", "no-match"), make_annotator("x")
    sample = sample_of(run)
    first, last = JudgedPair.objects.in_bulk(sample).values()
    record_audit(run, first, Verdict.MATCH, by=person, sample=sample)
    outcomes = []

    def decide_last():
        try:
            record_audit(run, last, Verdict.NO_MATCH, by=person, sample=sample)
        except AuditClosed:
            outcomes.append("closed")
        finally:
            connection.close()

    other_tab = threading.Thread(target=decide_last)
    with transaction.atomic():
        services._lock_open_audit(run, person, sample)
        other_tab.start()
        other_tab.join(0.3)
        assert other_tab.is_alive()
        AuditedPair.objects.create(pair=last, annotator=person, verdict=Verdict.MATCH)
    other_tab.join()
    assert outcomes == ["closed"]
    assert AuditedPair.objects.get(pair=last).verdict == Verdict.MATCH
