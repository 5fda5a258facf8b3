"""Another detector's file: which comments it names, what is wrong in it, and what a run keeps of it."""

import json
from importlib import import_module

import pytest
from django.apps import apps
from django.db import transaction

from annotator.privacy.services import forget_account
from evaluation.defences import detector_files
from evaluation.defences.detector_files import (
    OTHER_DOCUMENTS,
    UnreadableDetections,
    read_detector_file,
)
from evaluation.defences.masking import MaskedSpan
from evaluation.defences.spans import FILE_GONE
from evaluation.models import DetectedComment, EvaluationInput, EvaluationRun
from evaluation.runs.services import delete_run, repeat_run
from evaluation.runs.storage import InputFile, path_of, store_files
from evaluation.spans.problems import SENTENCES
from evaluation.spans.records import ProblemKind
from tests.evaluation.defences.studies import do_run, make_study, rules_plan
from tests.evaluation.inference.studies import finish
from tests.factories import make_annotator

MOVE = import_module("evaluation.migrations.0011_detections_from_files")

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
    problems = " ".join(map(str, file.problems))
    kinds = (ProblemKind.OUT_OF_RANGE, ProblemKind.EMPTY, ProblemKind.TEXT_DIFFERS, ProblemKind.UNREADABLE)
    assert all(SENTENCES[kind] in problems for kind in kinds)
    assert f"{OTHER_DOCUMENTS} 2: " in problems
    assert "somebody/else" in problems
    kept = " ".join(file.as_json()["problems"])
    assert f"{OTHER_DOCUMENTS} 2 in all." in kept
    assert not any(name in kept for name in ("somebody/else", first.pseudonym, second.pseudonym))


def test_offsets_that_count_something_else_are_converted(tmp_path, corpus):
    profile = profiles(corpus)[0]
    comment = profile.comments.get()
    comment.body = "🙂🙂 Houston"
    comment.save(update_fields=["body"])
    file = read(tmp_path, corpus, document(profile, {"start": 5, "end": 12, "label": "CITY", "text": "Houston"}))
    assert file.spans[comment.pk] == [MaskedSpan(3, 10, "CITY")]
    assert SENTENCES[ProblemKind.OFFSETS_CONVERTED] in str(file.problems[0])


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


def test_what_is_kept_has_no_texts_and_no_file(tmp_path, corpus):
    run = run_with_file(tmp_path, corpus)
    comments = [profile.comments.get().pk for profile in profiles(corpus)]
    kept = run.detected_comments.order_by("pk").values_list("comment_id", "spans")
    assert list(kept) == [(comment, [[10, 17, "CITY"]]) for comment in comments]
    assert not run.files.exists()
    folders = (tmp_path / "evaluations", tmp_path / "uploads")
    assert not [path for folder in folders for path in folder.rglob("*") if path.is_file()]


def test_a_takedown_removes_what_the_file_marks(tmp_path, corpus):
    run = run_with_file(tmp_path, corpus)
    forget_account(f"account{profiles(corpus)[0].pseudonym.rpartition('-')[2]}")
    (left,) = profiles(corpus)
    assert [row.profile for row in run.detected_comments.all()] == [left]
    again = finish(repeat_run(run, by=make_annotator("ada")))
    assert again.report["gold"]["profiles"] == 1
    assert again.defended_texts.filter(defence="detections-tag").count() == 1
    assert again.report["detector"]["missing_comments"] == 0


def test_an_account_that_goes_after_the_file_was_read_leaves_nothing(tmp_path, corpus):
    rows = [document(profile, span("Houston", profile.comments.get().body)) for profile in profiles(corpus)]
    detector = read(tmp_path, corpus, *rows)
    forget_account(f"account{profiles(corpus)[0].pseudonym.rpartition('-')[2]}")
    run = do_run(rules_plan(corpus, None, "detections-tag", detector=detector))
    assert run.detected_comments.count() == 1
    assert run.report


def test_an_account_that_goes_while_detections_are_stored_leaves_nothing(tmp_path, corpus, monkeypatch):
    """Between reading whose comments they are and locking the profiles."""
    lock = detector_files.lock_profiles
    name = f"account{profiles(corpus)[0].pseudonym.rpartition('-')[2]}"

    def lock_too_late(ids):
        forget_account(name)
        return lock(ids)

    monkeypatch.setattr(detector_files, "lock_profiles", lock_too_late)
    assert run_with_file(tmp_path, corpus).detected_comments.count() == 1


def test_detections_go_with_the_run(tmp_path, corpus):
    run = run_with_file(tmp_path, corpus)
    delete_run(run, by=make_annotator("ada"))
    assert not DetectedComment.objects.exists()


def test_a_run_of_which_nothing_is_left_stops(tmp_path, corpus):
    run = run_with_file(tmp_path, corpus)
    again = repeat_run(run, by=make_annotator("ada"))
    again.detected_comments.all().delete()
    assert finish(again).problem == FILE_GONE


def test_files_of_earlier_versions_move_into_the_table(tmp_path, corpus):
    run = run_with_file(tmp_path, corpus)
    first, second = (profile.comments.get().pk for profile in profiles(corpus))
    run.detected_comments.all().delete()
    path = tmp_path / "old.jsonl"
    path.write_text(f'[{first}, [[10, 17, "CITY"]]]\n[{second}, []]\n[999999, [[1, 2, "X"]]]\n', encoding="utf-8")
    (stored,) = store_files(run, [InputFile(EvaluationInput.Role.PREDICTIONS, path, "other.jsonl")])
    for _ in range(2):
        with transaction.atomic():
            MOVE.move_detections(apps, None)
    kept = run.detected_comments.order_by("pk").values_list("comment_id", "spans")
    assert list(kept) == [(first, [[10, 17, "CITY"]]), (second, [])]
    assert not run.files.exists()
    assert not path_of(stored).exists()


def test_comments_that_the_file_leaves_out_are_said(tmp_path, corpus):
    profile = profiles(corpus)[0]
    detector = read(tmp_path, corpus, document(profile, span("Houston", profile.comments.get().body)))
    run = do_run(rules_plan(corpus, None, "detections-tag", detector=detector))
    assert run.report["detector"]["missing_comments"] == 1
    assert "detector-incomplete" in {warning["key"] for warning in run.report["warnings"]}
    assert EvaluationRun.objects.get().report == run.report
