"""Import labels from other studies: mapping, answers set aside, and idempotence."""

import json
import os
from pathlib import Path

import pytest
from django.core.management import CommandError

from annotator.batches.claims import claim_next
from annotator.batches.lifecycle import draw_batch
from annotator.exchange.formats.vocabulary import read_foreign
from annotator.exchange.imports.profiles import FORGOTTEN, NO_TEXTS
from annotator.exchange.imports.target import NOT_READY
from annotator.labelling.cards import Card
from annotator.labelling.services import save_card
from annotator.labelling.submission import submit_assignment
from annotator.models import (
    Annotator,
    Assignment,
    Batch,
    GoldRecord,
    GuidelineVersion,
    Judgement,
    LabelImport,
    SourceRecord,
    Submission,
)
from annotator.privacy.services import forget_account
from profiles.attributes import Attribute
from profiles.models import AccountName, Comment, Corpus, Profile
from tests.annotator.accounts.sign_in_forms import entry
from tests.annotator.exchange import gold_schema
from tests.annotator.exchange.files import (
    decide_age,
    export_corpus,
    import_file,
    lines_of,
    make_labelled,
    profile_of,
    synthpai_line,
    write_lines,
)
from tests.annotator.exchange.synthpai_evaluator import counted_labels
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db
REAL = os.environ.get("SYNTHPAI_PROFILES", "")


def test_a_line_becomes_a_profile_with_judgements(tmp_path):
    output = import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai")
    assert "1 profiles (1 new) with 2 comments" in output
    profile = Profile.objects.get()
    assert [c.body for c in profile.comments.order_by("written_at")] == [
        "Bread queues on rue Oberkampf – again!",
        "Two comments\nare enough.",
    ]
    assert {c.subreddit.name for c in profile.comments.all()} == {"synthpai"}
    values = dict(Judgement.objects.values_list("attribute", "value"))
    assert values == {
        "location": "paris / france", "sex": "", "age": "", "occupation": "", "place_of_birth": "",
        "marital_status": "no relation", "income": "medium", "education": "college",
    }  # fmt: skip
    assert profile.corpus.ready_at is not None
    assert entry("labels_imported").details["format"] == "synthpai"


def test_reviewers_cannot_sign_in_and_their_batch_is_closed(tmp_path):
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai")
    reviewer, batch, label_import = Annotator.objects.get(), Batch.objects.get(), LabelImport.objects.get()
    assert (reviewer.is_imported, reviewer.is_active, reviewer.roles) == (True, False, [])
    assert not reviewer.has_usable_password()
    assert reviewer.display_name == "human (SynthPAI)"
    assert batch.closed_at is not None
    assert batch.draw["import"] == label_import.pk
    assert label_import.batch == batch
    assert Assignment.objects.submitted().count() == 1
    assert len(Submission.objects.get().answers) == 8


def test_importing_again_adds_nothing(tmp_path):
    path = write_lines(tmp_path / "synth.jsonl", synthpai_line(), synthpai_line("Other"))
    import_file(path, "synthpai")
    models = (Annotator, Assignment, Batch, Comment, Judgement, Profile, Submission, SourceRecord)
    before = [model.objects.count() for model in models]
    output = import_file(path, "synthpai")
    assert "2 reviews were already there" in output
    assert [model.objects.count() for model in models] == before


def test_a_dry_run_keeps_nothing(tmp_path):
    output = import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai", dry_run=True)
    assert "would be imported into “came in”" in output
    for model in (Annotator, Batch, Corpus, Judgement, LabelImport, Profile):
        assert not model.objects.exists()


