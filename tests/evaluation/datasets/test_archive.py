"""The dataset folder as an export of the pages: requested, made by a worker, downloaded, withdrawn."""

from io import BytesIO
from zipfile import ZipFile

import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command

from annotator.exchange.export.job import run
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.storage import drop_exports, path_of
from annotator.models import Export, Format
from evaluation.datasets.folder import TASKS
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.exchange.files import decide_age, make_labelled
from tests.factories import make_corpus

pytestmark = pytest.mark.django_db
URL = "/exports/"


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.EXPORTS = tmp_path / "exports"


@pytest.fixture
def corpus():
    corpus = make_labelled()
    decide_age(corpus)
    return corpus


def request(client, corpus, **fields):
    return client.post(URL, {"corpus": corpus.pk, "format": "dataset", "min_certainty": "0"} | fields)


def made(export):
    run(export.pk)
    export.refresh_from_db()
    return export


def download(client, export) -> ZipFile:
    return ZipFile(BytesIO(b"".join(client.get(f"{URL}{export.pk}/file/"))))


def names(archive) -> set[str]:
    """Within the single folder that the archive has."""
    (folder,) = {name.partition("/")[0] for name in archive.namelist()}
    return {name.removeprefix(f"{folder}/") for name in archive.namelist()}


def test_is_requested_on_the_page_and_downloaded_as_one_file(as_grace, grace, corpus, tmp_path):
    assert request(as_grace, corpus, with_text="on").status_code == 302
    export = made(Export.objects.get())
    assert (export.problem, export.file_name.endswith(".zip")) == ("", True)
    archive = download(as_grace, export)
    members = names(archive)
    assert {"README.md", *(f"tasks/{name}" for name in TASKS)} < members
    tables = [name for name in archive.namelist() if name.endswith(".parquet")]
    assert sum(pq.read_table(BytesIO(archive.read(name))).num_rows for name in tables) == export.total
    assert export.manifest["sha256"] == export.sha256
    assert (export.manifest["made_by"], export.manifest["format"]) == (grace.code, "dataset")
    assert actions() == ["export_started", "export_fetched"]
    assert entry("export_started").details["format"] == "dataset"
    assert [path.name for path in (tmp_path / "exports").iterdir()] == [export.file_name]


def test_without_texts_there_are_no_tasks(as_grace, corpus):
    request(as_grace, corpus)
    assert not any(name.startswith("tasks/") for name in names(download(as_grace, made(Export.objects.get()))))


def test_account_names_are_refused(as_grace, corpus):
    response = request(as_grace, corpus, with_names="on", reason="why not")
    assert response.status_code == 422
    assert "with_names" in response.context["form"].errors
    with pytest.raises(ValueError, match="account names"):
        ExportOptions(format=Format.DATASET, with_names=True)


def test_a_corpus_without_gold_ends_with_a_sentence(as_grace, tmp_path):
    corpus = make_corpus("Nobody here")
    request(as_grace, corpus)
    export = made(Export.objects.get())
    assert export.problem
    assert list((tmp_path / "exports").iterdir()) == []


def test_a_takedown_withdraws_the_file(as_grace, corpus):
    request(as_grace, corpus)
    export = made(Export.objects.get())
    path = path_of(export)
    assert path.exists()
    drop_exports([corpus.pk])
    assert not path.exists()
    assert as_grace.get(f"{URL}{export.pk}/file/").status_code == 404


def test_the_command_for_files_points_to_no_folder(corpus, tmp_path):
    with pytest.raises(CommandError, match="dataset"):
        call_command("export_gold", "--corpus", corpus.name, "--format", "dataset", "--out", str(tmp_path / "x"))
