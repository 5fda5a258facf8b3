"""Rename, archive and restore corpora."""

from typing import Any

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry, Batch
from profiles.models import Corpus

NAME_TAKEN = "There is already a corpus called “{name}”. Nothing was changed."
OPEN_BATCHES = "People are labelling profiles of “{name}”. Close these batches first: {batches}."
BEING_MADE = "“{name}” is being imported right now. Wait until the import has finished."


class CorpusRefused(Exception):
    """The corpus cannot be changed like this. The message says why and what to do."""


def rename_corpus(
    corpus: Corpus, name: str, *, by: Annotator | None = None, request: HttpRequest | None = None
) -> bool:
    """Rename the corpus; return whether the name differed."""
    old = corpus.name
    try:
        with transaction.atomic():
            is_changed = Corpus.objects.filter(pk=corpus.pk).exclude(name=name).update(name=name) == 1
            if is_changed:
                details: dict[str, Any] = {"corpus": corpus.pk, "change": "renamed", "was": old, "now": name}
                record(AuditEntry.Action.CORPUS_CHANGED, request=request, actor=by, **details)
    except IntegrityError as error:
        raise CorpusRefused(NAME_TAKEN.format(name=name)) from error
    corpus.name = name
    return is_changed


def archive_corpus(corpus: Corpus, *, by: Annotator | None = None, request: HttpRequest | None = None) -> bool:
    """Put the corpus away; return whether it was not archived before."""
    with transaction.atomic():
        locked = Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
        refuse_if_in_use(locked)
        is_changed = Corpus.objects.filter(pk=corpus.pk, archived_at=None).update(archived_at=timezone.now()) == 1
        if is_changed:
            record(AuditEntry.Action.CORPUS_CHANGED, request=request, actor=by, corpus=corpus.pk, change="archived")
    return is_changed


def restore_corpus(corpus: Corpus, *, by: Annotator | None = None, request: HttpRequest | None = None) -> bool:
    with transaction.atomic():
        is_changed = Corpus.objects.archived().filter(pk=corpus.pk).update(archived_at=None) == 1
        if is_changed:
            record(AuditEntry.Action.CORPUS_CHANGED, request=request, actor=by, corpus=corpus.pk, change="restored")
    return is_changed


def refuse_if_in_use(corpus: Corpus) -> None:
    """Raise CorpusRefused while files are read into the corpus or people label its profiles. 2 queries."""
    if corpus.ingests.running().exists():
        raise CorpusRefused(BEING_MADE.format(name=corpus.name))
    names = Batch.objects.open().filter(corpus=corpus).order_by("pk").values_list("name", flat=True)
    if batches := ", ".join(f"“{name}”" for name in names):
        raise CorpusRefused(OPEN_BATCHES.format(name=corpus.name, batches=batches))
