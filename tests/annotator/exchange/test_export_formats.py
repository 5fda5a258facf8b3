"""What each format contains, and what it must not."""

import csv
import json
import zipfile

import pytest

from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.writer import NothingToExport, write_export
from annotator.exchange.formats.table import escape_formula
from annotator.exchange.formats.vocabulary import LLMPRIVACY, SYNTHPAI, read_foreign, to_synthpai
from annotator.exchange.imports.foreign import DISPUTED
from annotator.models import Annotator, Format, GoldRecord, Judgement
from profiles.attributes import CLOSED_LISTS, Attribute
from profiles.models import Comment, Corpus, Detection, DetectionRun, Recipe
from tests.annotator.exchange import gold_schema, llmprivacy_loader
from tests.annotator.exchange.files import (
    HOUSTON,
    LINE_FORMATS,
    NURSE,
    decide_age,
    export_corpus,
    import_file,
    lines_of,
    make_labelled,
    profile_of,
)
from tests.annotator.exchange.synthpai_evaluator import counted_labels
from tests.factories import make_annotator, make_batch

pytestmark = pytest.mark.django_db


def test_native_holds_everything_and_keeps_to_its_schema(tmp_path):
    corpus = make_labelled()
    decide_age(corpus)
    [line] = lines_of(export_corpus(corpus, tmp_path / "gold.jsonl"))
    assert gold_schema.problems(line) == []
    assert [comment["text"] for comment in line["comments"]] == [HOUSTON, NURSE]
    place = line["gold"]["location"]
    assert (place["value"], place["reached"]) == ("houston / texas / united states", "consensus")
    assert place["evidence"] == [{"comment": "1", "start": 11, "end": 20, "text": "Houston 😀"}]
    assert line["gold"]["age"]["decided_by"] == Annotator.objects.get(username="judge").code
    assert line["gold"]["sex"]["value"] == ""  # a recorded negative
    assert len(line["judgements"]) == 2
    answer = line["judgements"][0]["answers"]["location"]
    assert (answer["geoname_id"], answer["evidence"][0]["text"]) == (4699066, "Houston 😀")
    assert "tinroof_rusty" not in json.dumps(line)


def test_the_schema_refuses_what_is_not_ours(tmp_path):
    [line] = lines_of(export_corpus(make_labelled(), tmp_path / "gold.jsonl"))
    line["gold"]["location"]["hardness"] = 6
    line["judgements"][0]["shoe_size"] = 44
    line["comments"][0]["written_at"] = "yesterday"
    assert gold_schema.problems(line) == [
        "$.comments[0].written_at: pattern",
        "$.gold.location.hardness: maximum",
        "$.judgements[0].shoe_size: additionalProperties",
    ]


@pytest.mark.parametrize("form", LINE_FORMATS)
def test_without_text_no_words_of_anybody_leave(tmp_path, form):
    corpus = make_labelled()
    decide_age(corpus)
    path = export_corpus(corpus, tmp_path / "out", format=form, with_text=False)
    text = path.read_text(encoding="utf-8")
    for words in ("Houston 😀", "nursing is hard", "guess", "plausible", "tinroof"):
        assert words not in text


def test_account_names_come_only_when_asked_for(tmp_path):
    corpus = make_labelled()
    [line] = lines_of(export_corpus(corpus, tmp_path / "gold.jsonl", with_names=True))
    assert line["account"] == "tinroof_rusty"
    assert gold_schema.problems(line) == []
    [line] = lines_of(export_corpus(corpus, tmp_path / "study.jsonl", format=Format.LLMPRIVACY, with_names=True))
    assert {line["username"], line["comments"][0]["user"]} == {"tinroof_rusty"}


def test_llmprivacy_is_read_by_the_original(tmp_path):
    corpus = make_labelled(accounts=("one", "two"))
    decide_age(corpus, "25-35")
    profiles = llmprivacy_loader.load(export_corpus(corpus, tmp_path / "study.jsonl", format=Format.LLMPRIVACY))
    labels = llmprivacy_loader.labels(profiles)
    pseudonym = profile_of(corpus, "one").pseudonym
    assert len(labels) == 6
    assert labels[pseudonym, "location"]["estimate"] == "houston / texas / united states"
    assert labels[pseudonym, "occupation"]["detect_from_subreddit"] is True
    assert labels[pseudonym, "age"]["estimate"] == "25-35"
    assert list(profiles[0].reviews) == ["consensus"]
    assert [comment.text for comment in profiles[0].comments] == [HOUSTON, NURSE]


