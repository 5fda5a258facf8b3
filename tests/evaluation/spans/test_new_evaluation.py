"""Start an evaluation: what is accepted, and what is refused with a sentence."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from annotator.models import AuditEntry
from evaluation.models import EvaluationRun
from evaluation.runs.storage import path_of
from evaluation.spans import forms
from tests.evaluation.spans.measured import gold_file, prediction_file

URL = "/evaluations/new/"
PLAIN = {
    "system": "files", "scheme": "echr-study", "threshold": "0.3", "ignore": "symmetric", "missing": "count",
    "bootstrap": "10", "seed": "1", "entities": "mapped", "score_threshold": "0",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS, settings.UPLOADS = tmp_path / "evaluations", tmp_path / "uploads"


@pytest.fixture
def as_rosalind(client, rosalind):
    client.force_login(rosalind)
    return client


def upload(path, name=""):
    file = SimpleUploadedFile("f", path.read_bytes() if hasattr(path, "read_bytes") else path)
    file._name = name or getattr(path, "name", "f.json")
    return file


def send(client, tmp_path, **fields):
    files = {"gold": upload(gold_file(tmp_path)), "predictions": upload(prediction_file(tmp_path))}
    return client.post(URL, {key: value for key, value in (PLAIN | files | fields).items() if value is not None})


def test_the_page_lists_formats(as_rosalind):
    page = as_rosalind.get(URL).content.decode()
    assert "CoNLL" in page
    assert "multipart/form-data" in page


def test_a_run_is_requested_with_its_files(as_rosalind, rosalind, tmp_path, settings):
    response = send(as_rosalind, tmp_path)
    run = EvaluationRun.objects.get()
    assert response.url == f"/evaluations/{run.pk}/"
    assert run.asked_by == rosalind
    assert [(file.role, file.name) for file in run.files.order_by("role")] == [
        ("gold", "gold.json"), ("predictions", "output.jsonl"),
    ]  # fmt: skip
    assert all(path_of(file).exists() for file in run.files.all())
    assert list(settings.UPLOADS.iterdir()) == []
    assert AuditEntry.objects.filter(action=AuditEntry.Action.EVALUATION_STARTED).exists()


def test_an_earlier_gold_file_serves_again(as_rosalind, tmp_path):
    send(as_rosalind, tmp_path)
    stored = EvaluationRun.objects.get().files.get(role="gold")
    assert f'value="{stored.pk}"' in as_rosalind.get(URL).content.decode()
    assert send(as_rosalind, tmp_path, gold=None, earlier_gold=str(stored.pk)).status_code == 302
    again = EvaluationRun.objects.latest("pk").files.get(role="gold")
    assert again.sha256 == stored.sha256
    assert again.run_id != stored.run_id
    path_of(stored).unlink()
    assert path_of(again).exists()
    assert send(as_rosalind, tmp_path, gold=None, earlier_gold=str(stored.pk)).status_code == 422


@pytest.mark.parametrize("name", ["../../etc/passwd", "a\x00b.json", "x" * 250 + ".json", "<b>.json", "\u202e.json"])
def test_hostile_file_names_stay_outside_of_paths(as_rosalind, tmp_path, settings, name):
    gold = upload(gold_file(tmp_path), name)
    assert send(as_rosalind, tmp_path, gold=gold).status_code == 302
    run = EvaluationRun.objects.get()
    folder = settings.EVALUATIONS / str(run.pk)
    assert {path.name for path in folder.iterdir()} <= {"gold-0.json", "gold-0", "predictions-0.jsonl"}
    assert folder.stat().st_mode & 0o077 == 0
    assert as_rosalind.get(f"/evaluations/{run.pk}/").status_code == 200


def refused(response, field):
    assert response.status_code == 422
    assert not EvaluationRun.objects.exists()
    return response.context["form"].errors[field]


def test_gold_is_needed_once(as_rosalind, tmp_path):
    assert refused(send(as_rosalind, tmp_path, gold=None), "gold") == [forms.GOLD_REQUIRED]


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"predictions": None}, "predictions", forms.PREDICTIONS_REQUIRED),
        ({"system": "presidio"}, "predictions", forms.PREDICTIONS_UNUSED),
    ],
)
def test_the_system_and_its_files_belong_together(as_rosalind, tmp_path, fields, field, sentence):
    assert refused(send(as_rosalind, tmp_path, **fields), field) == [sentence]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"gold": b"\xff\x00 what is this"}, "gold"),
        ({"gold": b"{}"}, "gold"),
        ({"predictions": b'{"id": "elsewhere", "spans": []}'}, "predictions"),
        ({"predictions": b"no spans at all"}, "predictions"),
        ({"scheme_file": b"[groups"}, "scheme_file"),
        ({"scheme_file": b"\xff\xfe"}, "scheme_file"),
        ({"threshold": "0"}, "threshold"),
        ({"threshold": "NaN"}, "threshold"),
        ({"bootstrap": "9" * 50}, "bootstrap"),
        ({"scheme": "../../etc/passwd"}, "scheme"),
    ],
)
def test_what_cannot_be_used_is_refused_at_once(as_rosalind, tmp_path, settings, fields, field):
    files = {key: upload(value) if isinstance(value, bytes) else value for key, value in fields.items()}
    assert refused(send(as_rosalind, tmp_path, **files), field)
    assert not settings.UPLOADS.exists() or list(settings.UPLOADS.iterdir()) == []


def test_spans_outside_their_texts_are_refused(as_rosalind, tmp_path):
    line = {"id": "d", "text": "short", "spans": [{"start": 90, "end": 95, "label": "LOC"}]}
    assert refused(send(as_rosalind, tmp_path, gold=upload(json.dumps(line).encode())), "gold")


def test_presidio_needs_texts(as_rosalind, tmp_path):
    line = {"id": "d", "spans": [{"start": 0, "end": 5, "label": "LOC"}]}
    gold = upload(json.dumps(line).encode())
    assert refused(send(as_rosalind, tmp_path, gold=gold, predictions=None, system="presidio"), "gold")


def test_uploads_are_limited(as_rosalind, tmp_path, settings):
    settings.UPLOAD_BYTES = 100
    assert refused(send(as_rosalind, tmp_path), "gold")


def test_a_large_file_is_left_to_the_worker(as_rosalind, tmp_path, monkeypatch):
    monkeypatch.setattr("evaluation.spans.checks.MAX_BYTES_AT_ONCE", 10)
    assert send(as_rosalind, tmp_path, gold=upload(b"this is no gold file")).status_code == 302


def test_evaluators_find_nothing_and_upload_nothing(as_ada, tmp_path, settings):
    assert as_ada.get(URL).status_code == 404
    assert send(as_ada, tmp_path).status_code == 404
    assert not settings.UPLOADS.exists()


def test_wrong_methods_and_forms_from_elsewhere_are_refused(as_rosalind, rosalind, tmp_path):
    assert as_rosalind.put(URL).status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(rosalind)
    assert send(strict, tmp_path).status_code == 403
    assert not EvaluationRun.objects.exists()
