"""Start an evidence run on its page, let a worker do it, and look at the report."""

import pytest

from annotator.privacy.services import forget_account
from evaluation.models import EvaluationKind, EvaluationRun
from evaluation.runs import job
from evaluation.spans.evidence.measurement import GONE
from evaluation.spans.evidence.presentation import TITLE
from evaluation.spans.evidence.report import FORMAT
from evaluation.spans.evidence.scopes import Scope, Source
from evaluation.spans.evidence.services import request_evidence_run
from tests.evaluation.spans.evidence.studies import (
    BODY,
    detect,
    make_judgement_with_evidence,
    make_labelled_profile,
    make_recipe,
    make_run,
    make_submitted,
)
from tests.factories import make_batch, make_corpus, make_profile

pytestmark = pytest.mark.django_db
NEW = "/evaluations/new/evidence/"


@pytest.fixture
def corpus():
    return make_corpus("Study")


def measured(corpus, run=None, **fields):
    """A run that a worker has done."""
    evaluation = request_evidence_run(Scope(corpus, run or make_run(corpus), **fields))
    job.run(evaluation.pk)
    evaluation.refresh_from_db()
    return evaluation


def page(client, evaluation):
    response = client.get(f"/evaluations/{evaluation.pk}/")
    assert response.status_code == 200
    return response.content.decode()


# ── Start ───────────────────────────────────────────────────────────────────


def test_starts_a_run(as_grace, corpus, grace):
    make_labelled_profile(corpus)
    run = make_run(corpus)
    response = as_grace.post(NEW, {"detection_run": run.pk, "source": "gold"})
    evaluation = EvaluationRun.objects.get()
    assert response.headers["Location"] == f"/evaluations/{evaluation.pk}/"
    assert (evaluation.kind, evaluation.corpus, evaluation.asked_by) == (EvaluationKind.EVIDENCE, corpus, grace)
    assert evaluation.inputs["recipe"]["digest"] == run.recipe.digest


def test_starts_a_run_of_one_batch_and_all_judgements(as_grace, corpus):
    make_labelled_profile(corpus)
    batch = make_batch(corpus=corpus)
    as_grace.post(NEW, {"detection_run": make_run(corpus).pk, "batch": batch.pk, "source": "judgements"})
    settings = EvaluationRun.objects.get().settings
    assert (settings["batch"], settings["source"]) == (batch.pk, "judgements")


def test_offers_only_finished_runs(as_grace, corpus):
    make_profile(BODY, corpus=corpus)
    unfinished = make_run(corpus, finished=False)
    assert '<form class="card' not in as_grace.get(NEW).content.decode()
    assert as_grace.post(NEW, {"detection_run": unfinished.pk, "source": "gold"}).status_code == 422
    assert not EvaluationRun.objects.exists()


def test_refuses_a_batch_of_another_corpus(as_grace, corpus):
    make_profile(BODY, corpus=corpus)
    response = as_grace.post(NEW, {"detection_run": make_run(corpus).pk, "batch": make_batch().pk, "source": "gold"})
    assert response.status_code == 422
    assert "batch" in response.context["form"].errors


def test_evaluators_find_neither_form_nor_report(as_ada, corpus):
    make_labelled_profile(corpus)
    evaluation = measured(corpus)
    assert as_ada.get(NEW).status_code == 404
    assert as_ada.post(NEW, {"source": "gold"}).status_code == 404
    assert as_ada.get(f"/evaluations/{evaluation.pk}/").status_code == 404


# ── Measure ─────────────────────────────────────────────────────────────────


def test_a_worker_stores_the_report_without_texts(corpus):
    make_labelled_profile(corpus)
    evaluation = measured(corpus)
    assert (evaluation.report["format"], evaluation.problem) == (FORMAT, "")
    assert evaluation.report["overall"]["spans"] == 1
    assert evaluation.signature == evaluation.report["signature"]
    assert evaluation.headline[0]["label"] == "Evidence fully masked"
    assert "Houston" not in str(evaluation.report) + str(evaluation.settings) + str(evaluation.inputs)


