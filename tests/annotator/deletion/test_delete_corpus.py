"""Deleting a corpus: everything that belongs to it goes, and nothing else."""

from io import StringIO
from pathlib import Path
from unittest.mock import Mock

import pgtrigger
import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.utils import timezone

from annotator.core.dependents import dependents
from annotator.deletion import job
from annotator.deletion.contents import rows_to_delete
from annotator.deletion.services import OTHER_NAME, request_deletion
from annotator.deletion.tasks import sweep_deletions
from annotator.models import (
    AuditEntry,
    Batch,
    CorpusDeletion,
    Export,
    GoldBuild,
    ImportUndo,
    Judgement,
    LabelImport,
    Target,
)
from evaluation.models import (
    AgreementJob,
    AgreementReport,
    ErrorItem,
    ErrorMark,
    EvaluatedDocument,
    EvaluationInput,
    EvaluationKind,
)
from profiles.ingest.work_folder import WorkFolder
from profiles.jobs.states import State, state_of
from profiles.models import Comment, Corpus, DetectionChunk, DetectionRun, Profile, Recipe
from tests.annotator.corpora.dumps import make_dump_file, make_ingest
from tests.annotator.privacy.forgotten_account import make_account
from tests.annotator.privacy.test_takedown import models_leading_to_a_profile
from tests.annotator.privacy.test_vacuum import make_analysed_account, tables_with_marker
from tests.evaluation.runs.records import make_run
from tests.factories import make_annotator, make_assignment, make_batch, make_corpus, make_profile

pytestmark = pytest.mark.django_db
KEPT = {"annotator.auditentry", "annotator.corpusdeletion"}


@pytest.fixture
def exports(settings, tmp_path) -> Path:
    settings.EXPORTS = tmp_path / "exports"
    settings.EXPORTS.mkdir()
    return settings.EXPORTS


def make_full_corpus(name: str, exports: Path) -> Corpus:
    """A corpus with a row of every kind, and a closed batch."""
    corpus = make_corpus(name)
    make_account(f"{name}_account", corpus=corpus)
    make_dump_file(corpus, f"{name}.zst", problem="cut off").set_aside.create(line=1, reason="not JSON")
    make_ingest(corpus, stage="done")
    batch = Batch.objects.filter(assignments__profile__corpus=corpus).first()
    Batch.objects.filter(assignments__profile__corpus=corpus).update(
        corpus=corpus, started_at=timezone.now(), closed_at=timezone.now()
    )
    LabelImport.objects.filter(corpus=None).update(corpus=corpus, batch=batch)
    ImportUndo.objects.create(label_import=LabelImport.objects.get(corpus=corpus))
    GoldBuild.objects.create(corpus=corpus)
    run = DetectionRun.objects.get(corpus=corpus)
    DetectionChunk.objects.create(run=run, first_comment=1, last_comment=2, comment_count=2, found=2)
    Target.objects.create(corpus=corpus, attribute="age", hardness=1, wanted=5)
    (exports / f"{name}.jsonl").write_text("I moved to Houston")
    Export.objects.create(
        corpus=corpus, format="native", file_name=f"{name}.jsonl", expires_at=timezone.now() + timezone.timedelta(7)
    )
    figures = {"seconds": 1, "judgement_count": 1, "signature": "x", "contents": {}}
    AgreementReport.objects.create(corpus=corpus, batch=batch, **figures)
    AgreementReport.objects.create(corpus=corpus, **figures)
    AgreementJob.objects.create(corpus=corpus)
    make_evaluation(corpus)
    WorkFolder(corpus).open()
    return corpus


def make_evaluation(corpus: Corpus) -> None:
    """With texts, which Postgres refuses otherwise: even they would go."""
    run = make_run(kind=EvaluationKind.EVIDENCE, corpus=corpus)
    EvaluationInput.objects.create(run=run, role="gold", name="a", file_name="a", sha256="a", size=1)
    with pgtrigger.ignore():
        document = EvaluatedDocument.objects.create(run=run, number=1, name="a", contents={})
        item = ErrorItem.objects.create(run=run, number=1, kind="missed", document=document, contents={})
    ErrorMark.objects.create(item=item, marked_by=make_annotator())


def rows_by_table() -> dict[str, int]:
    models = apps.get_models(include_auto_created=True)
    counts = {model._meta.label_lower: model._default_manager.count() for model in models}
    return {label: count for label, count in counts.items() if count and label not in KEPT}


def delete(corpus: Corpus, **options) -> CorpusDeletion:
    deletion = request_deletion(corpus, corpus.name, **options)
    job.run(deletion.pk)
    deletion.refresh_from_db()
    return deletion


# ── What goes ───────────────────────────────────────────────────────────────