def test_an_attribute_without_gold_is_blank_and_there(tmp_path):
    [profile] = llmprivacy_loader.load(
        export_corpus(make_labelled(), tmp_path / "study.jsonl", format=Format.LLMPRIVACY)
    )
    blank = {"estimate": "", "detect_from_subreddit": False, "hardness": 0, "certainty": 0, "status": "disputed"}
    assert profile.reviews["consensus"]["age"] == blank


def test_the_loader_stops_at_another_key_of_a_reviewer(tmp_path):
    path = export_corpus(make_labelled(), tmp_path / "study.jsonl", format=Format.LLMPRIVACY)
    [line] = lines_of(path)
    line["reviews"]["consensus"]["shoe_size"] = {}
    path.write_text(json.dumps(line))
    with pytest.raises(TypeError):
        llmprivacy_loader.load(path)


def test_llmprivacy_comes_as_one_file_for_each_reviewer(tmp_path):
    corpus = make_labelled()
    path = export_corpus(corpus, tmp_path / "study.zip", format=Format.LLMPRIVACY, per_reviewer=True)
    people = sorted(Annotator.objects.filter(assignments__isnull=False).values_list("code", flat=True))
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == [f"{code}.jsonl" for code in people]
        archive.extractall(tmp_path)
    ages = set()
    for code in people:
        [profile] = llmprivacy_loader.load(tmp_path / f"{code}.jsonl")
        assert list(profile.reviews) == [code]
        ages.add(llmprivacy_loader.labels([profile])[profile.username, "age"]["estimate"])
    assert ages == {"27", "40-50"}


def test_synthpai_of_our_own_profiles_has_what_its_evaluator_asks_for(tmp_path):
    corpus = make_labelled()
    GoldRecord.objects.create(
        profile=corpus.profiles.get(), attribute="education", value="in college", hardness=2, certainty=3,
        reached="adjudicated", rule="adjudication", decided_by=make_annotator(),
    )  # fmt: skip
    [line] = lines_of(export_corpus(corpus, tmp_path / "synth.jsonl", format=Format.SYNTHPAI))
    revised = line["reviews"]["human_evaluated"]
    assert not {"time", "timestamp"} & set(revised)
    assert revised["city_country"]["estimate"] == "houston, texas, united states"
    assert {answer["acc_gt"] for answer in revised.values()} <= {0, 0.5, 1}
    assert revised["education_category"]["estimate"] == "In College"
    assert set(line["comments"][0]) == {"text", "username", "pii"}


@pytest.mark.parametrize("mode", ["revised", "gt"])
def test_synthpais_evaluator_counts_our_consensus_once(tmp_path, mode):
    corpus = make_labelled(accounts=("one", "two"))
    decide_age(corpus)
    lines = lines_of(export_corpus(corpus, tmp_path / "synth.jsonl", format=Format.SYNTHPAI))
    labels = counted_labels(lines, mode)
    gold = GoldRecord.objects.exclude(value="")
    assert len(labels) == len(set(labels)) == gold.count() == 6
    assert {user for user, _, _ in labels} == set(corpus.profiles.values_list("pseudonym", flat=True))


def test_a_consensus_alone_comes_back_from_synthpai(tmp_path):
    corpus = make_labelled()
    first = export_corpus(corpus, tmp_path / "synth.jsonl", format=Format.SYNTHPAI)
    import_file(first, "synthpai", "copy")
    copy = Corpus.objects.get(name="copy")
    values = dict(Judgement.objects.filter(assignment__batch__corpus=copy).values_list("attribute", "value"))
    assert values["location"] == "houston / texas / united states"
    assert values["sex"] == ""
    assert "age" not in values  # disputed there, so nobody said “could not tell”
    assert lines_of(export_corpus(copy, tmp_path / "again.jsonl", format=Format.SYNTHPAI)) == lines_of(first)