def test_a_run_about_something_that_is_gone_fails_with_a_sentence(corpus):
    make_labelled_profile(corpus)
    evaluation = request_evidence_run(Scope(corpus, make_run(corpus), make_batch(corpus=corpus)))
    EvaluationRun.objects.filter(pk=evaluation.pk).update(
        settings=evaluation.settings | {"batch": 0, "detection_run": 0}
    )
    job.run(evaluation.pk)
    evaluation.refresh_from_db()
    assert evaluation.problem == GONE


# ── Look at it ──────────────────────────────────────────────────────────────


def test_shows_the_picture_and_what_stays_readable(as_grace, corpus):
    masked, readable = make_labelled_profile(corpus), make_labelled_profile(corpus)
    run = make_run(corpus)
    detect(run, masked.comments.get())
    html = page(as_grace, measured(corpus, run))
    assert TITLE in html
    assert "1 fully masked, 0 partly, 1 left readable" in html
    assert readable.pseudonym in html
    assert masked.pseudonym not in html
    assert f"/profiles/{readable.pk}/" in html


def test_a_removed_account_is_gone_from_the_page_and_the_figures_stay(as_grace, corpus):
    profile = make_labelled_profile(corpus)
    evaluation = measured(corpus)
    assert "Houston" in page(as_grace, evaluation)
    forget_account(f"account{profile.pseudonym.rpartition('-')[2]}")
    html = page(as_grace, evaluation)
    assert "Houston" not in html
    assert profile.pseudonym not in html
    assert "0 fully masked, 0 partly, 1 left readable" in html


def test_shows_the_evidence_of_judgements(as_grace, corpus):
    profile = make_profile(BODY, corpus=corpus)
    make_judgement_with_evidence(make_submitted(profile))
    assert profile.pseudonym in page(as_grace, measured(corpus, source=Source.JUDGEMENTS))


def test_a_corpus_without_evidence_has_an_empty_report(as_grace, corpus):
    make_profile(BODY, corpus=corpus)
    assert 'class="empty"' in page(as_grace, measured(corpus))


@pytest.mark.parametrize("profiles", [1, 12])
def test_query_count_does_not_grow(as_grace, corpus, django_assert_max_num_queries, profiles):
    for _ in range(profiles):
        make_labelled_profile(corpus)
    evaluation = measured(corpus)
    with django_assert_max_num_queries(6):
        page(as_grace, evaluation)


def test_the_html_file_has_the_picture_and_no_examples(as_grace, corpus):
    profile = make_labelled_profile(corpus)
    evaluation = measured(corpus)
    html = as_grace.get(f"/evaluations/{evaluation.pk}/report.html").content.decode()
    assert "0 fully masked, 0 partly, 1 left readable" in html
    assert html.count("Evidence fully masked") == 1
    assert "Houston" not in html
    assert profile.pseudonym not in html


def test_two_recipes_can_be_compared(as_grace, corpus):
    make_labelled_profile(corpus)
    first, second = (measured(corpus, make_run(corpus, recipe=make_recipe(name))) for name in ("one", "two"))
    response = as_grace.get(f"/evaluations/compare/?first={first.pk}&second={second.pk}")
    assert response.context["comparison"].differences == ()


@pytest.mark.parametrize("url", ["/evaluations/", "/evaluations/new/"])
def test_can_be_reached_from_the_list_and_from_new(as_grace, url):
    assert NEW in as_grace.get(url).content.decode()


def test_an_evidence_report_can_be_downloaded_and_compared(as_grace, corpus):
    make_labelled_profile(corpus)
    run = measured(corpus)
    page = as_grace.get(f"/evaluations/{run.pk}/report.html").content.decode()
    assert "<script" not in page
    assert TITLE in page
    assert as_grace.get(f"/evaluations/{run.pk}/report.json").json() == run.report
    assert as_grace.get(f"/evaluations/compare/?first={run.pk}&second={run.pk}").status_code == 200
    assert "report.html" in as_grace.get(f"/evaluations/{run.pk}/").content.decode()
