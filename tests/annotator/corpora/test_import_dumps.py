"""The import page: access, refused forms, and the rules that a corpus keeps."""

import pytest
from django.test import Client

from annotator.corpora.forms.imports import NAME_TAKEN
from annotator.corpora.tasks import run_ingest as task
from annotator.corpora.views.imports import CANNOT_GROW
from profiles.ingest.options import Options
from profiles.models import Corpus, Ingest
from tests.annotator.accounts.sign_in_forms import entry
from tests.annotator.corpora.dumps import (
    IMPORT_FORM,
    PATH,
    files_in,
    form_errors,
    make_imported_corpus,
    make_ingest,
    uploaded,
)
from tests.annotator.corpora.hint_lists import messages_of

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"


def test_is_for_admins_only(picked, ada, rosalind):
    corpus = make_ingest(make_imported_corpus(), stage="done").corpus
    client = Client()
    for path in (PATH, f"/corpora/{corpus.pk}/import/"):
        for visit in (client.get, client.post):
            client.logout()
            assert visit(path, picked)["Location"].startswith("/account/login/")
            for annotator in (ada, rosalind):
                client.force_login(annotator)
                assert visit(path, picked).status_code == 404
    assert Corpus.objects.count() == 1
    client.force_login(rosalind)
    assert PATH not in client.get("/corpora/").content.decode()
    assert "Add files" not in client.get(f"/corpora/{corpus.pk}/provenance/").content.decode()


def test_what_others_send_is_not_even_written_down(dumps, settings, ada):
    client = Client()
    client.force_login(ada)
    assert client.post(PATH, IMPORT_FORM | {"uploads": uploaded()}).status_code == 404
    assert not settings.UPLOADS.exists()


def test_a_form_from_elsewhere_is_refused_and_leaves_nothing(picked, settings, grace):
    client = Client(enforce_csrf_checks=True)
    client.force_login(grace)
    corpus = make_ingest(make_imported_corpus(), stage="done").corpus
    for path in (PATH, f"/corpora/{corpus.pk}/import/"):
        assert client.post(path, picked | {"uploads": uploaded()}).status_code == 403
    assert files_in(settings.UPLOADS) == []
    assert Corpus.objects.count() == 1


def test_refuses_other_methods(as_grace, dumps):
    assert as_grace.delete(PATH).status_code == 405


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"picked": []}, "__all__"),
        ({"name": " "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": "a\x00"}, "name"),
        ({"since": "yesterday"}, "since"),
        ({"since": "2016-01-01"}, "__all__"),
        ({"since": "2017-01-01"}, "__all__"),
        ({"min_chars": "0"}, "min_chars"),
        ({"min_comments": "9", "max_comments": "3"}, "__all__"),
        ({"sample": "-1"}, "sample"),
        ({"seed": "one"}, "seed"),
        ({"which": "mine"}, "which"),
        ({"which": "file"}, "names"),
        ({"which": "file", "names": uploaded("houston\ntwo words\n", "n.txt")}, "names"),
        ({"which": "file", "names": uploaded(b"\xff\xfe", "n.txt")}, "names"),
        ({"which": "file", "names": uploaded(b"x\n" * 500_001, "n.txt")}, "names"),
        ({"uploads": uploaded(name="dump.exe")}, "uploads"),
        ({"uploads": uploaded(b"")}, "uploads"),
    ],
    ids=str,
)
def test_refuses_what_makes_no_sense_and_keeps_the_input(as_grace, picked, settings, changed, field):
    response = as_grace.post(PATH, picked | {"name": "my pilot", "min_comments": "4"} | changed)
    assert field in form_errors(response)
    page = response.content.decode()
    assert ("my pilot" in page) or "name" in changed
    assert ('value="4"' in page) or "min_comments" in changed
    assert (" checked" in page.split('name="picked"')[1][:200]) or "picked" in changed
    assert files_in(settings.UPLOADS) == []


def test_rules_that_are_wrong_are_not_out_of_sight(as_grace, picked):
    assert '<details class="more">' in as_grace.get(PATH).content.decode()
    assert '<details class="more" open>' in as_grace.post(PATH, picked | {"seed": "one"}).content.decode()


