"""The page for label imports: access, refused forms, and results."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from annotator.exchange.imports.job import GONE, run
from annotator.exchange.imports.target import NOT_READY
from annotator.models import Judgement, LabelImport
from profiles.models import Corpus, Profile
from tests.annotator.accounts.sign_in_forms import actions
from tests.annotator.corpora.dumps import files_in, uploaded
from tests.annotator.exchange.files import synthpai_line

pytestmark = pytest.mark.django_db
PATH = "/imports/labels/"
HTMX = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.UPLOADS = tmp_path / "uploads"


def import_form(text: str | bytes | None = None, name: str = "synth.jsonl", **changes) -> dict:
    text = json.dumps(synthpai_line()) + "\n" if text is None else text
    return {"format": "synthpai", "name": "SynthPAI", "uploads": uploaded(text, name)} | changes


def test_is_for_admins_only(client, ada, rosalind, settings):
    for annotator in (ada, rosalind):
        client.force_login(annotator)
        assert client.get(PATH).status_code == 404
        assert client.post(PATH, import_form()).status_code == 404
    assert not settings.UPLOADS.exists()


def test_an_upload_comes_in_and_goes(as_grace, settings):
    assert as_grace.post(PATH, import_form()).status_code == 302
    label_import = LabelImport.objects.get()
    assert len(files_in(settings.UPLOADS)) == 1
    assert "Waiting for a worker" in as_grace.get(PATH).content.decode()
    run(label_import.pk)
    assert files_in(settings.UPLOADS) == []
    page = as_grace.get(PATH).content.decode()
    assert "1 profiles, 1 of them new, 2 comments" in page
    assert Judgement.objects.count() == 8
    assert actions() == ["labels_imported", "detection_started"]
    run(label_import.pk)
    assert LabelImport.objects.get().problem == ""
    assert Profile.objects.count() == 1


def test_shows_what_was_set_aside_and_why(as_grace):
    as_grace.post(PATH, import_form("no json\n"))
    run(LabelImport.objects.get().pk)
    page = as_grace.get(PATH).content.decode()
    assert "1 × The line is not valid JSON." in page
    assert "whole line" in page


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"format": "csv"}, "format"),
        ({"format": ""}, "format"),
        ({"name": " "}, "name"),
        ({"uploads": ""}, "uploads"),
        ({"uploads": uploaded(name="labels.exe")}, "uploads"),
        ({"uploads": uploaded(b"", "labels.jsonl")}, "uploads"),
    ],
    ids=str,
)
def test_refuses_what_cannot_be(as_grace, settings, changes, field):
    response = as_grace.post(PATH, import_form() | changes)
    assert response.status_code == 422
    assert field in response.context["form"].errors
    assert files_in(settings.UPLOADS) == []
    assert not LabelImport.objects.exists()


def test_refuses_a_corpus_that_is_being_made(as_grace, settings):
    Corpus.objects.create(name="half", options={"since": "2012-01-01"})
    response = as_grace.post(PATH, import_form(name="half.jsonl") | {"name": "half"})
    assert response.context["form"].errors["name"] == [NOT_READY]
    assert files_in(settings.UPLOADS) == []


def test_a_file_that_is_gone_is_told(as_grace, settings):
    as_grace.post(PATH, import_form())
    for file in files_in(settings.UPLOADS):
        file.unlink()
    run(LabelImport.objects.get().pk)
    assert LabelImport.objects.get().problem == GONE


def test_a_form_from_elsewhere_leaves_nothing(grace, settings):
    client = Client(enforce_csrf_checks=True)
    client.force_login(grace)
    assert client.post(PATH, import_form()).status_code == 403
    assert files_in(settings.UPLOADS) == []


def test_refuses_other_methods(as_grace):
    assert as_grace.delete(PATH).status_code == 405


def test_the_list_asks_again_only_while_something_is_being_read(as_grace):
    as_grace.post(PATH, import_form())
    now = timezone.now()
    assert 'hx-get="?page=1" hx-trigger="every 2s"' in as_grace.get(PATH).content.decode()
    LabelImport.objects.update(began_at=now - timedelta(seconds=10), beat_at=now, done=20 * 1024, total=100 * 1024)
    fragment = as_grace.get(PATH, headers=HTMX).content.decode()
    assert 'hx-get="?page=1" hx-trigger="every 2s"' in fragment
    assert "2.0\xa0KB a second · 40 s left" in fragment
    assert "<h1>" not in fragment
    LabelImport.objects.update(finished_at=now, problem="The disk is full.")
    fragment = as_grace.get(PATH, headers=HTMX).content.decode()
    assert "hx-trigger" not in fragment
    assert "The disk is full." in fragment


@pytest.mark.parametrize("count", [1, 9])
def test_query_count_does_not_grow_with_imports(as_grace, django_assert_max_num_queries, count):
    for number in range(count):
        corpus = Corpus.objects.create(name=f"c{number}")
        LabelImport.objects.create(corpus=corpus, format="synthpai", name="f")
    with django_assert_max_num_queries(7):
        assert as_grace.get(PATH).status_code == 200
