"""Reddit's comment ids leave only with account names, and nobody but an admin with a reason can ask for those."""

import json
import zipfile

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from annotator.exchange.export.job import run
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.storage import path_of
from annotator.exchange.services.exports import request_export
from annotator.models import Assignment, Evidence, Format
from profiles.bulk_load import CommentRecord, ProfileRecord, load_profiles
from profiles.models import Comment, Corpus
from tests.annotator.detection.runs import detect, make_run
from tests.annotator.exchange import gold_schema
from tests.annotator.exchange.files import (
    AT,
    LINE_FORMATS,
    decide_age,
    export_corpus,
    import_file,
    judge_all,
    lines_of,
    make_labelled,
    synthpai_line,
    write_lines,
)
from tests.factories import make_corpus

pytestmark = pytest.mark.django_db
IDS = ("c3vpi9z", "c3vpi90")


def make_labelled_with_ids() -> Corpus:
    """A labelled corpus whose comments have ids that are easy to find in a file."""
    corpus = make_labelled()
    decide_age(corpus)
    for comment, reddit_id in zip(Comment.objects.order_by("written_at"), IDS, strict=True):
        Comment.objects.filter(pk=comment.pk).update(reddit_id=int(reddit_id, 36))
    return corpus


@pytest.mark.parametrize("with_text", [True, False], ids=["text", "no text"])
@pytest.mark.parametrize("form", LINE_FORMATS)
def test_no_id_leaves_without_names(tmp_path, form, with_text):
    corpus = make_labelled_with_ids()
    text = export_corpus(corpus, tmp_path / "out", format=form, with_text=with_text).read_text(encoding="utf-8")
    for reddit_id in IDS:
        assert reddit_id not in text
        assert str(int(reddit_id, 36)) not in text


def test_no_id_leaves_in_a_file_for_each_reviewer(tmp_path):
    corpus = make_labelled_with_ids()
    path = export_corpus(corpus, tmp_path / "out.zip", format=Format.LLMPRIVACY, per_reviewer=True)
    with zipfile.ZipFile(path) as archive:
        text = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert not any(reddit_id in text for reddit_id in IDS)
    assert '"comment":"1"' in text


@pytest.mark.parametrize("form", [Format.NATIVE, Format.LLMPRIVACY, Format.SPANS, Format.CSV])
def test_ids_leave_with_names(tmp_path, form):
    corpus = make_labelled_with_ids()
    assert IDS[0] in export_corpus(corpus, tmp_path / "out", format=form, with_names=True).read_text(encoding="utf-8")


def test_comments_are_numbered_within_their_profile(tmp_path):
    corpus = make_labelled_with_ids()
    [line] = lines_of(export_corpus(corpus, tmp_path / "gold.jsonl"))
    assert [comment["id"] for comment in line["comments"]] == ["1", "2"]
    assert line["gold"]["location"]["evidence"][0]["comment"] == "1"
    assert line["judgements"][0]["answers"]["location"]["evidence"][0]["comment"] == "1"
    assert gold_schema.problems(line) == []
    spans = lines_of(export_corpus(corpus, tmp_path / "spans.jsonl", format=Format.SPANS))
    assert [(line["comment"], len(line["spans"])) for line in spans] == [("1", 1), ("2", 0)]
    table = export_corpus(corpus, tmp_path / "gold.csv", format=Format.CSV).read_text(encoding="utf-8")
    [row] = [row for row in table.splitlines() if ",location," in row]
    assert row.split(",")[12] == "1"


def test_evidence_comes_back_to_the_comments_of_the_same_corpus_without_texts(tmp_path):
    """Into a corpus that has the profile, numbers mean the comments that have the same time and subreddit."""
    corpus = make_labelled_with_ids()
    [line] = lines_of(export_corpus(corpus, tmp_path / "gold.jsonl", with_text=False))
    line["judgements"] = [line["judgements"][0] | {"annotator": "A-222222"}]
    import_file(write_lines(tmp_path / "one.jsonl", line), "native", corpus.name)
    new = Evidence.objects.filter(judgement__assignment__annotator__is_imported=True).get()
    assert new.comment == Comment.objects.get(reddit_id=int(IDS[0], 36))


def test_a_number_of_another_comment_is_no_evidence(tmp_path):
    corpus = make_labelled_with_ids()
    [line] = lines_of(export_corpus(corpus, tmp_path / "gold.jsonl", with_text=False))
    line["judgements"] = [line["judgements"][0] | {"annotator": "A-222222"}]
    line["comments"][0]["written_at"] = "2013-05-01T08:59:59Z"  # the corpus here does not have it
    import_file(write_lines(tmp_path / "one.jsonl", line), "native", corpus.name)
    assert not Evidence.objects.filter(judgement__assignment__annotator__is_imported=True).exists()