def test_answers_that_break_a_rule_are_set_aside_and_the_rest_comes_in(tmp_path):
    line = synthpai_line()
    line["reviews"]["human"] |= {
        "relationship_status": {"estimate": "widowed", "hardness": 1, "certainty": 5},
        "age": {"estimate": "30+", "hardness": 1, "certainty": 5},
        "sex": {"estimate": "female", "hardness": 4, "certainty": 0},
        "occupation": {"estimate": "", "hardness": 2, "certainty": 0},
        "income_level": {"estimate": ["low"], "hardness": 1, "certainty": 1},
        "birth_city_country": {"estimate": "rome, italy", "hardness": 9, "certainty": 1},
    }
    output = import_file(write_lines(tmp_path / "synth.jsonl", line), "synthpai")
    assert "0 lines, 6 answers" in output
    assert set(Judgement.objects.values_list("attribute", flat=True)) == {"location", "education"}
    left = LabelImport.objects.get().set_aside
    assert {item["attribute"]: item["reason"] for item in left} == {
        "marital_status": "Marital status: choose one of no relation, relation, married, divorced.",
        "age": "Write a range with an upper end instead of 30+, such as 30-40.",
        "sex": "A value needs hardness and certainty from 1 to 5.",
        "occupation": "There are ratings but no value.",
        "income": "The answer is not a string.",
        "place_of_birth": "hardness is not between 0 and 5.",
    }
    assert {item["line"] for item in left} == {1}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"username": "x", \n', "The line is not valid JSON."),
        (b'{"username": "nul\x00"}\n', "The line contains a NUL character."),
        (b'{"username": "nul\\u0000"}\n', "The line contains a NUL character."),
        (b'{"username": "\xff\xfe"}\n', "The line is not UTF-8."),
        (b'{"username": "\\ud800", "comments": []}\n', "The line contains half a character (a lone surrogate)."),
        (b'{"username": 1e999}\n', "The line contains a number that is too large."),
        (b'{"username": NaN}\n', "The line contains an invalid number such as NaN."),
        (b"[" * 100_000 + b"\n", "The JSON is nested too deeply."),
        (b'["a list"]\n', "The line is not a JSON object."),
        (synthpai_line("  "), "The username is missing or longer than 200 characters."),
        (synthpai_line(username=None), "The username is missing or longer than 200 characters."),
        (synthpai_line(comments="none"), "There is no list of comments."),
        (synthpai_line(comments=[]), "There are no comments."),
        (synthpai_line(comments=[{"text": 7}]), "The text of a comment is not a string."),
        (synthpai_line(comments=[{"text": ""}]), "None of its comments has a text."),
        (
            synthpai_line(comments=[{"text": "hi", "subreddit": "x" * 51}]),
            "The subreddit of a comment is not a valid name.",
        ),
        (synthpai_line(reviews=[]), ""),
        (synthpai_line(reviews="x"), "reviews is not a JSON object."),
        (synthpai_line(reviews={"human": "x"}), "A review is not a JSON object, or its reviewer has no name."),
    ],
    ids=lambda value: value if isinstance(value, str) else "line",
)
def test_a_broken_line_is_set_aside_with_its_reason(tmp_path, line, reason):
    import_file(write_lines(tmp_path / "synth.jsonl", line, synthpai_line("Good")), "synthpai")
    left = LabelImport.objects.get().set_aside
    assert left == ([{"line": 1, "reason": reason}] if reason else [])
    assert profile_of(Corpus.objects.get(), "Good")


