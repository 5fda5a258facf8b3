"""`bin/manage ingest_dumps`: options, output and refusals."""

import json
from io import StringIO

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command
from rich.console import Console

from annotator.core.job_terminal import JobDisplay
from annotator.management.commands.ingest_dumps import STUDY_HAS_ITS_OWN, show_ingest
from profiles.hints.store import load_hints
from profiles.ingest.options import Options
from profiles.models import Comment, Corpus, DetectionRun, Ingest, Profile
from tests.profiles.ingest.dumps import MAY_2013, line, write_dump

pytestmark = pytest.mark.django_db(transaction=True)


def ingest(*arguments: object) -> str:
    out = StringIO()
    call_command("ingest_dumps", *map(str, arguments), stdout=out)
    return out.getvalue()


@pytest.fixture
def dump(tmp_path):
    lines = [line(author=f"a{n % 4}", id=f"c{n}", body=f"I moved to Houston, {n} years ago") for n in range(10)]
    others = [line(author="x", subreddit="nowhere", id="c90"), line(author="[deleted]", id="c91"), b"broken\n"]
    return write_dump(tmp_path / "RC_2013-05.zst", [*lines, *others])


def test_it_takes_our_list_by_default_and_keeps_it_with_the_corpus(dump):
    load_hints()
    output = ingest(dump, "--corpus", "ours")
    options = Options.from_json(Corpus.objects.get().options)
    assert "houston" in options.names
    assert len(options.names) > 300
    assert (Profile.objects.count(), Comment.objects.count()) == (4, 10)
    assert "Profiles" in output
    assert "set aside 1 not JSON" in output


def test_detection_begins_when_it_is_over(dump):
    ingest(dump, "--corpus", "ours", "--subreddits", "all")
    run = DetectionRun.objects.get()
    assert run.corpus == Corpus.objects.get()
    assert run.recipe.contents["models"]


def test_without_a_list_it_says_what_to_do(dump):
    with pytest.raises(CommandError, match="hints reset"):
        ingest(dump, "--corpus", "ours")
    assert not Corpus.objects.exists()


def test_a_list_of_ones_own(dump, tmp_path):
    (tmp_path / "list.txt").write_text("# ours\nr/NOWHERE\n\n")
    ingest(dump, "--corpus", "own", "--subreddits", tmp_path / "list.txt")
    assert Comment.objects.get().subreddit.name == "nowhere"
    with pytest.raises(CommandError, match="could not be read"):
        ingest(dump, "--corpus", "other", "--subreddits", tmp_path / "missing.txt")


def test_every_rule_is_kept_with_the_corpus(dump):
    ingest(
        dump, "--corpus", "all of them", "--from", "2013-05-01", "--to", "2013-06-01", "--min-chars", 12,
        "--subreddits", "all", "--min-comments", 2, "--max-comments", 3, "--sample", 1, "--seed", 9,
        "--keep-bots", "--keep-duplicates", "--keep-quotes", "--keep-entities",
    )  # fmt: skip
    options = Corpus.objects.get().options
    assert options | {"names": []} == {
        "since": "2013-05-01", "until": "2013-06-01", "min_chars": 12, "subreddits": "all", "names": [],
        "min_comments": 2, "max_comments": 3, "sample": 1, "seed": 9, "keep_bots": True, "keep_duplicates": True,
        "keep_quotes": True, "keep_entities": True, "exact_spelling": False,
    }  # fmt: skip
    assert Profile.objects.count() == 1


def test_the_study_sets_them_all_but_the_list(dump):
    ingest(dump, "--corpus", "study", "--study", "--subreddits", "all")
    assert Options.from_json(Corpus.objects.get().options) == Options(subreddits="all").as_study()