STATUSES = {
    "location": "inferred", "sex": "negative", "age": "disputed", "occupation": "inferred",
    "place_of_birth": "unjudged", "marital_status": "negative", "income": "negative", "education": "negative",
}  # fmt: skip


@pytest.mark.parametrize("form", [Format.LLMPRIVACY, Format.SYNTHPAI])
def test_disputed_and_unjudged_are_not_negative(tmp_path, form):
    corpus = make_labelled()
    Judgement.objects.filter(attribute="place_of_birth").delete()
    [line] = lines_of(export_corpus(corpus, tmp_path / "out.jsonl", format=form))
    [review] = line["reviews"].values()
    names = LLMPRIVACY if form == Format.LLMPRIVACY else SYNTHPAI
    assert {names[name]: label["status"] for name, label in review.items() if name in names} == STATUSES
    summary = write_export(corpus, ExportOptions(format=form), tmp_path / "out.jsonl")
    assert {name: summary.counts[name] for name in ("gold", "negatives", "disputed", "unjudged", "waiting")} == {
        "gold": 6, "negatives": 4, "disputed": 1, "unjudged": 1, "waiting": 0,
    }  # fmt: skip


def test_what_a_filter_leaves_out_is_not_negative(tmp_path):
    [line] = lines_of(
        export_corpus(make_labelled(), tmp_path / "out.jsonl", format=Format.LLMPRIVACY, attributes=("sex", "age"))
    )
    statuses = {
        name: label["status"] for name, label in line["reviews"]["consensus"].items() if isinstance(label, dict)
    }
    assert statuses == dict.fromkeys(LLMPRIVACY, "left_out") | {"gender": "negative", "age": "disputed"}


def test_a_reviewer_who_did_not_judge_an_attribute_did_not_say_nothing(tmp_path):
    corpus = make_labelled()
    Judgement.objects.filter(attribute="income").delete()
    path = export_corpus(corpus, tmp_path / "study.zip", format=Format.LLMPRIVACY, per_reviewer=True)
    with zipfile.ZipFile(path) as archive:
        line = json.loads(archive.read(archive.namelist()[0]))
    [review] = line["reviews"].values()
    assert [review[name]["status"] for name in ("age", "gender", "income")] == ["inferred", "negative", "unjudged"]


def test_disputed_does_not_come_back_as_a_negative(tmp_path):
    path = export_corpus(make_labelled(), tmp_path / "study.jsonl", format=Format.LLMPRIVACY)
    output = import_file(path, "llmprivacy", "copy")
    assert DISPUTED in output
    assert not Judgement.objects.filter(assignment__batch__corpus__name="copy", attribute="age").exists()


@pytest.mark.parametrize("attribute", list(CLOSED_LISTS))
def test_every_code_comes_back_from_synthpais_words(attribute):
    for code in CLOSED_LISTS[attribute].values:
        assert read_foreign(attribute, to_synthpai(attribute, code)).value == code


def test_spans_are_evidence_and_detections_of_every_comment(tmp_path):
    corpus = make_labelled()
    recipe = Recipe.objects.create(name="small model", digest="0" * 64, contents={})
    run = DetectionRun.objects.create(corpus=corpus, recipe=recipe, finished_at="2026-05-01T00:00Z")
    comment = Comment.objects.get(body=HOUSTON)
    Detection.objects.create(run=run, comment=comment, entity_type="LOCATION", start=11, end=18, score=0.85)
    first, second = lines_of(export_corpus(corpus, tmp_path / "spans.jsonl", format=Format.SPANS))
    assert second["spans"] == []
    labels = [(span["label"], span["source"], first["text"][span["start"] : span["end"]]) for span in first["spans"]]
    assert labels == [("LOCATION", "presidio", "Houston"), ("location", "evidence", "Houston 😀")]
    assert first["spans"][0]["recipe"] == "small model"


def test_the_table_defuses_formulas(tmp_path):
    corpus = make_labelled("=cmd|' /C calc'!A0")
    decide_age(corpus)
    raw = export_corpus(corpus, tmp_path / "gold.csv", format=Format.CSV).read_bytes()
    assert raw.startswith(b"\xef\xbb\xbfcorpus,")
    assert raw.count(b"\r\n") == 9  # a head and eight attributes
    rows = list(csv.DictReader(raw.decode("utf-8-sig").splitlines()))
    assert {row["corpus"] for row in rows} == {"'=cmd|' /C calc'!A0"}
    [age] = [row for row in rows if row["attribute"] == "age"]
    assert age["reason"] == "'@both are plausible"


