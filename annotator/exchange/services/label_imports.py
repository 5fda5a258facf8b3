"""Request an import of labels from another study."""

from functools import partial
from pathlib import Path
from typing import Any

from django.db import transaction
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.exchange import tasks
from annotator.models import Annotator, AuditEntry, Format, LabelImport
from profiles.models import Corpus

NOT_READY = "This corpus is still being made. Wait until it is complete, then import again."


class ImportRefused(Exception):
    """The import was not started; the message says why."""


def request_import(
    path: Path, file_format: Format, corpus_name: str, *, by: Annotator | None, request: HttpRequest | None = None
) -> LabelImport:
    """Request an import into the corpus of this name, or a new one. Raises ImportRefused."""
    with transaction.atomic():
        label_import = LabelImport.objects.create(
            corpus=_corpus(corpus_name, file_format), format=file_format, name=path.name[:200], asked_by=by,
            total=path.stat().st_size,
        )  # fmt: skip
        details: dict[str, Any] = {
            "label_import": label_import.pk,
            "corpus": label_import.corpus_id,
            "format": file_format.value,
        }
        record(AuditEntry.Action.LABELS_IMPORTED, request=request, actor=by, **details)
    return label_import


def start_in_background(label_import: LabelImport) -> None:
    transaction.on_commit(partial(tasks.import_labels.delay, label_import.pk), robust=True)


def _corpus(name: str, file_format: Format) -> Corpus:
    options = {"made_by": "annotator.exchange", "format": file_format.value}
    corpus, is_new = Corpus.objects.get_or_create(name=name, defaults={"options": options})
    is_ours = corpus.options.get("made_by") == "annotator.exchange"
    if not is_new and not corpus.ready_at and not is_ours:
        raise ImportRefused(NOT_READY)
    return corpus