@pytest.mark.parametrize(
    "rule",
    ["--from=2013-01-01", "--to=2014-01-01", "--min-comments=5", "--max-comments=9", "--sample=3", "--min-chars=5",
     "--seed=4", "--keep-bots"],
)  # fmt: skip
def test_the_study_takes_no_other_rules(dump, rule):
    with pytest.raises(CommandError, match=STUDY_HAS_ITS_OWN):
        ingest(dump, "--corpus", "study", "--study", "--subreddits", "all", rule)
    assert not Corpus.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--from", "2014-01-01", "--to", "2013-01-01"], "period is empty"),
        (["--min-chars", 0], "at least 1 character"),
        (["--min-comments", 5, "--max-comments", 4], "at least 5 and at most 4"),
        (["--sample", 0], "at least 1 profile"),
    ],
)
def test_rules_that_cannot_be_are_refused_in_words(dump, arguments, message):
    with pytest.raises(CommandError, match=message):
        ingest(dump, "--corpus", "never", "--subreddits", "all", *arguments)
    assert not Corpus.objects.exists()


def test_paths_are_needed_and_must_exist(tmp_path):
    with pytest.raises(CommandError, match="Name what to read"):
        ingest("--corpus", "x", "--subreddits", "all")
    with pytest.raises(CommandError, match="no dump at"):
        ingest(tmp_path / "RC_*.zst", "--corpus", "x", "--subreddits", "all")


@pytest.mark.parametrize("contents", [None, b"\x89PNG\r\n\x1a\n and more", b"PAR1 cut off"])
def test_a_mistyped_path_leaves_no_empty_corpus(tmp_path, contents):
    path = tmp_path / "RC_2013-05.zst"
    if contents:
        path.write_bytes(contents)
    with pytest.raises(CommandError):
        ingest(path, "--corpus", "typo", "--subreddits", "all")
    assert not Corpus.objects.exists()


def test_a_corpus_that_has_something_survives_a_mistyped_path(tmp_path, dump):
    ingest(dump, "--corpus", "good", "--subreddits", "all")
    other = tmp_path / "RC_2013-06.zst"
    other.write_bytes(b"not a dump")
    for path in (other, tmp_path / "nowhere"):
        with pytest.raises(CommandError):
            ingest(path, "--corpus", "good")
    assert Corpus.objects.get().profiles.count() > 0


def test_what_spark_made_is_loaded(tmp_path):
    row = {
        "account": "a",
        "author": "A",
        "subreddit": "houston",
        "created": MAY_2013,
        "body": "I moved there",
        "copy": 0,
    }
    (tmp_path / "comments").mkdir()
    rows = [row | {"id": "c1"}, row | {"id": "c2"}, row | {"id": "c3", "account": "b", "author": "b"}]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "comments" / "part-0.parquet")
    counts = {"lines": 9, "kept": 5, "removed": {"too_short": 3, "set_aside": 1, "bot": 2}}
    counts |= {"options": Options(subreddits="all", min_chars=3).to_json(), "problems": ["RC_1.zst is cut off"]}
    (tmp_path / "counts.json").write_text(json.dumps(counts))
    with pytest.raises(CommandError, match="its own rules"):
        ingest("--from-spark", tmp_path, "--corpus", "spark", "--subreddits", "all")
    assert "RC_1.zst is cut off" in ingest("--from-spark", tmp_path, "--corpus", "spark")
    assert Options.from_json(Corpus.objects.get().options).min_chars == 3
    corpus = Corpus.objects.get()
    assert corpus.funnel[0]["left"] == 9
    assert corpus.funnel[-1]["left"] == Comment.objects.count() == 3
    assert "Nothing new" in ingest("--from-spark", tmp_path, "--corpus", "spark")


def test_half_a_spark_result_is_refused(tmp_path):
    with pytest.raises(CommandError, match=r"counts\.json"):
        ingest("--from-spark", tmp_path, "--corpus", "spark")


def test_it_writes_the_rules_for_a_spark_run(tmp_path):
    load_hints()
    ingest("--write-rules", tmp_path / "rules.json", "--min-comments", 5)
    written = Options.from_json(json.loads((tmp_path / "rules.json").read_text()))
    assert (written.min_comments, "houston" in written.names) == (5, True)
    assert not Corpus.objects.exists()


def test_the_display_follows_every_stage():
    output = StringIO()
    with JobDisplay(Console(file=output, width=160)) as display:
        for stage in Ingest.Stage:
            show_ingest(display, Ingest(stage=stage, done=5, total=10, lines=1234, kept=12))
    assert "Reading and filtering" in output.getvalue()
    assert "234 lines, 12 kept" in output.getvalue()