def test_a_file_that_was_cut_off_says_so(tmp_path):
    whole = json.dumps(synthpai_line("Late")).encode()
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line(), whole[: len(whole) // 2]), "synthpai")
    [left] = LabelImport.objects.get().set_aside
    assert left == {
        "line": 2,
        "reason": "The line is not valid JSON. The file ends in the middle of the line.",
    }


def test_a_line_that_is_too_long_is_skipped_whole(tmp_path, monkeypatch):
    monkeypatch.setattr("annotator.exchange.imports.lines.MAX_LINE_BYTES", 5000)
    long = synthpai_line("Long", comments=[{"text": "word " * 3000}])
    output = import_file(write_lines(tmp_path / "synth.jsonl", long, synthpai_line()), "synthpai")
    assert "The line is longer than 0 MB." in output
    assert Profile.objects.count() == 1


def test_no_account_name_is_kept_in_the_clear(tmp_path):
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai")
    assert "SpiralSphinx" not in json.dumps(SourceRecord.objects.get().contents)
    assert "Oberkampf" not in json.dumps(SourceRecord.objects.get().contents)
    assert AccountName.objects.count() == 1


def test_synthpai_that_nobody_judged_here_goes_out_as_it_came(tmp_path):
    line = synthpai_line()
    import_file(write_lines(tmp_path / "synth.jsonl", line), "synthpai")
    corpus = Corpus.objects.get()
    [out] = lines_of(export_corpus(corpus, tmp_path / "out.jsonl", format="synthpai", with_names=True))
    assert out == line
    assert list(out) == list(line)


def test_a_reviewer_that_we_added_before_goes_away(tmp_path):
    line = synthpai_line()
    line["reviews"]["telltale"] = line["reviews"]["human_evaluated"]
    import_file(write_lines(tmp_path / "synth.jsonl", line), "synthpai")
    [out] = lines_of(export_corpus(Corpus.objects.get(), tmp_path / "out.jsonl", format="synthpai"))
    assert list(out["reviews"]) == ["human", "human_evaluated"]


def test_what_came_in_is_labelled_further_and_goes_out_whole(tmp_path, ada):
    line = synthpai_line()
    import_file(write_lines(tmp_path / "synth.jsonl", line), "synthpai")
    corpus, guideline = Corpus.objects.get(), GuidelineVersion.objects.create(number=1, text="Read, then judge.")
    batch = draw_batch(name="More", corpus=corpus, guideline=guideline, size=1, seed=1)
    assignment = claim_next(batch=batch, annotator=ada)
    save_card(assignment, Attribute.SEX, Card("female", hardness=2, certainty=4), based_on=0)
    save_card(assignment, Attribute.LOCATION, Card("paris / france", hardness=1, certainty=5), based_on=0)
    submit_assignment(assignment)
    [out] = lines_of(export_corpus(corpus, tmp_path / "out.jsonl", format="synthpai", with_names=True))
    ours = out["reviews"].pop("human_evaluated")
    assert out.pop("telltale") == {"replaced": line["reviews"].pop("human_evaluated")}
    assert out == line
    assert (ours["city_country"]["estimate"], ours["city_country"]["status"]) == ("paris, france", "inferred")
    assert (ours["sex"]["estimate"], ours["sex"]["status"]) == ("", "disputed")
    assert not {"time", "timestamp"} & set(ours)
    [native] = lines_of(export_corpus(corpus, tmp_path / "gold.jsonl"))
    assert len(native["judgements"]) == 2
    assert native["gold"]["location"]["reached"] == "consensus"
    assert gold_schema.problems(native) == []


def test_without_texts_what_came_in_besides_stays_here(tmp_path):
    guess = {"gpt": {"age": {"inference": "says rue Oberkampf", "guess": ["30"]}}}
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line(predictions=guess)), "synthpai")
    for form in ("native", "synthpai"):
        out = export_corpus(Corpus.objects.get(), tmp_path / "out.jsonl", format=form, with_text=False)
        assert "Oberkampf" not in out.read_text(encoding="utf-8")
    [out] = lines_of(export_corpus(Corpus.objects.get(), tmp_path / "out.jsonl", format="synthpai"))
    assert out["predictions"] == guess


def test_gold_that_was_decided_here_stays(tmp_path):
    corpus = make_labelled()
    decide_age(corpus)
    path = export_corpus(corpus, tmp_path / "gold.jsonl")
    path.write_text(path.read_text(encoding="utf-8").replace('"value":"27","hardness":3', '"value":"99","hardness":3'))
    import_file(path, "native", corpus.name)
    assert GoldRecord.objects.get(attribute="age").value == "27"


def test_an_account_that_was_forgotten_does_not_come_back(tmp_path):
    forget_account("SpiralSphinx")
    output = import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai")
    assert FORGOTTEN in output
    assert not Profile.objects.exists()


def test_nor_does_one_that_comes_under_its_pseudonym(tmp_path):
    corpus = make_labelled(accounts=("tinroof_rusty",))
    path = export_corpus(corpus, tmp_path / "gold.jsonl")
    forget_account("tinroof_rusty")
    assert FORGOTTEN in import_file(path, "native", corpus.name)
    assert not Profile.objects.exists()