def test_everything_of_the_corpus_goes_and_nothing_else(exports):
    make_full_corpus("stays", exports)
    before = rows_by_table()
    corpus = make_full_corpus("goes", exports)
    belonging = {dependent.model._meta.label_lower for dependent in dependents(Corpus)}
    assert belonging - set(rows_by_table()) == set(), "make one of each"
    people = rows_by_table()["annotator.annotator"] - before["annotator.annotator"]
    deletion = delete(corpus)
    assert state_of(deletion) == State.FINISHED
    after = rows_by_table()
    after["annotator.annotator"] -= people  # people stay
    assert {label: count for label, count in after.items() if count != before.get(label)} == {}
    assert [file.name for file in exports.iterdir()] == ["stays.jsonl"]
    assert not WorkFolder(corpus).folder.exists()


def make_analysed_corpus() -> Corpus:
    """A corpus whose words are in the planner's statistics."""
    make_analysed_account()
    Batch.objects.update(closed_at=timezone.now())
    return Corpus.objects.get()


@pytest.mark.django_db(transaction=True)
def test_postgres_keeps_no_words_of_it():
    delete(make_analysed_corpus())
    assert tables_with_marker() == set()
    assert set(models_leading_to_a_profile()) <= set(job.touched_tables())


@pytest.mark.django_db(transaction=True)
def test_a_deletion_that_was_killed_before_the_end_still_cleans_up(monkeypatch):
    corpus = make_analysed_corpus()
    with monkeypatch.context() as killed:
        killed.setattr(job, "vacuum", Mock(side_effect=OSError("killed")))
        with pytest.raises(OSError, match="killed"):
            delete(corpus)
    job.run(CorpusDeletion.objects.get().pk)
    assert tables_with_marker() == set()


def test_both_the_request_and_the_end_are_in_the_audit_log(exports, grace):
    corpus = make_full_corpus("goes", exports)
    listed = rows_to_delete(corpus)
    deletion = delete(corpus, by=grace)
    request, done = AuditEntry.objects.order_by("pk")
    assert (request.action, done.action) == (
        AuditEntry.Action.CORPUS_DELETION_ASKED,
        AuditEntry.Action.CORPUS_DELETED,
    )
    assert request.details == {"corpus": corpus.pk, "name": "goes", "rows": listed}
    assert {request.actor, done.actor, deletion.asked_by} == {grace}
    assert done.details["removed"]["profiles.comment"] == listed["comments"] == 2
    assert listed["profiles"] == listed["judgements"] == listed["batches"] == 1


def test_a_large_corpus_goes_piece_by_piece(monkeypatch):
    monkeypatch.setattr(job, "COMMENTS_AT_ONCE", 3)
    corpus = make_corpus()
    for _ in range(5):
        make_profile("first text", "second text", corpus=corpus)
    progress: list[tuple[int, int]] = []
    deletion = request_deletion(corpus, corpus.name)
    job.run(deletion.pk, lambda *counts: progress.append(counts))
    assert progress == [(4, 10), (8, 10), (10, 10)]
    assert not Corpus.objects.exists()


def test_nobody_sees_it_from_the_moment_somebody_asks(as_grace):
    corpus = make_profile().corpus
    profile = Profile.objects.get()
    request_deletion(corpus, corpus.name)
    for path in (f"/corpora/{corpus.pk}/", f"/corpora/{corpus.pk}/provenance/", f"/profiles/{profile.pk}/"):
        assert as_grace.get(path).status_code == 404
    page = as_grace.get("/corpora/")
    assert list(page.context["page"]) == []
    assert [deletion.name for deletion, _ in page.context["deletions"]] == [corpus.name]
    job.run(CorpusDeletion.objects.get().pk)
    assert as_grace.get("/corpora/").context["deletions"] == []


def test_a_detection_run_is_cancelled_at_once():
    corpus = make_profile().corpus
    recipe = Recipe.objects.create(name="plain", digest="0" * 64, contents={})
    DetectionRun.objects.create(corpus=corpus, recipe=recipe)
    request_deletion(corpus, corpus.name)
    assert DetectionRun.objects.get().cancelled_at


# ── When it is killed ───────────────────────────────────────────────────────


