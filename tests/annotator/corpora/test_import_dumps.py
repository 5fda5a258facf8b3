"""Importing dumps by the page: who may, what is asked, and what is kept of it."""

import pytest
from django.test import Client

from annotator.corpora.tasks import run_ingest as task
from profiles.ingest.options import Options
from profiles.models import Corpus, Ingest
from tests.annotator.accounts.sign_in_forms import entry
from tests.annotator.corpora.dumps import ASKED, PATH, files_in, make_ingest, make_made_corpus, refused, uploaded

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"


def test_is_for_admins_only(picked, ada, rosalind):
    made = make_ingest(make_made_corpus(), stage="done").corpus
    client = Client()
    for path in (PATH, f"/corpora/{made.pk}/import/"):
        for ask in (client.get, client.post):
            client.logout()
            assert ask(path, picked)["Location"].startswith("/account/login/")
            for annotator in (ada, rosalind):
                client.force_login(annotator)
                assert ask(path, picked).status_code == 404
    assert Corpus.objects.count() == 1
    client.force_login(rosalind)
    assert PATH not in client.get("/corpora/").content.decode()
    assert "Add files" not in client.get(f"/corpora/{made.pk}/making/").content.decode()


def test_what_others_send_is_not_even_written_down(dumps, settings, ada):
    client = Client()
    client.force_login(ada)
    assert client.post(PATH, ASKED | {"uploads": uploaded()}).status_code == 404
    assert not settings.UPLOADS.exists()


def test_a_form_from_elsewhere_is_refused_and_leaves_nothing(picked, settings, grace):
    client = Client(enforce_csrf_checks=True)
    client.force_login(grace)
    made = make_ingest(make_made_corpus(), stage="done").corpus
    for path in (PATH, f"/corpora/{made.pk}/import/"):
        assert client.post(path, picked | {"uploads": uploaded()}).status_code == 403
    assert files_in(settings.UPLOADS) == []
    assert Corpus.objects.count() == 1


def test_refuses_other_methods(as_grace, dumps):
    assert as_grace.delete(PATH).status_code == 405


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"picked": []}, "Choose at least one file"),
        ({"name": " "}, "required"),
        ({"name": "x" * 101}, "at most 100"),
        ({"name": "a\x00"}, "Null characters"),
        ({"since": "yesterday"}, "valid date"),
        ({"since": "2016-01-01"}, "The years are empty"),
        ({"since": "2017-01-01"}, "The years are empty"),
        ({"min_chars": "0"}, "greater than or equal to 1"),
        ({"min_comments": "9", "max_comments": "3"}, "No profile can have at least 9 and at most 3"),
        ({"sample": "-1"}, "greater than or equal to 1"),
        ({"seed": "one"}, "whole number"),
        ({"which": "mine"}, "not one of the available choices"),
        ({"which": "file"}, "Choose the file with the subreddits"),
        ({"which": "file", "names": uploaded("houston\ntwo words\n", "n.txt")}, "Line 2 is no name"),
        ({"which": "file", "names": uploaded(b"\xff\xfe", "n.txt")}, "not UTF-8"),
        ({"which": "file", "names": uploaded(b"x\n" * 500_001, "n.txt")}, "larger than 1 MB"),
        ({"uploads": uploaded(name="dump.exe")}, "whose names end in .zst"),
        ({"uploads": uploaded(b"")}, "empty"),
    ],
    ids=str,
)
def test_refuses_what_makes_no_sense_and_keeps_the_input(as_grace, picked, settings, changed, why):
    response = as_grace.post(PATH, picked | {"name": "my pilot", "min_comments": "4"} | changed)
    assert why in refused(response)
    page = response.content.decode()
    assert ("my pilot" in page) or "name" in changed
    assert ('value="4"' in page) or "min_comments" in changed
    assert (" checked" in page.split('name="picked"')[1][:200]) or "picked" in changed
    assert files_in(settings.UPLOADS) == []


def test_rules_that_are_wrong_are_not_out_of_sight(as_grace, picked):
    assert '<details class="more">' in as_grace.get(PATH).content.decode()
    assert '<details class="more" open>' in as_grace.post(PATH, picked | {"seed": "one"}).content.decode()


def test_a_name_that_is_taken_leads_to_the_corpus(as_grace, picked):
    make_made_corpus("pilot")
    response = as_grace.post(PATH, picked)
    assert response.status_code == 422
    assert "There is a corpus of this name" in response.content.decode()
    assert Corpus.objects.count() == 1