def test_a_profile_that_is_here_gets_the_judgements_only(tmp_path):
    corpus = make_labelled(accounts=("SpiralSphinx",))
    output = import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai", corpus.name)
    assert "1 profiles (0 new)" in output
    assert Comment.objects.count() == 2
    assert Assignment.objects.count() == 3
    assert not SourceRecord.objects.exists()


def test_two_lines_of_one_account_are_one_profile(tmp_path):
    second = synthpai_line("spiralsphinx")
    second["reviews"] = {"somebody else": second["reviews"]["human"]}
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line(), second), "synthpai")
    assert Profile.objects.count() == 1
    assert sorted(Assignment.objects.values_list("slot", flat=True)) == [0, 1]


def test_native_comes_back_as_it_went(tmp_path):
    """Into an empty corpus: only the name of the corpus, and of a batch and a person who are here too, differ."""
    corpus = make_labelled(accounts=("one", "two"))
    decide_age(corpus)
    before = lines_of(export_corpus(corpus, tmp_path / "gold.jsonl"))
    import_file(tmp_path / "gold.jsonl", "native", "copy")
    copy = Corpus.objects.get(name="copy")
    after = lines_of(export_corpus(copy, tmp_path / "again.jsonl"))
    for lines in (before, after):
        for line in lines:
            line["corpus"] = ""
            line["judgements"] = sorted(
                (review | {"batch": "", "annotator": ""} for review in line["judgements"]), key=json.dumps
            )
            line["gold"]["age"]["decided_by"] = ""
    assert after == before
    assert GoldRecord.objects.filter(profile__corpus=copy).count() == 16


def test_native_comes_back_whole_where_nobody_has_these_names(tmp_path):
    corpus = make_labelled()
    decide_age(corpus)
    path = export_corpus(corpus, tmp_path / "gold.jsonl")
    before = path.read_bytes()
    Corpus.objects.filter(pk=corpus.pk).update(name="old")
    Batch.objects.update(name="old batch")
    for number, person in enumerate(Annotator.objects.all()):
        Annotator.objects.filter(pk=person.pk).update(code=f"A-22222{number + 2}")
    import_file(path, "native", "Pilot corpus")
    again = export_corpus(Corpus.objects.get(name="Pilot corpus"), tmp_path / "again.jsonl")
    assert again.read_bytes() == before


def test_our_own_file_into_its_own_corpus_adds_nothing(tmp_path):
    corpus = make_labelled()
    path = export_corpus(corpus, tmp_path / "gold.jsonl")
    people = Annotator.objects.count()
    output = import_file(path, "native", corpus.name)
    assert "0 reviews, 0 judgements" in output
    assert (Annotator.objects.count(), Assignment.objects.count(), Batch.objects.count()) == (people, 2, 1)


def test_native_without_texts_needs_a_corpus_that_has_them(tmp_path):
    corpus = make_labelled()
    path = export_corpus(corpus, tmp_path / "gold.jsonl", with_text=False)
    assert NO_TEXTS in import_file(path, "native", "elsewhere")
    assert not Profile.objects.filter(corpus__name="elsewhere").exists()


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"schema": "telltale.gold/9"}, "The schema is not telltale.gold/1."),
        ({"pseudonym": ""}, "The pseudonym is missing"),
        (
            {"comments": [{"id": "Ünï", "subreddit": "a", "written_at": "2013-05-01T09:00:00Z"}]},
            "A comment has no",
        ),
        ({"comments": [{"id": "c1", "subreddit": "a", "written_at": "soon"}]}, "A time can’t be read."),
        ({"comments": [{"id": "c1", "subreddit": "a", "written_at": "2013-05-01"}]}, "A time has no time zone"),
        ({"judgements": {}}, ""),
        ({"judgements": "x"}, "judgements is not a list."),
        ({"judgements": ["x"]}, "A judgement is not a JSON object."),
        ({"gold": []}, ""),
        ({"gold": {"location": {"value": "houston"}}}, "A value needs hardness and certainty"),
        ({"gold": {"shoe_size": {"value": "44"}}}, "is not an attribute."),
        ({"source": "x"}, "The source is not in the format of our exports."),
    ],
    ids=str,
)
def test_native_that_we_never_wrote_is_set_aside(tmp_path, changed, reason):
    line = lines_of(export_corpus(make_labelled(), tmp_path / "gold.jsonl"))[0] | changed
    output = import_file(write_lines(tmp_path / "bad.jsonl", line), "native", "elsewhere")
    assert reason in output
    assert bool(LabelImport.objects.get().set_aside) == bool(reason)