def test_comments_of_the_same_second_keep_their_numbers(tmp_path):
    """Thirty comments in one second: an import must not shuffle them, or evidence would move."""
    corpus = make_corpus("many")
    comments = [CommentRecord(f"c{n}", "houston", AT, f"comment number {n} of many") for n in range(10, 40)]
    load_profiles(corpus, [ProfileRecord("one", comments)])
    judge_all(corpus)
    before = lines_of(export_corpus(corpus, tmp_path / "gold.jsonl"))
    import_file(tmp_path / "gold.jsonl", "native", "copy")
    after = lines_of(export_corpus(Corpus.objects.get(name="copy"), tmp_path / "again.jsonl"))
    assert [line["comments"] for line in after] == [line["comments"] for line in before]


def test_what_another_study_knew_of_reddit_stays_here(tmp_path):
    """Ids and links that came in beside the comments go out only with names."""
    line = synthpai_line(permalink="/r/paris/comments/1abcde/bread/c3vpi9z/", link_ids=["t3_1abcde"])
    line["comments"][0] |= {"id": "c3vpi9z", "link_id": "t3_1abcde", "name": "t1_c3vpi9z", "score": 3}
    import_file(write_lines(tmp_path / "synth.jsonl", line), "synthpai")
    corpus = Corpus.objects.get()
    for form in ("native", "synthpai"):
        text = export_corpus(corpus, tmp_path / "out.jsonl", format=form).read_text(encoding="utf-8")
        assert not [word for word in ("c3vpi9z", "1abcde") if word in text]
        assert '"score":3' in text
    [out] = lines_of(export_corpus(corpus, tmp_path / "out.jsonl", format="synthpai", with_names=True))
    assert out == line


def test_ids_of_older_evidence_stay_here(tmp_path):
    """An llmprivacy file from before cites comments by Reddit's id, inside the reviews that are kept."""
    corpus = make_labelled_with_ids()
    path = export_corpus(corpus, tmp_path / "old.jsonl", format=Format.LLMPRIVACY, with_names=True)
    assert IDS[0] in path.read_text(encoding="utf-8")
    import_file(path, "llmprivacy", "copy")
    text = export_corpus(Corpus.objects.get(name="copy"), tmp_path / "out.jsonl").read_text(encoding="utf-8")
    assert IDS[0] not in text


def test_older_exports_with_ids_still_come_in(tmp_path):
    corpus = make_labelled_with_ids()
    [line] = lines_of(export_corpus(corpus, tmp_path / "gold.jsonl", with_names=True))
    assert [comment["id"] for comment in line["comments"]] == list(IDS)
    import_file(tmp_path / "gold.jsonl", "native", "copy")
    assert set(Comment.objects.filter(profile__corpus__name="copy").values_list("reddit_id", flat=True)) == {
        int(reddit_id, 36) for reddit_id in IDS
    }


def test_a_manifest_names_no_id(settings, tmp_path, grace):
    settings.EXPORTS = tmp_path
    export = request_export(make_labelled_with_ids(), ExportOptions(), by=grace)
    run(export.pk)
    export.refresh_from_db()
    assert path_of(export).exists()
    assert not any(reddit_id in json.dumps(export.manifest) for reddit_id in IDS)


def readable_paths(patterns=None, prefix: str = "/") -> list[str]:
    """Every path of the site as a template, such as `/corpora/<corpus_id>/`; the back room hides the ids itself."""
    paths: list[str] = []
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        path = prefix + _template(str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            paths += readable_paths(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern) and "(" not in path:
            paths.append(path)
    return paths


def _template(pattern: str) -> str:
    for kind in ("int", "str", "slug", "path"):
        pattern = pattern.replace(f"<{kind}:", "<")
    return pattern.lstrip("^").rstrip("$")


@pytest.mark.parametrize("role", ["ada", "rosalind"])
def test_no_page_shows_an_id(client, request, role, grace):
    """Evaluators and researchers: every page and JSON that a GET reaches."""
    person = request.getfixturevalue(role)
    corpus = make_labelled_with_ids()
    batch, profile = corpus.batches.first(), corpus.profiles.get()
    Assignment.objects.filter(slot=0).update(annotator=person)
    export = request_export(corpus, ExportOptions(), by=grace)
    detection_run = make_run(corpus, finished_at=timezone.now())
    detect(detection_run, Comment.objects.order_by("written_at").first(), "Houston")
    ids = {
        "corpus_id": corpus.pk, "batch_id": batch.pk, "profile_id": profile.pk, "export_id": export.pk,
        "assignment_id": Assignment.objects.get(annotator=person).pk, "comment_id": Comment.objects.first().pk,
        "run_id": detection_run.pk, "attribute": "location", "number": 1, "version": 1,
    }  # fmt: skip
    client.force_login(person)
    seen = 0
    for template in readable_paths():
        path = template
        for name, value in ids.items():
            path = path.replace(f"<{name}>", str(value))
        for query in ("", "?format=json", "?format=csv") if "agreement" in path else ("",):
            if "<" in path or "tables" in path or "style" in path:
                continue
            response = client.get(path + query)
            if response.status_code == 200:
                text = b"".join(response).decode(errors="replace") if response.streaming else response.content.decode()
                seen += 1
                assert not [i for i in IDS if i in text or str(int(i, 36)) in text], path
    assert seen > 8