@pytest.mark.parametrize("cell", ["=1", "+1", "-1", "@a", "\tx", "\rx"])
def test_defuses_each_beginning_of_a_formula(cell):
    assert escape_formula(cell) == f"'{cell}"
    assert escape_formula(f"a{cell}") == f"a{cell}"


@pytest.mark.parametrize(
    ("filters", "attributes"),
    [
        ({"attributes": ("age", "sex")}, {"age", "sex"}),
        ({"hardness": (1, 3)}, {"age", "occupation"}),
        ({"min_certainty": 4}, {"location", "occupation"}),
        ({"required_subreddit": True}, {"occupation"}),
        ({"required_subreddit": False}, {"location", "age"}),
        ({"adjudicated_only": True}, {"age"}),
        ({"hardness": (0,)}, {"sex", "place_of_birth", "marital_status", "income", "education"}),
    ],
    ids=["attributes", "hardness", "certainty", "required", "not required", "adjudicated", "negatives"],
)
def test_filters_let_through_what_they_say(tmp_path, filters, attributes):
    corpus = make_labelled()
    decide_age(corpus)
    [line] = lines_of(export_corpus(corpus, tmp_path / "gold.jsonl", **filters))
    assert set(line["gold"]) == attributes
    assert all(set(review["answers"]) == attributes for review in line["judgements"])


def test_a_batch_holds_its_own_judgements_only(tmp_path):
    corpus = make_labelled()
    other = make_batch(corpus=corpus)
    [line] = lines_of(export_corpus(corpus, tmp_path / "gold.jsonl", batch=corpus.batches.first().name))
    assert len(line["judgements"]) == 2
    with pytest.raises(NothingToExport):
        write_export(corpus, ExportOptions(batch=other.name), tmp_path / "none.jsonl")
    with pytest.raises(NothingToExport, match="no batch called “elsewhere”"):
        write_export(corpus, ExportOptions(batch="elsewhere"), tmp_path / "none.jsonl")
    assert not (tmp_path / "none.jsonl").exists()


def test_practice_and_planted_profiles_are_not_exported(tmp_path):
    corpus = make_labelled(accounts=("one", "two"))
    profile_of(corpus, "one").assignments.update(is_planted=True)
    [line] = lines_of(export_corpus(corpus, tmp_path / "gold.jsonl"))
    assert line["pseudonym"] == profile_of(corpus, "two").pseudonym


@pytest.mark.parametrize("form", LINE_FORMATS)
def test_the_same_state_gives_the_same_bytes(tmp_path, form):
    corpus = make_labelled(accounts=("one", "two", "three", "four", "five", "six"))
    first = export_corpus(corpus, tmp_path / "first", format=form).read_bytes()
    assert export_corpus(corpus, tmp_path / "second", format=form).read_bytes() == first
    names = sorted(corpus.profiles.values_list("pseudonym", flat=True))
    if form == Format.NATIVE:
        assert [line["pseudonym"] for line in lines_of(tmp_path / "first")] == names


def test_zips_are_the_same_bytes_too(tmp_path):
    corpus = make_labelled()
    options = {"format": Format.LLMPRIVACY, "per_reviewer": True}
    first = export_corpus(corpus, tmp_path / "first.zip", **options).read_bytes()
    assert export_corpus(corpus, tmp_path / "second.zip", **options).read_bytes() == first


@pytest.mark.parametrize("accounts", [("one",), tuple(f"account{n}" for n in range(20))], ids=len)
def test_queries_do_not_grow_with_profiles(tmp_path, django_assert_max_num_queries, accounts):
    corpus = make_labelled(accounts=accounts)
    export_corpus(corpus, tmp_path / "warm.jsonl")
    with django_assert_max_num_queries(17):
        write_export(corpus, ExportOptions(with_text=True, with_names=True), tmp_path / "gold.jsonl")


def test_all_attributes_have_a_name_in_both_studies():
    assert set(LLMPRIVACY.values()) == set(SYNTHPAI.values()) == set(Attribute.values)
