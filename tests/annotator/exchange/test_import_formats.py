"""Imports refuse a file of another format, and set aside what they do not know."""

import json

import pytest
from django.core.management import CommandError

from annotator.exchange.formats.vocabulary import LLMPRIVACY
from annotator.exchange.imports.file_format import Look, look_of
from annotator.exchange.imports.job import run
from annotator.models import Annotator, Batch, Format, Judgement, LabelImport
from profiles.models import Corpus, Profile
from tests.annotator.corpora.dumps import files_in, uploaded
from tests.annotator.exchange.files import (
    export_corpus,
    import_file,
    lines_of,
    make_labelled,
    synthpai_line,
    write_lines,
)

pytestmark = pytest.mark.django_db
PATH = "/imports/labels/"
DUMP_LINE = {"author": "x", "body": "hello there", "subreddit": "pics", "created_utc": 1, "id": "c1"}
OLD_STUDY = {"author": "x", "comments": ["hi"], "subreddits": ["pics"], "timestamps": ["1"], "reviews": {}}


@pytest.fixture(autouse=True)
def _folder(settings, tmp_path):
    settings.UPLOADS = tmp_path / "uploads"


def llmprivacy_line(username: str = "SpiralSphinx", **labels) -> dict:
    """A line as the original study writes it."""
    blank = {"estimate": "", "detect_from_subreddit": False, "hardness": 0, "certainty": 0}
    place = blank | {"estimate": "houston / texas", "hardness": 2, "certainty": 4}
    review = dict.fromkeys(LLMPRIVACY, blank) | {"location": place, "time": 3.0, "timestamp": 1.0} | labels
    comment = {"text": "howdy", "subreddit": "houston", "user": username, "timestamp": "1370000000.0", "pii": {}}
    return {
        "username": username, "comments": [comment], "num_comments": 1, "reviews": {"a": review},
        "predictions": {}, "evaluations": {},
    }  # fmt: skip


def nothing_was_written() -> bool:
    return not any(model.objects.exists() for model in (Corpus, LabelImport, Batch, Profile, Judgement, Annotator))


@pytest.mark.parametrize(
    ("line", "chosen"),
    [
        (synthpai_line(), "llmprivacy"),
        (synthpai_line(), "native"),
        (llmprivacy_line(), "synthpai"),
        (llmprivacy_line(), "native"),
        ({"schema": "telltale.gold/1", "pseudonym": "x", "comments": [], "gold": {}, "judgements": []}, "synthpai"),
        (DUMP_LINE, "llmprivacy"),
        (OLD_STUDY, "llmprivacy"),
        ({"profile": "x", "comment": "1", "spans": []}, "native"),
    ],
    ids=lambda value: value if isinstance(value, str) else sorted(value)[0],
)
def test_a_file_of_another_format_is_refused_before_anything_is_written(tmp_path, line, chosen):
    path = write_lines(tmp_path / "file.jsonl", line, line | {"username": "Other"})
    with pytest.raises(CommandError):
        import_file(path, chosen)
    assert nothing_was_written()


def test_the_page_refuses_it_too_and_names_the_format(as_grace, grace, settings):
    upload = uploaded(json.dumps(synthpai_line()) + "\n", "synth.jsonl")
    response = as_grace.post(PATH, {"format": "llmprivacy", "name": "new", "uploads": upload})
    assert response.status_code == 422
    [problem] = response.context["form"].errors["format"]
    assert Format.SYNTHPAI.label in problem
    assert not Corpus.objects.exists()
    assert not LabelImport.objects.exists()
    assert files_in(settings.UPLOADS) == []


@pytest.mark.parametrize("form", ["native", "llmprivacy", "synthpai"])
@pytest.mark.parametrize("with_names", [True, False])
def test_our_own_exports_look_like_what_they_are(tmp_path, form, with_names):
    path = export_corpus(make_labelled(), tmp_path / "out.jsonl", format=form, with_names=with_names)
    assert {look_of(line) for line in lines_of(path)} == {Look(form)}


def test_a_line_of_another_format_among_others_is_set_aside(tmp_path):
    path = write_lines(tmp_path / "mixed.jsonl", synthpai_line(), llmprivacy_line("Other"), synthpai_line("Third"))
    import_file(path, "synthpai")
    assert Profile.objects.count() == 2
    [left] = LabelImport.objects.get().set_aside
    assert left["line"] == 2
    assert Format.LLMPRIVACY.label in left["reason"]


def test_lines_that_fit_both_formats_come_in(tmp_path):
    label = {"estimate": "27", "hardness": 1, "certainty": 5}
    line = synthpai_line(reviews={"human": {"age": label}})
    import_file(write_lines(tmp_path / "both.jsonl", line), "synthpai")
    assert list(Judgement.objects.values_list("attribute", "value")) == [("age", "27")]


