"""Model-prompted answers in exports: none unless somebody asks for them, and marked if so."""

import csv
import json
from io import StringIO

import pytest
from django.core.management import call_command

from annotator.exchange.export.manifest import build_manifest
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.writer import NothingToExport, write_export
from annotator.gold.build import build_gold
from annotator.models import MODEL_PROMPTED, Batch, Format, GoldRecord
from profiles.models import Corpus
from tests.annotator.exchange import gold_schema
from tests.annotator.exchange.files import AT, LINE_FORMATS, import_file, lines_of, make_labelled, profile_of
from tests.annotator.gold.records import make_prompted

pytestmark = pytest.mark.django_db
MODEL = "gpt-nosy"


def make_study(*, prompted: bool = True) -> Corpus:
    """People agreed on place and job; nobody could tell the income, until a model claimed it."""
    corpus = make_labelled()
    build_gold(corpus)
    if prompted:
        prompt(corpus)
    return corpus


def prompt(corpus: Corpus) -> None:
    profile = profile_of(corpus, "tinroof_rusty")
    comment = profile.comments.order_by("written_at").first()
    span = {"comment": comment.pk, "start": 11, "end": 18, "text": "Houston"}
    make_prompted("income", "high", profile=profile, prompted_by=MODEL, evidence=[span])


def write(corpus, path, form: Format = Format.NATIVE, **options):
    return write_export(corpus, ExportOptions(format=form, **options), path)


@pytest.mark.parametrize("form", LINE_FORMATS)
def test_without_the_option_no_byte_differs(tmp_path, form):
    corpus = make_study(prompted=False)
    before = write(corpus, tmp_path / "before", form, with_text=True)
    prompt(corpus)
    after = write(corpus, tmp_path / "after", form, with_text=True)
    assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes()
    assert before.counts == after.counts
    manifest = build_manifest(after, ExportOptions(format=form), corpus="x", file="y", by="", at=AT)
    assert "prompted" not in json.dumps(manifest)


def test_native_marks_them_and_names_the_model(tmp_path):
    summary = write(make_study(), tmp_path / "gold", with_text=True, with_prompted=True)
    [line] = lines_of(tmp_path / "gold")
    assert gold_schema.problems(line) == []
    income = line["gold"]["income"]
    assert (income["value"], income["reached"], income["prompted_by"]) == ("high", MODEL_PROMPTED, MODEL)
    assert income["evidence"] == [{"comment": "1", "start": 11, "end": 18, "text": "Houston"}]
    assert "prompted_by" not in line["gold"]["location"]
    assert (summary.counts["model_prompted"], summary.counts["gold"]) == (1, len(line["gold"]))


def test_the_table_has_a_column_for_them(tmp_path):
    write(make_study(), tmp_path / "gold", Format.CSV, with_prompted=True)
    with open(tmp_path / "gold", encoding="utf-8-sig", newline="") as file:
        rows = {row["attribute"]: row for row in csv.DictReader(file)}
    assert (rows["income"]["reached"], rows["income"]["prompted_by"]) == (MODEL_PROMPTED, MODEL)
    assert rows["location"]["prompted_by"] == ""


@pytest.mark.parametrize("form", [Format.LLMPRIVACY, Format.SYNTHPAI])
def test_other_formats_contain_them(tmp_path, form):
    corpus = make_study()
    write(corpus, tmp_path / "without", form)
    write(corpus, tmp_path / "with", form, with_prompted=True)
    assert '"high"' not in (tmp_path / "without").read_text()
    assert '"high"' in (tmp_path / "with").read_text()


def test_span_files_contain_their_evidence(tmp_path):
    write(make_study(), tmp_path / "gold", Format.SPANS, with_prompted=True)
    spans = [span for line in lines_of(tmp_path / "gold") for span in line["spans"]]
    assert [span["label"] for span in spans if span["end"] == 18] == ["income"]


def test_filters_apply_to_them(tmp_path):
    corpus = make_study()
    write(corpus, tmp_path / "hard", with_prompted=True, hardness=(3,))
    assert list(lines_of(tmp_path / "hard")[0]["gold"]) == ["income"]
    write(corpus, tmp_path / "negative", with_prompted=True, hardness=(0,))
    assert "income" not in lines_of(tmp_path / "negative")[0]["gold"]
    with pytest.raises(NothingToExport):
        write(corpus, tmp_path / "none", with_prompted=True, adjudicated_only=True)
    batch = Batch.objects.get(corpus=corpus)
    write(corpus, tmp_path / "batch", with_prompted=True, batch=batch.name, attributes=("income",))
    assert lines_of(tmp_path / "batch")[0]["gold"]["income"]["value"] == "high"


def test_what_people_found_wins(tmp_path):
    corpus = make_study()
    GoldRecord.objects.filter(attribute="income").update(value="low", hardness=1, certainty=5)
    write(corpus, tmp_path / "gold", with_prompted=True)
    assert lines_of(tmp_path / "gold")[0]["gold"]["income"]["value"] == "low"


def test_an_import_says_that_it_leaves_them_out(tmp_path):
    write(make_study(), tmp_path / "gold.jsonl", with_text=True, with_prompted=True)
    output = import_file(tmp_path / "gold.jsonl", "native", corpus="copy")
    assert "after a model had claimed it" in output
    assert not GoldRecord.objects.filter(profile__corpus__name="copy", attribute="income").exists()


def test_the_page_offers_them(as_grace):
    corpus = make_study()
    as_grace.post("/exports/", {"corpus": corpus.pk, "format": "native", "min_certainty": 0, "with_prompted": "on"})
    assert corpus.exports.get().options["with_prompted"] is True


def test_files_per_reviewer_cannot_have_them():
    with pytest.raises(ValueError, match="model-prompted"):
        ExportOptions(format=Format.LLMPRIVACY, per_reviewer=True, with_prompted=True)


def test_the_command_offers_them(tmp_path):
    corpus = make_study()
    call_command("export_gold", corpus=corpus.name, out=tmp_path / "gold.jsonl", model_prompted=True, stdout=StringIO())
    assert lines_of(tmp_path / "gold.jsonl")[0]["gold"]["income"]["prompted_by"] == MODEL
