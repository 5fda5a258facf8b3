"""`bin/manage run_detection`: starts runs, watches them, and prints how they ended."""

import threading
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from annotator.core.heartbeat import beat
from profiles.detection.recipes import get_or_create_recipe
from profiles.models import DetectionChunk, DetectionRun, Unanalysed
from tests.factories import make_corpus, make_profile
from tests.profiles.detection.runs import NOWHERE, make_run

pytestmark = pytest.mark.django_db


def detect(*arguments):
    output = StringIO()
    call_command("run_detection", *arguments, stdout=output)
    return output.getvalue()


def test_asks_for_every_complete_corpus():
    corpora = [make_profile().corpus, make_profile().corpus]
    make_corpus("unfinished", ready=False)
    get_or_create_recipe(NOWHERE, "plain")
    assert corpora[0].name in detect("--recipe", "plain")
    assert [run.corpus for run in DetectionRun.objects.order_by("pk")] == corpora


def test_asks_for_one_corpus():
    make_profile()
    corpus = make_profile().corpus
    get_or_create_recipe(NOWHERE, "plain")
    detect("--corpus", corpus.name, "--recipe", "plain")
    assert DetectionRun.objects.get().corpus == corpus


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--corpus", "nope"], "There is no complete corpus called “nope”."),
        ([], "There is no complete corpus yet."),
        (["--recipe", "nope"], "There is no recipe called “nope”. Recipes: none yet."),
    ],
)
def test_says_what_is_not_there(arguments, message):
    with pytest.raises(CommandError, match=message):
        detect(*arguments)


def test_a_run_that_is_done_is_told_at_once():
    run = make_run("some text", "другой")
    run.chunks.update(done_at=timezone.now(), found=3)
    Unanalysed.objects.create(run=run, comment=run.corpus.profiles.get().comments.last(), reason="language")
    DetectionRun.objects.update(finished_at=timezone.now())
    output = detect("--corpus", run.corpus.name, "--recipe", run.recipe.name, "--wait")
    assert output == f"{run.corpus.name}: done, 2 of 2 comments, 3 detections, 1 not analysed\n"


def test_what_needs_attention_is_told_with_its_reason():
    run = make_run("some text")
    DetectionRun.objects.update(problem="There is no model en_core_web_none.")
    with pytest.raises(CommandError, match="Some runs did not finish"):
        detect("--corpus", run.corpus.name, "--recipe", run.recipe.name, "--wait")


@pytest.mark.django_db(transaction=True)
def test_it_waits_until_workers_have_done_it(monkeypatch):
    monkeypatch.setattr("annotator.management.commands.run_detection.LOOK_EVERY", 0.05)
    run = make_run("some text")
    beat("a worker")

    def worker():
        try:
            threading.Event().wait(0.5)
            DetectionChunk.objects.update(done_at=timezone.now())
            DetectionRun.objects.update(finished_at=timezone.now())
        finally:
            connection.close()

    thread = threading.Thread(target=worker)
    thread.start()
    assert "done, 1 of 1 comments" in detect("--corpus", run.corpus.name, "--recipe", run.recipe.name, "--wait")
    thread.join()
