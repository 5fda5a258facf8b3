"""Imported judgements were made by the guidelines of another study, and do not claim ours."""

import json
from importlib import import_module
from pkgutil import iter_modules

import pgtrigger
import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from annotator import migrations
from annotator.exchange.export.job import build_gold_first
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.writer import write_export
from annotator.models import Batch, GoldRecord, GuidelineVersion
from profiles.models import Corpus
from tests.annotator.exchange import gold_schema
from tests.annotator.exchange.files import (
    decide_age,
    export_corpus,
    import_file,
    lines_of,
    make_labelled,
    synthpai_line,
    write_lines,
)
from tests.factories import make_batch

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _guidelines():
    for number in range(1, 8):
        GuidelineVersion.objects.get_or_create(number=number, defaults={"text": f"Version {number} of ours."})


def test_an_import_of_another_study_has_none(tmp_path, as_grace):
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai")
    corpus, batch = Corpus.objects.get(), Batch.objects.get()
    [line] = lines_of(export_corpus(corpus, tmp_path / "gold.jsonl"))
    assert batch.guideline is None
    assert [review["guideline"] for review in line["judgements"]] == [None]
    assert {gold["guideline"] for gold in line["gold"].values()} == {None}
    assert gold_schema.problems(line) == []
    assert not GoldRecord.objects.exclude(guideline=None).exists()
    summary = write_export(corpus, ExportOptions(), tmp_path / "gold.jsonl")
    assert (summary.guidelines, summary.imported_guidelines) == (set(), set())
    assert as_grace.get(f"/batches/{batch.pk}/setup/").status_code == 200
    assert batch.name not in as_grace.get("/guidelines/").content.decode()


def test_an_import_needs_no_guidelines(tmp_path):
    GuidelineVersion.objects.all().delete()
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai")
    assert not GuidelineVersion.objects.exists()


def test_the_number_in_our_own_file_is_kept_but_not_taken_for_ours(tmp_path):
    corpus = make_labelled()
    decide_age(corpus)
    text = export_corpus(corpus, tmp_path / "gold.jsonl").read_text(encoding="utf-8")
    (tmp_path / "theirs.jsonl").write_text(text.replace('"guideline":1', '"guideline":7'))
    import_file(tmp_path / "theirs.jsonl", "native", "copy")
    copy = Corpus.objects.get(name="copy")
    [line] = lines_of(export_corpus(copy, tmp_path / "again.jsonl"))
    assert {review["guideline"] for review in line["judgements"]} == {7}
    assert {gold["guideline"] for gold in line["gold"].values()} == {7}
    assert set(copy.batches.values_list("guideline", flat=True)) == {None}
    assert not GoldRecord.objects.filter(profile__corpus=copy).exclude(guideline=None).exists()
    summary = write_export(copy, ExportOptions(), tmp_path / "again.jsonl")
    assert (summary.guidelines, summary.imported_guidelines) == (set(), {7})


def test_llmprivacy_keeps_the_number_too(tmp_path):
    before = lines_of(export_corpus(make_labelled(), tmp_path / "study.jsonl", format="llmprivacy"))
    import_file(tmp_path / "study.jsonl", "llmprivacy", "copy")
    after = lines_of(export_corpus(Corpus.objects.get(name="copy"), tmp_path / "again.jsonl", format="llmprivacy"))
    for lines in (before, after):
        assert json.dumps(lines).count('"guideline": 1') == 7


def test_only_imports_come_without_guidelines():
    with pytest.raises(IntegrityError, match="batch_has_guidelines_or_came_in"), transaction.atomic():
        Batch.objects.create(name="none", corpus=make_batch().corpus, guideline=None)


def test_imports_from_before_forget_what_they_claimed(tmp_path):
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai")
    own, ours = make_batch(), GuidelineVersion.objects.get(number=3)
    build_gold_first(Corpus.objects.get(name="came in"))
    with pgtrigger.ignore("annotator.Batch:batch_frozen_once_started"):
        Batch.objects.filter(draw__has_key="import").update(guideline=ours)
    GoldRecord.objects.update(guideline=ours)
    names = [module.name for module in iter_modules(migrations.__path__)]
    [name] = [name for name in names if name.endswith("forget_guidelines_of_imports")]
    import_module(f"annotator.migrations.{name}").forget_guidelines(apps, None)
    assert set(Batch.objects.values_list("pk", "guideline__number")) >= {(own.pk, 1)}
    assert not Batch.objects.filter(guideline=ours).exists()
    assert GoldRecord.objects.exists()
    assert not GoldRecord.objects.filter(guideline=ours).exists()
