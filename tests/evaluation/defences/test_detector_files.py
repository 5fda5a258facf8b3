"""Another detector's file: which comments it names, what is wrong in it, and what a run keeps of it."""

import json

import pytest

from annotator.privacy.services import forget_account
from evaluation.defences.detector_files import (
    OTHER_DOCUMENTS,
    UnreadableDetections,
    read_detections,
    read_detector_file,
    write_detections,
)
from evaluation.defences.masking import MaskedSpan
from evaluation.defences.spans import FILE_GONE
from evaluation.models import EvaluationInput, EvaluationRun
from evaluation.runs.services import repeat_run
from evaluation.runs.storage import path_of
from evaluation.spans.problems import SENTENCES
from evaluation.spans.records import ProblemKind
from tests.evaluation.defences.studies import do_run, make_study, rules_plan
from tests.evaluation.inference.studies import finish
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS, settings.UPLOADS = tmp_path / "evaluations", tmp_path / "uploads"


@pytest.fixture
def corpus():
    return make_study(2)[0]


def profiles(corpus):
    return list(corpus.profiles.order_by("pk"))


def span(text, body, label="CITY"):
    start = body.index(text)
    return {"start": start, "end": start + len(text), "label": label}


def write(tmp_path, rows, name="other.jsonl"):
    path = tmp_path / name
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def document(profile, *spans, comment="1", **fields):
    return {"id": f"{profile.pseudonym}/{comment}", "spans": list(spans)} | fields


def read(tmp_path, corpus, *rows):
    return read_detector_file(write(tmp_path, rows), "other.jsonl", corpus)


def test_comments_are_named_by_number_or_by_reddits_id(tmp_path, corpus):
    first, second = profiles(corpus)
    comment, other = first.comments.get(), second.comments.get()
    other.reddit_id = int("zz9", 36)
    other.save(update_fields=["reddit_id"])
    file = read(
        tmp_path, corpus, document(first, span("Houston", comment.body)),
        document(second, span("nurse", other.body, "job title"), comment="zz9"),
    )  # fmt: skip
    nurse = other.body.index("nurse")
    assert file.spans == {
        comment.pk: [MaskedSpan(10, 17, "CITY")], other.pk: [MaskedSpan(nurse, nurse + 5, "JOB_TITLE")],
    }  # fmt: skip
    assert file.problems == []


def test_a_number_comes_before_reddits_id_and_both_names_together_mark_one_comment(tmp_path, corpus):
    profile = profiles(corpus)[0]
    comment = profile.comments.get()
    comment.reddit_id = int("2", 36)
    comment.save(update_fields=["reddit_id"])
    rows = [
        document(profile, span("Houston", comment.body)),
        document(profile, span("nurse", comment.body), comment="2"),
    ]
    assert len(read(tmp_path, corpus, *rows).spans[comment.pk]) == 2
    later = profile.comments.get()
    later.pk, later.reddit_id, later.written_at = None, 777, comment.written_at.replace(year=2030)
    later.save(force_insert=True)
    assert [len(spans) for spans in read(tmp_path, corpus, *rows).spans.values()] == [1, 1]


def test_numbers_are_those_of_the_spans_export(tmp_path, corpus):
    """Comments are numbered by time, whatever their order in the table."""
    profile = profiles(corpus)[0]
    comment = profile.comments.get()
    earlier = profile.comments.get()
    earlier.pk, earlier.reddit_id, earlier.body = None, 77, "Houston first"
    earlier.written_at = comment.written_at.replace(year=2001)
    earlier.save(force_insert=True)
    file = read(tmp_path, corpus, document(profile, span("Houston", "Houston first")))
    assert list(file.spans) == [earlier.pk]


def test_what_cannot_be_used_is_counted_and_the_rest_is_used(tmp_path, corpus):
    first, second = profiles(corpus)
    body, beyond = first.comments.get().body, {"start": 3, "end": 900, "label": "X"}
    rows = [
        document(first, span("Houston", body), beyond, {"start": 4, "end": 4, "label": "X"}),
        document(second, {"start": 0, "end": 3, "label": "X", "text": "Paris"}),
        document(first, comment="999"),
        {"id": "somebody/else", "spans": []},
        {"id": "no spans"},
    ]  # fmt: skip
    file = read(tmp_path, corpus, *rows)
    assert sum(map(len, file.spans.values())) == 1
    problems = " ".join(file.problems)
    kinds = (ProblemKind.OUT_OF_RANGE, ProblemKind.EMPTY, ProblemKind.TEXT_DIFFERS, ProblemKind.UNREADABLE)
    assert all(SENTENCES[kind] in problems for kind in kinds)
    assert f"{OTHER_DOCUMENTS} 2: " in problems
    assert "somebody/else" in problems