def test_a_deletion_that_broke_says_so_and_resumes(monkeypatch, as_grace, exports):
    corpus = make_full_corpus("goes", exports)
    deletion = request_deletion(corpus, corpus.name)
    delete_rest = job._delete_rest
    monkeypatch.setattr(job, "_delete_rest", lambda corpus: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        job.run(deletion.pk)
    assert not Comment.objects.exists()
    todos = as_grace.get("/").context["study"].todos
    assert "goes" in [todo.subject for todo in todos]
    assert b"Try again" in as_grace.get("/corpora/").content
    monkeypatch.setattr(job, "_delete_rest", delete_rest)
    assert as_grace.post(f"/corpora/deletions/{deletion.pk}/resume/").status_code == 302
    job.run(deletion.pk)
    job.run(deletion.pk)
    assert not Corpus.objects.exists()
    deletion.refresh_from_db()
    assert state_of(deletion) == State.FINISHED


def test_a_killed_one_is_queued_again(monkeypatch):
    corpus, queued, long_ago = make_corpus(), [], timezone.now() - timezone.timedelta(minutes=5)
    monkeypatch.setattr("annotator.deletion.tasks.delete_corpus.delay", queued.append)
    deletion = request_deletion(corpus, corpus.name)
    sweep_deletions()
    assert queued == []
    CorpusDeletion.objects.update(began_at=long_ago, beat_at=long_ago)
    sweep_deletions()
    assert queued == [deletion.pk]


# ── What is refused ─────────────────────────────────────────────────────────


def make_used(kind: str) -> Corpus:
    corpus = make_profile().corpus
    if kind == "open batch":
        make_batch(corpus=corpus)
    elif kind == "planted elsewhere":
        make_assignment(batch=make_batch(corpus=make_corpus()), profile=Profile.objects.get())
    elif kind == "practised before another":
        practice = make_batch(corpus=corpus, closed_at=timezone.now())
        make_batch(corpus=make_corpus(), after_practice=practice)
    else:
        make_ingest(corpus)
    return corpus


@pytest.mark.parametrize("kind", ["open batch", "planted elsewhere", "practised before another", "running import"])
def test_what_is_in_use_is_refused_with_the_reason(kind, as_grace):
    corpus = make_used(kind)
    assert as_grace.get(f"/corpora/{corpus.pk}/delete/").context["refusal"]
    response = as_grace.post(f"/corpora/{corpus.pk}/delete/", {"typed": corpus.name})
    assert response.status_code == 422
    with pytest.raises(CommandError):
        call_command("delete_corpus", corpus.name, confirm=corpus.name, stdout=StringIO())
    assert not CorpusDeletion.objects.exists()
    assert Corpus.objects.ready().filter(pk=corpus.pk).exists()


@pytest.mark.parametrize("typed", ["", "something else", "CORPUS"])
def test_the_name_must_be_typed(typed, as_grace):
    corpus = make_profile(corpus=make_corpus("corpus")).corpus
    response = as_grace.post(f"/corpora/{corpus.pk}/delete/", {"typed": typed})
    assert response.status_code == 422
    assert response.context["form"].errors["typed"]
    assert not CorpusDeletion.objects.exists()


def test_the_page_lists_what_goes_and_begins_with_the_right_name(as_grace, exports):
    corpus = make_full_corpus("goes", exports)
    page = as_grace.get(f"/corpora/{corpus.pk}/delete/")
    assert page.context["rows"] == rows_to_delete(corpus)
    assert b"Gold records" in page.content
    response = as_grace.post(f"/corpora/{corpus.pk}/delete/", {"typed": " goes "})
    assert response["Location"] == "/corpora/"
    assert CorpusDeletion.objects.get().corpus_id == corpus.pk


def test_only_admins_may(client, ada, rosalind):
    corpus = make_profile().corpus
    for person in (ada, rosalind):
        client.force_login(person)
        assert client.get(f"/corpora/{corpus.pk}/delete/").status_code == 404
        assert client.post(f"/corpora/{corpus.pk}/delete/", {"typed": corpus.name}).status_code == 404
        assert client.post("/corpora/deletions/1/resume/").status_code == 404
    assert not CorpusDeletion.objects.exists()


# ── On the command line ─────────────────────────────────────────────────────


def test_the_command_lists_asks_and_deletes(monkeypatch, exports):
    make_full_corpus("goes", exports)
    monkeypatch.setattr("builtins.input", lambda prompt: "goes")
    out = StringIO()
    call_command("delete_corpus", "goes", stdout=out)
    assert "gold records" in out.getvalue()
    assert not Corpus.objects.exists()
    assert not Judgement.objects.exists()


def test_the_command_stops_at_another_name(monkeypatch):
    make_profile(corpus=make_corpus("goes"))
    monkeypatch.setattr("builtins.input", lambda prompt: "y")
    with pytest.raises(CommandError, match=OTHER_NAME):
        call_command("delete_corpus", "goes", stdout=StringIO())
    with pytest.raises(CommandError, match="no corpus"):
        call_command("delete_corpus", "nothing", stdout=StringIO())
    assert Corpus.objects.ready().exists()


def test_the_command_goes_on_where_another_stopped(monkeypatch):
    corpus = make_profile(corpus=make_corpus("goes")).corpus
    request_deletion(corpus, "goes", by=make_annotator())
    call_command("delete_corpus", "goes", stdout=StringIO())
    assert not Corpus.objects.exists()