def test_a_name_that_is_taken_leads_to_the_corpus(as_grace, picked):
    make_imported_corpus("pilot")
    response = as_grace.post(PATH, picked)
    assert response.status_code == 422
    assert response.context["form"].errors["name"] == [NAME_TAKEN]
    assert Corpus.objects.count() == 1


def test_hostile_input_stays_text(as_grace, picked):
    response = as_grace.post(PATH, picked | {"name": HOSTILE, "seed": HOSTILE, "since": HOSTILE})
    assert response.status_code == 422
    assert HOSTILE not in response.content.decode()


def options_of(response) -> Options:
    assert response.status_code == 302, response.context["form"].errors
    corpus = Corpus.objects.get()
    assert response["Location"] == f"/corpora/{corpus.pk}/provenance/"
    return Options.from_json(corpus.options)


def test_what_was_asked_becomes_the_rules_of_the_corpus(as_grace, picked):
    fields = {"since": "2013-01-01", "min_chars": "25", "max_comments": "900", "sample": "40", "seed": "7"}
    options = options_of(as_grace.post(PATH, picked | fields | {"keep_bots": "on", "keep_entities": "on"}))
    assert (str(options.since), options.min_chars, options.max_comments, options.sample, options.seed) == (
        "2013-01-01",
        25,
        900,
        40,
        7,
    )
    assert (options.keep_bots, options.keep_entities) == (True, True)
    assert (options.keep_duplicates, options.keep_quotes, options.exact_spelling) == (False, False, False)
    assert options.subreddits == "all"


def test_as_in_the_study_counts_more_than_the_rest(as_grace, picked):
    fields = {"since": "2014-06-01", "min_chars": "99", "sample": "3", "as_study": "on"}
    options = options_of(as_grace.post(PATH, picked | fields))
    assert options.to_json() == options.as_study().to_json()
    assert (options.min_chars, options.sample, options.exact_spelling, options.subreddits) == (10, None, True, "all")


@pytest.mark.parametrize(("file", "kept_as"), [("places.txt", "places.txt"), ("all", "all.txt"), ("ours", "ours.txt")])
def test_takes_the_subreddits_of_a_file(as_grace, picked, file, kept_as):
    names = uploaded("\ufeffHouston\r\n\n /r/seattle \nr/AskReddit", file)
    options = options_of(as_grace.post(PATH, picked | {"which": "file", "names": names}))
    assert (options.subreddits, options.names) == (kept_as, ("askreddit", "houston", "seattle"))


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
    corpus = make_ingest(make_imported_corpus(min_chars=33), stage="done").corpus
    page = as_grace.get(f"/corpora/{corpus.pk}/import/").content.decode()
    assert "at least 33 characters" in page
    for field in ("name", "since", "which", "min_chars", "as_study"):
        assert f'name="{field}"' not in page


def test_added_files_keep_the_rules_of_the_corpus(as_grace, picked):
    corpus = make_ingest(make_imported_corpus(min_chars=33), stage="done").corpus
    before = corpus.options
    response = as_grace.post(f"/corpora/{corpus.pk}/import/", picked | {"min_chars": "1"})
    assert response["Location"] == f"/corpora/{corpus.pk}/provenance/"
    corpus.refresh_from_db()
    assert corpus.options == before
    assert corpus.ingests.count() == 2


def test_says_when_the_earlier_files_are_needed_again(as_grace, dumps):
    """At least two comments per profile: one of a file and one of the next make a profile."""
    for rules, needed in (({"min_comments": 2}, True), ({}, False)):
        corpus = make_ingest(make_imported_corpus(**rules), stage="done").corpus
        page = as_grace.get(f"/corpora/{corpus.pk}/import/").content.decode()
        assert ("Include the earlier files too" in page) is needed


def test_a_sample_cannot_grow(as_grace, picked):
    corpus = make_ingest(make_imported_corpus(sample=10), stage="done").corpus
    assert "Add files" not in as_grace.get(f"/corpora/{corpus.pk}/provenance/").content.decode()
    response = as_grace.post(f"/corpora/{corpus.pk}/import/", picked, follow=True)
    assert CANNOT_GROW in messages_of(response)
    assert corpus.ingests.count() == 1
