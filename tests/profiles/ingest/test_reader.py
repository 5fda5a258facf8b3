"""Files read one after the other or several at once give the same corpus, and no file harms another."""

import time

import pytest

from profiles.ingest import reader
from profiles.ingest.line_filter import FilterResult
from profiles.ingest.line_rules import LinesLost
from profiles.ingest.progress import Progress
from profiles.ingest.requests import request_ingest
from profiles.ingest.tally import Tally
from profiles.models import Corpus, DumpFile, Ingest
from tests.profiles.ingest.dumps import line, write_dump
from tests.profiles.ingest.runs import EVERYTHING, assert_counts_are_true, ingest, last_ingest, rows_of

pytestmark = pytest.mark.django_db(transaction=True)


def months(folder, number=5, kind="bz2"):
    """The same accounts write in each month, and each repeats one comment of the month before."""
    folder.mkdir(exist_ok=True)
    texts = [
        [line(author=f"a{n % 7}", id=f"{month}{n:03d}", body=f"{month}{n}, and some more") for n in range(40)]
        for month in "klmnopq"[:number]
    ]
    return [
        write_dump(folder / f"RC_2013-0{at + 1}.{kind}", [*lines, texts[at - 1][3]], kind)
        for at, lines in enumerate(texts)
    ]


@pytest.fixture
def four_cores(monkeypatch):
    monkeypatch.setattr(reader, "cores", lambda: 4)


@pytest.fixture
def at_once(monkeypatch):
    """How many files are being read whenever another one starts; waits until all that may start have."""
    counts, under_way, filter_lines = [], set(), reader.filter_lines

    def watched(connection, path, *args, **more):
        under_way.add(path)
        counts.append(len(under_way))
        deadline = time.monotonic() + (3 if path.suffix == ".bz2" else 0)
        while max(counts) < reader.cores() and time.monotonic() < deadline:
            time.sleep(0.01)
        try:
            return filter_lines(connection, path, *args, **more)
        finally:
            under_way.discard(path)

    monkeypatch.setattr(reader, "filter_lines", watched)
    return counts


def test_several_at_once_give_what_one_after_the_other_gives(tmp_path, four_cores, at_once):
    together = ingest(*months(tmp_path / "a"), name="together")
    alone = ingest(*months(tmp_path / "b", kind="plain"), name="alone")
    assert rows_of(together) == rows_of(alone)
    assert rows_of(together).total() == 200
    assert together.funnel == alone.funnel
    assert_counts_are_true(together)
    assert max(at_once[:5]) == 4
    assert max(at_once[5:]) == 1


def test_never_more_at_once_than_there_are_cores(tmp_path, monkeypatch, at_once):
    monkeypatch.setattr(reader, "cores", lambda: 2)
    ingest(*months(tmp_path))
    assert max(at_once) == 2


def test_a_broken_file_beside_others_is_named_and_they_are_loaded(tmp_path, four_cores):
    paths = months(tmp_path, 4)
    paths[1].write_bytes(paths[1].read_bytes()[:200])
    corpus = ingest(*paths)
    problems = dict(corpus.files.values_list("name", "problem"))
    assert "cut off" in problems.pop("RC_2013-02.bz2")
    assert set(problems.values()) == {""}
    assert corpus.funnel[-1]["left"] == 121  # the third repeats one of the second's


def test_a_file_whose_lines_were_not_all_judged_is_reported_and_the_others_are_loaded(tmp_path, monkeypatch):
    paths, filter_lines = months(tmp_path, 3), reader.filter_lines

    def losing(connection, path, *args, **more):
        if path == paths[1]:
            raise LinesLost("of 2 lines, 1 were judged")
        return filter_lines(connection, path, *args, **more)

    monkeypatch.setattr(reader, "filter_lines", losing)
    corpus = ingest(*paths)
    problems = dict(corpus.files.values_list("name", "problem"))
    assert problems.pop("RC_2013-02.bz2").startswith(reader.LINES_LOST[:20])
    assert set(problems.values()) == {""}
    assert rows_of(corpus).total() == 81


def test_when_one_fails_for_good_the_others_stop_and_what_was_read_is_not_read_again(tmp_path, four_cores, monkeypatch):
    paths, filter_lines, read, unlucky = months(tmp_path, 6), reader.filter_lines, [], ["RC_2013-05.bz2"]

    def failing(connection, path, *args, **more):
        read.append(path.name)
        if path.name in unlucky:
            time.sleep(0.5)
            raise RuntimeError("out of luck")
        return filter_lines(connection, path, *args, **more)

    monkeypatch.setattr(reader, "filter_lines", failing)
    with pytest.raises(RuntimeError):
        ingest(*paths)
    assert last_ingest().stage == Ingest.Stage.STOPPED
    states = dict(DumpFile.objects.values_list("name", "state"))
    assert states["RC_2013-05.bz2"] == DumpFile.State.WAITING
    done = {name for name, state in states.items() if state == DumpFile.State.READ}
    assert len(done) >= 3
    read.clear()
    unlucky.clear()
    corpus = ingest(*paths)
    assert set(read) == set(states) - done
    assert corpus.funnel[-1]["left"] == 240


def test_ctrl_c_stops_all_of_them_at_their_next_chunk(tmp_path, four_cores, monkeypatch):
    ended = []

    def endless(connection, path, options, shard, report, **more):
        try:
            for _ in range(1500):
                time.sleep(0.02)
                report(FilterResult())
        finally:
            ended.append(path.name)

    def interrupted(running):
        raise KeyboardInterrupt

    monkeypatch.setattr(reader, "filter_lines", endless)
    monkeypatch.setattr(reader, "as_completed", interrupted)
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ingest(*months(tmp_path))
    assert time.monotonic() - began < 20
    assert 1 <= len(ended) <= 4
    assert "interrupted" in last_ingest().problem


def test_progress_is_the_sum_of_all_files_and_names_those_being_read():
    job = request_ingest("corpus", EVERYTHING, [])
    corpus = Corpus.objects.get()
    first, second = (
        DumpFile.objects.create(corpus=corpus, name=f"RC_{n}.bz2", size=100 * n, digest=f"{n}" * 64) for n in (1, 2)
    )
    tally = Tally(Progress(job, lambda ingest: None), [first, second])
    assert (job.total, job.file) == (300, "")
    tally.begin(first)
    assert job.file == "RC_1.bz2"
    tally.begin(second)
    assert job.file == "RC_1.bz2 and 1 more"
    tally.update(first, FilterResult(position=40, lines=4, kept=2))
    tally.update(second, FilterResult(position=50, lines=5, kept=3))
    assert (job.done, job.lines, job.kept) == (90, 9, 5)
    first.lines, first.kept = 10, 6
    tally.end(first)
    assert (job.done, job.lines, job.kept, job.file) == (150, 15, 9, "RC_2.bz2")


@pytest.mark.parametrize("kind", ["bz2", "zst", "parquet"])
def test_files_with_the_same_contents_are_read_once(tmp_path, kind, four_cores):
    first, *_ = months(tmp_path, 1, kind)
    copies = [tmp_path / f"RC_copy{n}.{kind}" for n in range(3)]
    for copy in copies:
        copy.write_bytes(first.read_bytes())
    corpus = ingest(*copies, first)
    assert rows_of(corpus).total() == 40
    assert corpus.files.get().name == copies[0].name
    assert_counts_are_true(corpus)