def test_hostile_input_stays_text(as_grace, picked):
    response = as_grace.post(PATH, picked | {"name": HOSTILE, "seed": HOSTILE, "since": HOSTILE})
    assert response.status_code == 422
    assert HOSTILE not in response.content.decode()


def options_of(response) -> Options:
    assert response.status_code == 302, response.context["form"].errors
    corpus = Corpus.objects.get()
    assert response["Location"] == f"/corpora/{corpus.pk}/making/"
    return Options.from_json(corpus.options)


def test_what_was_asked_becomes_the_rules_of_the_corpus(as_grace, picked):
    asked = {"since": "2013-01-01", "min_chars": "25", "max_comments": "900", "sample": "40", "seed": "7"}
    made = options_of(as_grace.post(PATH, picked | asked | {"keep_bots": "on", "keep_entities": "on"}))
    assert (str(made.since), made.min_chars, made.max_comments, made.sample, made.seed) == (
        "2013-01-01",
        25,
        900,
        40,
        7,
    )
    assert (made.keep_bots, made.keep_entities) == (True, True)
    assert (made.keep_duplicates, made.keep_quotes, made.exact_spelling) == (False, False, False)
    assert made.subreddits == "all"


def test_as_in_the_study_counts_more_than_the_rest(as_grace, picked):
    asked = {"since": "2014-06-01", "min_chars": "99", "sample": "3", "as_study": "on"}
    made = options_of(as_grace.post(PATH, picked | asked))
    assert made.to_json() == made.as_study().to_json()
    assert (made.min_chars, made.sample, made.exact_spelling, made.subreddits) == (10, None, True, "all")


@pytest.mark.parametrize(("file", "kept_as"), [("places.txt", "places.txt"), ("all", "all.txt"), ("ours", "ours.txt")])
def test_takes_the_subreddits_of_a_file(as_grace, picked, file, kept_as):
    names = uploaded("\ufeffHouston\r\n\n /r/seattle \nr/AskReddit", file)
    made = options_of(as_grace.post(PATH, picked | {"which": "file", "names": names}))
    assert (made.subreddits, made.names) == (kept_as, ("askreddit", "houston", "seattle"))


def test_starting_is_written_to_the_audit_log_without_names(as_grace, grace, picked):
    as_grace.post(PATH, picked)
    ingest = Ingest.objects.get()
    assert entry("import_started").actor == grace
    assert entry("import_started").details == {"corpus": ingest.corpus_id, "ingest": ingest.pk, "files": 1}
    assert "started an import" in as_grace.get("/audit/").content.decode()


def test_a_worker_is_asked_once_all_is_written(as_grace, picked, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as calls:
        as_grace.post(PATH, picked)
    assert [(call.func, call.args) for call in calls] == [(task.delay, (Ingest.objects.get().pk,))]
    assert task.acks_late is False


def test_adding_files_shows_the_rules_and_does_not_ask_for_them(as_grace, dumps):
    corpus = make_ingest(make_made_corpus(min_chars=33), stage="done").corpus
    page = as_grace.get(f"/corpora/{corpus.pk}/import/").content.decode()
    assert "at least 33 characters" in page
    for asked in ("name", "since", "which", "min_chars", "as_study"):
        assert f'name="{asked}"' not in page


def test_added_files_keep_the_rules_of_the_corpus(as_grace, picked):
    corpus = make_ingest(make_made_corpus(min_chars=33), stage="done").corpus
    before = corpus.options
    response = as_grace.post(f"/corpora/{corpus.pk}/import/", picked | {"min_chars": "1"})
    assert response["Location"] == f"/corpora/{corpus.pk}/making/"
    corpus.refresh_from_db()
    assert corpus.options == before
    assert corpus.ingests.count() == 2


def test_says_when_the_earlier_files_are_needed_again(as_grace, dumps):
    """At least two comments per profile: one of a file and one of the next make a profile."""
    for rules, needed in (({"min_comments": 2}, True), ({}, False)):
        corpus = make_ingest(make_made_corpus(**rules), stage="done").corpus
        page = as_grace.get(f"/corpora/{corpus.pk}/import/").content.decode()
        assert ("Give the earlier files too" in page) is needed


def test_a_sample_cannot_grow(as_grace, picked):
    corpus = make_ingest(make_made_corpus(sample=10), stage="done").corpus
    assert "Add files" not in as_grace.get(f"/corpora/{corpus.pk}/making/").content.decode()
    response = as_grace.post(f"/corpora/{corpus.pk}/import/", picked, follow=True)
    assert "No files can be added" in response.content.decode()
    assert corpus.ingests.count() == 1