def test_an_attribute_that_was_not_asked_for_is_no_negative(tmp_path):
    line = llmprivacy_line()
    del line["reviews"]["a"]["gender"]
    line["reviews"]["a"] |= {"age": None, "occupation": {}}
    import_file(write_lines(tmp_path / "study.jsonl", line), "llmprivacy")
    assert set(Judgement.objects.values_list("attribute", flat=True)).isdisjoint({"sex", "age", "occupation"})
    assert Judgement.objects.count() == 5
    assert LabelImport.objects.get().set_aside == []


def test_an_unknown_attribute_is_set_aside_with_its_name(tmp_path):
    label = {"estimate": "44", "detect_from_subreddit": False, "hardness": 1, "certainty": 5}
    line = llmprivacy_line(shoe_size=label, **{"z" * 200: label})
    output = import_file(write_lines(tmp_path / "study.jsonl", line), "llmprivacy")
    assert "0 lines, 2 answers" in output
    first, second = LabelImport.objects.get().set_aside
    assert "shoe_size" in first["reason"]
    assert first["key"] == "shoe_size"
    assert len(second["reason"]) < 120
    assert Judgement.objects.count() == 8


def test_an_unknown_attribute_of_our_own_format_counts_as_an_answer(tmp_path):
    [line] = lines_of(export_corpus(make_labelled(), tmp_path / "gold.jsonl"))
    answers = line["judgements"][0]["answers"]
    answers["shoe_size"] = answers["age"]
    output = import_file(write_lines(tmp_path / "more.jsonl", line), "native", "copy")
    assert "0 lines, 1 answers" in output


def test_an_unknown_code_is_set_aside_with_its_attribute(tmp_path):
    label = {"estimate": "widowed", "detect_from_subreddit": False, "hardness": 1, "certainty": 5}
    import_file(write_lines(tmp_path / "study.jsonl", llmprivacy_line(married=label, income=label)), "llmprivacy")
    left = LabelImport.objects.get().set_aside
    assert {item["attribute"] for item in left} == {"marital_status", "income"}


@pytest.mark.parametrize("name", ["labels.zst", "labels.csv", "labels.jsonl.gz", "labels.parquet"])
def test_a_label_upload_is_a_file_of_lines(as_grace, name):
    upload = uploaded(json.dumps(synthpai_line()) + "\n", name)
    response = as_grace.post(PATH, {"format": "synthpai", "name": "new", "uploads": upload})
    assert "uploads" in response.context["form"].errors


def test_a_dry_run_on_the_page_keeps_nothing_but_its_counts(as_grace, settings):
    lines = "\n".join(json.dumps(line) for line in (synthpai_line(), synthpai_line("Other"), {"username": ""}))
    form = {"format": "synthpai", "name": "SynthPAI", "uploads": uploaded(lines, "s.jsonl"), "is_dry_run": "on"}
    assert as_grace.post(PATH, form).status_code == 302
    assert not Corpus.objects.exists()
    rehearsal = LabelImport.objects.get()
    assert rehearsal.is_dry_run
    run(rehearsal.pk)
    rehearsal.refresh_from_db()
    assert rehearsal.problem == ""
    assert rehearsal.counts["profiles"] == rehearsal.counts["new_profiles"] == 2
    assert (rehearsal.counts["judgements"], rehearsal.counts["lines_set_aside"]) == (16, 1)
    for model in (Corpus, Batch, Profile, Judgement):
        assert not model.objects.exists()
    assert not Annotator.objects.filter(is_imported=True).exists()
    assert files_in(settings.UPLOADS) == []
    page = as_grace.get(PATH)
    [row] = page.context["page"]
    assert ("Paris, France", "paris / france") in {(example["written"], example["value"]) for example in row.examples}
    assert "SpiralSphinx" not in page.content.decode()
    assert "Oberkampf" not in page.content.decode()


def test_a_dry_run_says_the_same_as_the_import(tmp_path, as_grace):
    import_file(write_lines(tmp_path / "first.jsonl", synthpai_line()), "synthpai", "SynthPAI")
    lines = [json.dumps(synthpai_line(name)) for name in ("SpiralSphinx", "Second", "second")]
    counts = []
    for dry_run in ({"is_dry_run": "on"}, {}):
        upload = uploaded("\n".join(lines), "s.jsonl")
        as_grace.post(PATH, {"format": "synthpai", "name": "SynthPAI", "uploads": upload} | dry_run)
        label_import = LabelImport.objects.latest("pk")
        run(label_import.pk)
        label_import.refresh_from_db()
        counts.append({name: count for name, count in label_import.counts.items() if name != "examples"})
    assert counts[0] == counts[1]
    assert counts[0]["new_profiles"] == 1


def test_the_dry_run_of_the_command_shows_examples(tmp_path):
    output = import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai", dry_run=True)
    assert "“Paris, France” → “paris / france”" in output
    assert "SpiralSphinx" not in output