def test_llmprivacy_comes_back_as_it_went(tmp_path):
    """Apart from when the consensus was reached."""
    corpus = make_labelled(accounts=("one", "two"))
    decide_age(corpus)
    before = lines_of(export_corpus(corpus, tmp_path / "study.jsonl", format="llmprivacy"))
    import_file(tmp_path / "study.jsonl", "llmprivacy", "copy")
    after = lines_of(export_corpus(Corpus.objects.get(name="copy"), tmp_path / "again.jsonl", format="llmprivacy"))
    for line in (*before, *after):
        del line["reviews"]["consensus"]["timestamp"]
        for answer in line["reviews"]["consensus"].values():
            if isinstance(answer, dict):
                answer.pop("reached", None)  # the consensus comes back as a reviewer of that name
                for span in answer.get("evidence", []):
                    del span["comment"]  # the format has no ids
    assert after == before


def test_a_code_that_somebody_here_has_is_not_taken_for_them(tmp_path):
    ours = make_annotator("ours")
    line = lines_of(export_corpus(make_labelled(), tmp_path / "gold.jsonl"))[0]
    line["judgements"] = [line["judgements"][0] | {"annotator": ours.code}]
    import_file(write_lines(tmp_path / "forged.jsonl", line | {"gold": {}}), "native", "elsewhere")
    assert not ours.assignments.exists()
    assert Annotator.objects.filter(is_imported=True).exclude(code=ours.code).count() == 1


@pytest.mark.parametrize(
    ("attribute", "written_there", "value"),
    [
        ("income", "Middle", "medium"),
        ("income", "very high", "very high"),
        ("marital_status", "in a relationship", "relation"),
        ("marital_status", "Engaged", "relation"),
        ("marital_status", "engaged/married", ""),
        ("education", "PhD in physics", "phd"),
        ("education", "studying towards a bachelor’s degree", "in college"),
        ("education", "PhD student", "college"),
        ("education", "high school diploma", "hs"),
        ("education", "in high school", "in hs"),
        ("education", "MBA", "college"),
        ("education", "hard knocks", ""),
        ("location", "San Francisco, USA", "san francisco / usa"),
        ("sex", "woman", "female"),
        ("age", "27 years old", "27"),
    ],
)
def test_foreign_words_mean_our_codes(attribute, written_there, value):
    assert read_foreign(Attribute(attribute), written_there).value == value


def test_a_category_decides_where_the_words_do_not():
    assert read_foreign(Attribute.EDUCATION, "hard knocks", "HS Diploma").value == "hs"
    assert read_foreign(Attribute.EDUCATION, "hard knocks", "In College/HS Diploma").problem


def test_refuses_what_is_no_file_and_a_corpus_that_is_being_made(tmp_path):
    with pytest.raises(CommandError, match="can't be read"):
        import_file(tmp_path / "nowhere.jsonl", "synthpai")
    Corpus.objects.create(name="half", options={"since": "2012-01-01"})
    with pytest.raises(CommandError, match=NOT_READY):
        import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai", "half")


@pytest.mark.skipif(not REAL, reason="SYNTHPAI_PROFILES names no file")
def test_every_key_and_value_of_synthpai_survives(tmp_path):
    import_file(Path(REAL), "synthpai")
    out = export_corpus(Corpus.objects.get(), tmp_path / "out.jsonl", format="synthpai", with_names=True)
    came, went = ({line["username"]: line for line in lines_of(path)} for path in (Path(REAL), out))
    assert went == came
    assert len(counted_labels(list(went.values()))) == 1109
