"""Renaming, archiving and restoring corpora, on the page and on the command line."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotator.core.lookups import corpora_named
from annotator.models import AuditEntry
from profiles.ingest.plan import ARCHIVED, IngestRefused
from profiles.ingest.requests import request_ingest
from profiles.models import Corpus
from tests.annotator.corpora.dumps import make_imported_corpus, make_ingest
from tests.factories import make_batch, make_corpus, make_profile

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus() -> Corpus:
    return make_profile(corpus=make_corpus("autumn")).corpus


def changes() -> list[str]:
    entries = AuditEntry.objects.filter(action=AuditEntry.Action.CORPUS_CHANGED).order_by("pk")
    return [entry.details["change"] for entry in entries]


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_renames(corpus, as_grace, grace):
    path = f"/corpora/{corpus.pk}/settings/"
    assert as_grace.get(path).status_code == 200
    assert as_grace.post(path, {"name": "winter"})["Location"] == path
    assert Corpus.objects.get().name == "winter"
    entry = AuditEntry.objects.get(action=AuditEntry.Action.CORPUS_CHANGED)
    assert entry.details == {"corpus": corpus.pk, "change": "renamed", "was": "autumn", "now": "winter"}
    assert entry.actor == grace
    as_grace.post(path, {"name": "winter"})
    assert changes() == ["renamed"]


@pytest.mark.parametrize("name", ["", "x" * 101, "taken", "nul\x00"])
def test_refuses_names_that_cannot_be(corpus, as_grace, name):
    make_corpus("taken")
    response = as_grace.post(f"/corpora/{corpus.pk}/settings/", {"name": name})
    assert response.status_code == 422
    assert response.context["form"].errors["name"]
    with pytest.raises(CommandError):
        run("rename_corpus", "autumn", name)
    assert Corpus.objects.filter(name="autumn").exists()
    assert changes() == []


def test_archived_corpora_leave_the_lists_and_stay_readable(corpus, as_grace):
    as_grace.post(f"/corpora/{corpus.pk}/archive/")
    as_grace.post(f"/corpora/{corpus.pk}/archive/")
    assert changes() == ["archived"]
    assert as_grace.get(f"/corpora/{corpus.pk}/").status_code == 200
    page = as_grace.get("/corpora/")
    assert [(row.name, row.state) for row in page.context["page"]] == [("autumn", "archived")]
    assert as_grace.get("/").context["study"].corpora == []
    assert corpus not in as_grace.get("/batches/new/").context["form"].fields["corpus"].queryset
    as_grace.post(f"/corpora/{corpus.pk}/restore/")
    assert [row.state for row in as_grace.get("/corpora/").context["page"]] == ["ready"]
    assert changes() == ["archived", "restored"]
    assert corpora_named(None) == [corpus]


def test_nothing_is_added_to_an_archived_corpus(tmp_path):
    corpus = make_imported_corpus("autumn")
    run("archive_corpus", "autumn")
    with pytest.raises(IngestRefused, match=ARCHIVED.format(name="autumn")):
        request_ingest("autumn", None, [])
    assert run("archive_corpus", "autumn", "--restore") == "restored “autumn”\n"
    assert request_ingest("autumn", None, []).corpus == corpus


@pytest.mark.parametrize("kind", ["open batch", "running import"])
def test_what_is_in_use_is_not_archived(corpus, as_grace, kind):
    if kind == "open batch":
        make_batch(corpus=corpus)
    else:
        make_ingest(corpus)
    as_grace.post(f"/corpora/{corpus.pk}/archive/")
    with pytest.raises(CommandError):
        run("archive_corpus", "autumn")
    assert not Corpus.objects.archived().exists()
    assert changes() == []


def test_commands(corpus):
    assert run("rename_corpus", "autumn", "winter") == "“autumn” is now “winter”\n"
    assert run("archive_corpus", "winter") == "archived “winter”\n"
    assert run("archive_corpus", "winter") == "“winter” was already archived\n"
    with pytest.raises(CommandError, match="winter"):
        run("rename_corpus", "autumn", "spring")


def test_only_admins_may(corpus, client, ada, rosalind):
    for person in (ada, rosalind):
        client.force_login(person)
        assert client.get(f"/corpora/{corpus.pk}/settings/").status_code == 404
        for action in ("settings", "archive", "restore"):
            assert client.post(f"/corpora/{corpus.pk}/{action}/", {"name": "x"}).status_code == 404
    assert changes() == []


def test_refuses_wrong_methods(corpus, as_grace):
    for action in ("archive", "restore"):
        assert as_grace.get(f"/corpora/{corpus.pk}/{action}/").status_code == 405
