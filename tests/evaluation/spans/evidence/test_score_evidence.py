"""bin/manage score_evidence."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.spans.evidence.report import FORMAT
from tests.evaluation.spans.evidence.studies import detect, make_gold, make_labelled_profile, make_recipe, make_run
from tests.factories import make_batch, make_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus():
    corpus = make_corpus("Study")
    masked = make_labelled_profile(corpus)
    make_labelled_profile(corpus)
    detect(make_run(corpus), masked.comments.get())
    return corpus


def score(*arguments, corpus="Study"):
    output = StringIO()
    call_command("score_evidence", "--corpus", corpus, "--bootstrap", "50", *arguments, stdout=output)
    return output.getvalue()


def test_prints_tables(corpus):
    text = score()
    (row,) = (line.split() for line in text.splitlines() if line.startswith("Location") and "–" in line)
    assert row[1:5] == ["2", "1", "0", "1"]
    assert f"scope:corpus-{corpus.pk}" in text


def test_prints_json(corpus):
    contents = json.loads(score("--json"))
    assert contents["format"] == FORMAT
    assert (contents["overall"]["spans"], contents["overall"]["full"]) == (2, 1)
    assert contents["settings"]["recipe"] == make_recipe().digest


def test_scores_one_batch(corpus):
    batch = make_batch(corpus=corpus)
    make_gold(make_labelled_profile(corpus), attribute="occupation", batches=[batch])
    contents = json.loads(score("--json", "--batch", batch.name))
    assert (contents["counts"]["records"], contents["settings"]["scope"]) == (1, f"batch-{batch.pk}")


@pytest.mark.parametrize("recipe", ["plain", "plain000"])
def test_finds_a_recipe_by_name_or_digest(corpus, recipe):
    assert json.loads(score("--json", "--recipe", recipe))["overall"]["full"] == 1


@pytest.mark.parametrize(
    "arguments", [("--recipe", "none"), ("--batch", "none"), ("--batch", "of another corpus"), ("--recipe", "unused")]
)
def test_refuses_what_does_not_exist(corpus, arguments):
    batch = make_batch(corpus=make_corpus())
    batch.name = "of another corpus"
    batch.save(update_fields=["name"])
    make_recipe("unused")
    with pytest.raises(CommandError):
        score(*arguments)


def test_refuses_a_corpus_without_a_finished_run():
    make_labelled_profile(make_corpus("Empty"))
    with pytest.raises(CommandError):
        score(corpus="Empty")