def test_offsets_that_count_something_else_are_converted(tmp_path, corpus):
    profile = profiles(corpus)[0]
    comment = profile.comments.get()
    comment.body = "🙂🙂 Houston"
    comment.save(update_fields=["body"])
    file = read(tmp_path, corpus, document(profile, {"start": 5, "end": 12, "label": "CITY", "text": "Houston"}))
    assert file.spans[comment.pk] == [MaskedSpan(3, 10, "CITY")]
    assert SENTENCES[ProblemKind.OFFSETS_CONVERTED] in file.problems[0]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "other.jsonl"),
        ([{"id": "nobody/1", "spans": []}], "none of them is a comment"),
        ([{"hello": 1}], "other.jsonl"),
    ],
)
def test_refuses_files_without_a_comment_of_the_corpus(tmp_path, corpus, rows, words):
    with pytest.raises(UnreadableDetections, match=words):
        read(tmp_path, corpus, *rows)


def test_refuses_a_file_that_marks_nothing_and_says_why(tmp_path, corpus):
    row = document(profiles(corpus)[0], {"start": 3, "end": 900, "label": "X"})
    with pytest.raises(UnreadableDetections, match="marks nothing") as refusal:
        read(tmp_path, corpus, row)
    assert SENTENCES[ProblemKind.OUT_OF_RANGE] in str(refusal.value)


def test_labels_can_smuggle_no_text(tmp_path, corpus):
    profile = profiles(corpus)[0]
    body = profile.comments.get().body
    file = read(tmp_path, corpus, document(profile, span("Houston", body, f"{body} {body}")))
    ((masked,),) = file.spans.values()
    assert len(masked.type) <= 40
    assert " " not in masked.type


def test_what_is_kept_has_no_text_and_reads_back_the_same(tmp_path, corpus):
    profile = profiles(corpus)[0]
    comment = profile.comments.get()
    file = read(tmp_path, corpus, document(profile, span("Houston", comment.body), text=comment.body))
    write_detections(tmp_path / "kept.jsonl", file.spans)
    assert read_detections(tmp_path / "kept.jsonl") == file.spans
    assert (tmp_path / "kept.jsonl").read_text() == f'[{comment.pk}, [[10, 17, "CITY"]]]\n'


# ── Runs ────────────────────────────────────────────────────────────────────


def run_with_file(tmp_path, corpus, **fields):
    rows = [document(profile, span("Houston", profile.comments.get().body)) for profile in profiles(corpus)]
    return do_run(rules_plan(corpus, None, "detections-tag", "random-tag", detector=read(tmp_path, corpus, *rows)))


def test_a_run_names_the_file_and_can_be_repeated(tmp_path, corpus):
    run = run_with_file(tmp_path, corpus)
    digest = run.settings["detector_file"]["sha256"]
    assert [row["recipe"].get("detector") for row in run.report["defences"]] == [None, digest, digest]
    assert run.report["defences"][2]["changed"]["characters"] == 2 * len("Houston")
    assert run.report["detector"]["missing_comments"] == 0
    again = finish(repeat_run(run, by=make_annotator("ada")))
    assert again.signature == run.signature
    assert again.report["defences"][1]["scores"] == run.report["defences"][1]["scores"]


def test_the_stored_file_stays_readable_for_us_alone_and_has_no_texts(tmp_path, corpus):
    run = run_with_file(tmp_path, corpus)
    stored = run.files.get()
    path = path_of(stored)
    assert stored.role == EvaluationInput.Role.PREDICTIONS
    assert path.stat().st_mode & 0o077 == 0
    assert "Houston" not in path.read_text()
    assert all(profile.pseudonym not in path.read_text() for profile in profiles(corpus))
    assert list((tmp_path / "uploads").iterdir()) == []


def test_after_a_takedown_the_run_repeats_without_the_account(tmp_path, corpus):
    run = run_with_file(tmp_path, corpus)
    forget_account(f"account{profiles(corpus)[0].pseudonym.rpartition('-')[2]}")
    again = finish(repeat_run(run, by=make_annotator("ada")))
    assert again.report["gold"]["profiles"] == 1
    assert again.defended_texts.filter(defence="detections-tag").count() == 1


def test_a_file_that_is_gone_stops_the_run(tmp_path, corpus):
    run = run_with_file(tmp_path, corpus)
    again = repeat_run(run, by=make_annotator("ada"))
    path_of(again.files.get()).unlink()
    assert finish(again).problem == FILE_GONE


def test_comments_that_the_file_leaves_out_are_said(tmp_path, corpus):
    profile = profiles(corpus)[0]
    detector = read(tmp_path, corpus, document(profile, span("Houston", profile.comments.get().body)))
    run = do_run(rules_plan(corpus, None, "detections-tag", detector=detector))
    assert run.report["detector"]["missing_comments"] == 1
    assert "detector-incomplete" in {warning["key"] for warning in run.report["warnings"]}
    assert EvaluationRun.objects.get().report == run.report
