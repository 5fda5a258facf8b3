"""From files to a corpus that everybody sees: complete, repeatable, and with correct counts."""

import os
from itertools import count
from pathlib import Path

import pytest
from django.conf import settings

from profiles.ingest import load
from profiles.ingest.archives import CUT_OFF
from profiles.ingest.corpus_writer import CorpusWriter
from profiles.ingest.funnel import Rule
from profiles.ingest.options import ALL, Options
from profiles.ingest.plan import BAD_NAME, CANNOT_GROW, FILES_MISSING, NOT_FROM_DUMPS, OTHER_RULES, IngestRefused
from profiles.ingest.repair import NOT_A_DATE, NOT_JSON, SUBMISSION
from profiles.ingest.requests import request_ingest
from profiles.ingest.run import run_ingest
from profiles.ingest.sources import path_from_text
from profiles.models import Comment, Corpus, DumpFile, Ingest, Profile
from tests.factories import make_corpus
from tests.profiles.ingest.dumps import KINDS, MAY_2013, line, lines_of, write_dump
from tests.profiles.ingest.runs import EVERYTHING, assert_counts_are_true, ingest, last_ingest, rows_of

pytestmark = pytest.mark.django_db(transaction=True)


def two_months(folder):
    may = [
        line(author=f"a{n % 7}", id=f"e{n:04d}", subreddit=f"place{n % 3}", body=f"May, and number {n}")
        for n in range(60)
    ]
    june = [
        line(author=f"a{n % 9}", id=f"f{n:04d}", subreddit="place1", body=f"June, and number {n}") for n in range(45)
    ]
    return write_dump(folder / "RC_2013-05.zst", may), write_dump(folder / "RC_2013-06.bz2", [*june, may[3]], "bz2")


@pytest.mark.parametrize("kind", [*KINDS, "parquet"])
def test_every_kind_of_file_gives_the_same_corpus(tmp_path, kind):
    lines = lines_of(40, author="somebody")
    first = ingest(write_dump(tmp_path / "plain", lines, "plain"), name="first")
    again = ingest(write_dump(tmp_path / f"dump.{kind}", lines, kind), name="again")
    assert rows_of(again) == rows_of(first)
    assert Profile.objects.get(corpus=again).comment_count == 40


def test_every_stage_is_reported_at_its_start_and_end(tmp_path):
    reports = []
    job = request_ingest("corpus", EVERYTHING, two_months(tmp_path))
    run_ingest(job, lambda ingest: reports.append((ingest.stage, ingest.done == ingest.total, ingest.lines)))
    stages = [stage for stage, _, _ in reports]
    assert sorted(set(stages), key=stages.index) == ["checking", "reading", "grouping", "loading"]
    assert ("reading", False, 0) in reports
    assert ("reading", True, 106) in reports
    assert reports[-1][:2] == ("loading", True)


def test_counts_and_funnel_are_true(tmp_path):
    corpus = ingest(*two_months(tmp_path))
    assert_counts_are_true(corpus)
    assert corpus.ready_at
    steps = {step["rule"]: step["removed"] for step in corpus.funnel}
    assert (corpus.funnel[0]["left"], steps[Rule.DUPLICATE], corpus.funnel[-1]["left"]) == (106, 1, 105)
    assert last_ingest().stage == Ingest.Stage.DONE


def test_running_twice_changes_nothing(tmp_path):
    paths = two_months(tmp_path)
    corpus = ingest(*paths)
    before, ids = rows_of(corpus), set(Comment.objects.values_list("pk", flat=True))
    again = ingest(*paths, options=None)
    assert (rows_of(again), set(Comment.objects.values_list("pk", flat=True))) == (before, ids)
    assert again.funnel == corpus.funnel
    assert "Nothing new" in last_ingest().problem


def test_next_months_file_adds_only_what_is_new_and_ends_as_one_ingest_of_both(tmp_path):
    may, june = two_months(tmp_path)
    corpus = ingest(may)
    kept = set(Comment.objects.values_list("pk", flat=True))
    corpus = ingest(may, june)
    assert kept <= set(Comment.objects.values_list("pk", flat=True))
    assert rows_of(corpus) == rows_of(ingest(may, june, name="at once"))
    assert_counts_are_true(corpus)


def test_a_corpus_that_people_work_with_grows_by_all_of_it_or_nothing(tmp_path, monkeypatch):
    may, june = two_months(tmp_path)
    corpus = ingest(may)
    before, write_batch, calls = rows_of(corpus), CorpusWriter.write_batch, count(1)

    def write_once(writer, batch):
        if next(calls) > 1:
            raise RuntimeError("the power is gone")
        return write_batch(writer, batch)

    with monkeypatch.context() as broken:
        broken.setattr(load, "ROWS_AT_ONCE", 10)
        broken.setattr(CorpusWriter, "write_batch", write_once)
        with pytest.raises(RuntimeError):
            ingest(may, june)
    assert rows_of(corpus) == before
    assert rows_of(ingest(may, june)) == rows_of(ingest(may, june, name="at once"))


def test_a_profile_below_the_minimum_rises_when_more_is_added(tmp_path):
    may, june = two_months(tmp_path)
    rules = Options(subreddits=ALL, min_comments=9)
    first = ingest(may, options=rules)
    assert Profile.objects.filter(corpus=first).count() == 4
    with pytest.raises(IngestRefused, match=FILES_MISSING.format(files="RC_2013-05.zst")):
        ingest(june, options=None)
    both = ingest(may, june, options=None)
    assert rows_of(both) == rows_of(ingest(may, june, name="at once", options=rules))
    assert_counts_are_true(both)


