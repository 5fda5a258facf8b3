"""Undo a whole import: everything it brought goes, and nothing else."""

import pytest

from annotator.batches.claims import claim_next
from annotator.batches.lifecycle import draw_batch
from annotator.exchange.imports import undo as undo_job
from annotator.exchange.imports.undo import run
from annotator.exchange.services.label_imports import UndoRefused, request_undo
from annotator.gold.build import build_gold
from annotator.labelling.cards import Card
from annotator.labelling.services import save_card
from annotator.labelling.submission import submit_assignment
from annotator.models import (
    Assignment,
    Batch,
    Dispute,
    Evidence,
    Export,
    GoldRecord,
    ImportUndo,
    Judgement,
    LabelImport,
    SourceRecord,
    Submission,
    Target,
)
from profiles.attributes import Attribute
from profiles.models import AccountName, Comment, Corpus, Presence, Profile
from tests.annotator.accounts.sign_in_forms import actions, entry
from tests.annotator.exchange.files import (
    decide_age,
    export_corpus,
    import_file,
    make_labelled,
    profile_of,
    synthpai_line,
    write_lines,
)
from tests.factories import make_batch, make_corpus, make_profile

pytestmark = pytest.mark.django_db
PATH = "/imports/labels/"
BROUGHT = (
    AccountName, Assignment, Batch, Comment, Dispute, Evidence, GoldRecord, Judgement, Presence, Profile, SourceRecord,
    Submission,
)  # fmt: skip


def rows() -> dict[str, int]:
    return {model.__name__: model.objects.count() for model in BROUGHT}


def undo(label_import: LabelImport | None = None, by=None) -> ImportUndo:
    request = request_undo(label_import or LabelImport.objects.latest("pk"), by=by)
    run(request.pk)
    request.refresh_from_db()
    return request


def test_everything_that_came_in_goes(tmp_path, grace):
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line(), synthpai_line("Other")), "synthpai")
    build_gold(Corpus.objects.get())
    done = undo(by=grace)
    assert set(rows().values()) == {0}
    assert done.problem == ""
    assert {name: done.counts[name] for name in ("profiles", "reviews", "judgements", "comments", "batches")} == {
        "profiles": 2, "reviews": 2, "judgements": 16, "comments": 4, "batches": 1,
    }  # fmt: skip
    assert actions().count("labels_removed") == 2  # asked for, and done
    assert entry("labels_removed").actor == grace
    assert LabelImport.objects.get().batch is None


def test_what_was_there_before_stays(tmp_path):
    """Labels of another study for profiles that are here: only the labels go, and gold is what it was."""
    corpus = make_labelled(accounts=("SpiralSphinx", "two"))
    decide_age(corpus)
    build_gold(corpus)
    before, values = rows(), list(GoldRecord.objects.order_by("pk").values_list("profile", "attribute", "value"))
    path = write_lines(tmp_path / "synth.jsonl", synthpai_line(), synthpai_line("New"))
    import_file(path, "synthpai", corpus.name)
    build_gold(corpus)
    assert rows() != before
    undo()
    build_gold(corpus, everything=True)
    assert rows() == before
    assert set(GoldRecord.objects.values_list("profile", "attribute", "value")) == set(values)


def test_gold_is_built_again_even_if_no_build_saw_the_import(tmp_path):
    """The judgements are then the same as at the last build."""
    corpus = make_labelled(accounts=("SpiralSphinx",))
    build_gold(corpus)
    before = rows()
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai", corpus.name)
    undo()
    build_gold(corpus)
    assert rows() == before


def test_a_native_import_goes_with_its_decisions(tmp_path):
    corpus = make_labelled()
    decide_age(corpus)
    path = export_corpus(corpus, tmp_path / "gold.jsonl")
    before = rows()
    import_file(path, "native", "copy")
    build_gold(Corpus.objects.get(name="copy"))
    undo()
    assert rows() == before


def test_profiles_that_are_used_here_stay_with_what_people_did(tmp_path, ada):
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line(), synthpai_line("Other")), "synthpai")
    corpus = Corpus.objects.get()
    batch = draw_batch(name="More", corpus=corpus, guideline=make_batch().guideline, size=1, seed=1)
    assignment = claim_next(batch=batch, annotator=ada)
    save_card(assignment, Attribute.SEX, Card("female", hardness=2, certainty=4), based_on=0)
    submit_assignment(assignment)
    done = undo()
    build_gold(corpus, everything=True)
    assert list(Profile.objects.filter(corpus=corpus)) == [assignment.profile]
    assert (done.counts["profiles"], done.counts["profiles_kept"]) == (1, 1)
    assert GoldRecord.objects.get(attribute="sex").value == "female"
    assert list(corpus.batches.values_list("name", flat=True)) == ["More"]


def test_a_decision_made_here_stays_and_becomes_a_dispute(tmp_path):
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai")
    corpus = Corpus.objects.get()
    build_gold(corpus)
    make_batch()  # for its guidelines
    GoldRecord.objects.filter(attribute="age").delete()
    decide_age(corpus, "44")
    undo()
    assert list(GoldRecord.objects.values_list("attribute", "value")) == [("age", "44")]
    assert profile_of(corpus, "SpiralSphinx")


def test_the_file_can_come_in_again(tmp_path):
    path = write_lines(tmp_path / "synth.jsonl", synthpai_line())
    import_file(path, "synthpai")
    before = rows()
    undo()
    import_file(path, "synthpai")
    assert rows() == before


def test_the_corpus_that_it_created_goes_and_the_import_keeps_its_name(tmp_path, as_grace, grace):
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai", "created")
    corpus = Corpus.objects.get()
    build_gold(corpus)
    undo(by=grace)
    assert not Corpus.objects.exists()
    [row] = as_grace.get(PATH).context["page"]
    assert (row.corpus, row.corpus_id) == ("created", None)
    assert entry("labels_removed").details["corpus_removed"] is True


def make_target(corpus: Corpus) -> None:
    Target.objects.create(corpus=corpus, attribute="age", hardness=1, wanted=5)


IN_USE = {
    "profile": lambda corpus: make_profile(corpus=corpus),
    "batch": lambda corpus: make_batch(corpus=corpus),
    "export": lambda corpus: Export.objects.create(corpus=corpus, format="native"),
    "target": make_target,
    "ingest": lambda corpus: corpus.ingests.create(),
    "import": lambda corpus: LabelImport.objects.create(corpus=corpus, format="synthpai", name="waits"),
    "made elsewhere": lambda corpus: Corpus.objects.update(options={}),
}


@pytest.mark.parametrize("use", IN_USE.values(), ids=IN_USE)
def test_a_corpus_in_which_something_is_left_stays(tmp_path, use):
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai")
    label_import, corpus = LabelImport.objects.get(), Corpus.objects.get()
    use(corpus)
    undo(label_import)
    assert Corpus.objects.filter(pk=corpus.pk).exists()
    assert entry("labels_removed").details["corpus_removed"] is False


def test_a_corpus_of_two_imports_goes_with_the_second(tmp_path):
    for name in ("one", "two"):
        import_file(write_lines(tmp_path / f"{name}.jsonl", synthpai_line(name)), "synthpai")
    first, second = LabelImport.objects.order_by("pk")
    undo(first)
    assert Corpus.objects.exists()
    undo(second)
    assert not Corpus.objects.exists()
    assert set(LabelImport.objects.values_list("corpus", flat=True)) == {None}


def test_only_this_import_goes(tmp_path):
    import_file(write_lines(tmp_path / "one.jsonl", synthpai_line()), "synthpai")
    before = rows()
    import_file(write_lines(tmp_path / "two.jsonl", synthpai_line(), synthpai_line("Other")), "synthpai")
    undo()
    assert rows() == before


def test_an_undo_that_was_stopped_goes_on(tmp_path, monkeypatch):
    lines = [synthpai_line(name) for name in ("One", "Two", "Three")]
    import_file(write_lines(tmp_path / "synth.jsonl", *lines), "synthpai")
    monkeypatch.setattr(undo_job, "CHUNK", 1)
    remove, calls = undo_job._remove_chunk, []

    def remove_once(*args):
        calls.append(args)
        if len(calls) == 2:
            raise OSError("the disk is gone")
        remove(*args)

    monkeypatch.setattr(undo_job, "_remove_chunk", remove_once)
    label_import = LabelImport.objects.get()
    request = request_undo(label_import)
    with pytest.raises(OSError, match="the disk is gone"):
        run(request.pk)
    request.refresh_from_db()
    assert request.problem
    assert Profile.objects.count() == 2
    done = undo(label_import)
    assert (done.pk, done.problem, done.counts["profiles"]) == (request.pk, "", 3)
    assert set(rows().values()) == {0}


def test_is_refused_twice_while_running_and_for_a_dry_run(tmp_path):
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai")
    label_import = LabelImport.objects.get()
    undo(label_import)
    with pytest.raises(UndoRefused):
        request_undo(label_import)
    for fields in ({"is_dry_run": True}, {}):  # the second waits for a worker
        other = LabelImport.objects.create(corpus=make_corpus(), format="synthpai", name="f", **fields)
        with pytest.raises(UndoRefused):
            request_undo(other)


def test_the_page_asks_first_and_shows_what_goes(tmp_path, as_grace, client, ada, rosalind):
    import_file(write_lines(tmp_path / "synth.jsonl", synthpai_line()), "synthpai")
    label_import = LabelImport.objects.get()
    path = f"{PATH}{label_import.pk}/undo/"
    assert f'href="{path}"' in as_grace.get(PATH).content.decode()
    page = as_grace.get(path)
    assert dict(page.context["rows"]) == {
        "Batches": 1, "Reviews": 1, "Judgements": 8, "Profiles, with their comments and detections": 1,
        "Profiles kept because they are used elsewhere": 0,
    }  # fmt: skip
    assert Profile.objects.exists()
    assert as_grace.post(path).status_code == 302
    run(ImportUndo.objects.get().pk)
    assert not Profile.objects.exists()
    [row] = as_grace.get(PATH).context["page"]
    assert row.undo.label == "Undone"
    assert not row.can_be_undone
    assert as_grace.post(path).status_code == 302
    assert ImportUndo.objects.count() == 1
    assert as_grace.delete(path).status_code == 405
    assert as_grace.get(f"{PATH}{label_import.pk + 1}/undo/").status_code == 404
    for person in (ada, rosalind):
        client.force_login(person)
        assert client.get(path).status_code == client.post(path).status_code == 404