def test_a_sample_does_not_grow(tmp_path):
    may, june = two_months(tmp_path)
    ingest(may, options=Options(subreddits=ALL, sample=3))
    assert Profile.objects.count() == 3
    with pytest.raises(IngestRefused, match=CANNOT_GROW.format(name="corpus")):
        ingest(june, options=None)
    assert last_ingest().stage == Ingest.Stage.STOPPED


def test_other_rules_for_a_corpus_are_refused(tmp_path):
    may, _ = two_months(tmp_path)
    ingest(may)
    with pytest.raises(IngestRefused, match=OTHER_RULES.format(name="corpus")):
        request_ingest("corpus", Options(subreddits=ALL, min_chars=20), [may])
    make_corpus("by hand")
    with pytest.raises(IngestRefused, match=NOT_FROM_DUMPS.format(name="by hand")):
        request_ingest("by hand", None, [may])


def test_the_study_keeps_copies_and_tells_spellings_apart(tmp_path):
    twice = line(author="Tinroof", id="c1")
    path = write_dump(tmp_path / "RC_2013-05", [twice, twice, line(author="tinroof", id="c2")], "plain")
    corpus = ingest(path, options=Options(subreddits=ALL).as_study())
    counts = sorted(Profile.objects.filter(corpus=corpus).values_list("comment_count", flat=True))
    assert counts == [1, 2]
    assert len(set(Profile.objects.values_list("pseudonym", flat=True))) == 2
    assert_counts_are_true(corpus)
    assert Profile.objects.filter(corpus=ingest(path, name="usual")).get().comment_count == 2


def test_nothing_is_left_in_the_working_folder(tmp_path):
    corpus = ingest(*two_months(tmp_path))
    assert not (settings.HOME.root / "ingest" / str(corpus.pk)).exists()


def test_a_file_that_cannot_be_read_does_not_keep_the_others_back(tmp_path):
    may, _ = two_months(tmp_path)
    bad = tmp_path / "RC_2013-07.parquet"
    bad.write_bytes(b"PAR1 and nothing else")
    corpus = ingest(may, bad)
    assert_counts_are_true(corpus)
    assert "1 of 2 files" in last_ingest().problem
    assert DumpFile.objects.get(name=bad.name).state == DumpFile.State.FAILED


def test_only_unreadable_files_make_no_corpus_visible(tmp_path):
    bad = tmp_path / "x.parquet"
    bad.write_bytes(b"PAR1")
    with pytest.raises(IngestRefused, match="None of the files"):
        ingest(bad)
    assert not Corpus.objects.ready().exists()


def test_missing_and_empty(tmp_path):
    with pytest.raises(IngestRefused, match="no dump at"):
        ingest(tmp_path / "nowhere")
    empty = ingest(write_dump(tmp_path / "RC_2013-05", [], "plain"), name="empty")
    assert (empty.funnel[0]["left"], empty.profiles.count()) == (0, 0)


def test_lines_set_aside_are_noted_with_place_and_reason(tmp_path):
    lines = [line(), b'{"broken\n', b'{"title": "a submission"}\n', line(created_utc="soon")]
    corpus = ingest(write_dump(tmp_path / "RC_2013-05.zst", lines))
    file = corpus.files.get()
    assert dict(file.set_aside.values_list("line", "reason")) == {
        2: NOT_JSON, 3: SUBMISSION, 4: NOT_A_DATE,
    }  # fmt: skip
    assert (file.lines, file.kept, sum(file.reasons.values())) == (4, 1, 3)


def test_a_truncated_archive_keeps_what_could_be_read_and_says_where_it_broke(tmp_path):
    whole = write_dump(tmp_path / "whole.zst", lines_of(5000))
    cut = tmp_path / "RC_2013-05.zst"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    corpus = ingest(cut)
    file = corpus.files.get()
    assert CUT_OFF in file.problem
    assert 0 < Comment.objects.count() < 5000
    grown = ingest(whole, options=None)
    assert rows_of(grown) == rows_of(ingest(whole, name="at once"))


def test_one_run_at_a_time(tmp_path):
    may, _ = two_months(tmp_path)
    first, second = request_ingest("corpus", EVERYTHING, [may]), None
    with pytest.raises(IngestRefused, match="right now"):
        second = request_ingest("corpus", None, [may])
    assert second is None
    run_ingest(first)


def test_a_date_without_comments(tmp_path):
    path = write_dump(tmp_path / "RC", [line(created_utc=MAY_2013 - 10**9)], "plain")
    corpus = ingest(path)
    assert corpus.funnel[-1]["left"] == 0


@pytest.mark.parametrize("kind", ["zst", "plain", "parquet"])
def test_a_file_may_have_a_name_that_is_not_utf_8(tmp_path, kind):
    folder = Path(os.fsdecode(bytes(tmp_path) + b"/f\xfcr"))
    folder.mkdir()
    path = write_dump(tmp_path / "plain", [line(), line(author="other")], kind)
    path = path.rename(os.fsdecode(bytes(folder) + b"/RC_\xff." + kind.encode()))
    job = request_ingest("corpus", EVERYTHING, [path])
    run_ingest(Ingest.objects.get(pk=job.pk))
    corpus = Corpus.objects.get()
    assert corpus.profiles.count() == 2
    assert corpus.files.get().name == f"RC_\ufffd.{kind}"
    assert [path_from_text(text) for text in job.paths] == [path]


def test_a_missing_file_with_such_a_name_is_refused_in_words(tmp_path):
    with pytest.raises(IngestRefused, match="no dump at"):
        ingest(Path(os.fsdecode(bytes(tmp_path) + b"/RC_\xff.zst")))


def test_a_corpus_cannot_have_such_a_name(tmp_path):
    with pytest.raises(IngestRefused, match=BAD_NAME):
        ingest(two_months(tmp_path)[0], name=os.fsdecode(b"f\xfcr"))
