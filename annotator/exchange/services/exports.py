"""Request an export, and record who fetches its file."""

from functools import partial
from typing import Any

from django.db import transaction
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.core.redaction import redact_accounts
from annotator.exchange import tasks
from annotator.exchange.export.options import Asked
from annotator.models import Annotator, AuditEntry, Export, Role
from profiles.models import Corpus


class NamesRefused(Exception):
    """Account names are for an admin who says why."""


def ask_for_export(
    corpus: Corpus, asked: Asked, *, by: Annotator, reason: str = "", request: HttpRequest | None = None
) -> Export:
    """Write down what is wanted, and let a worker begin once that is kept."""
    if asked.with_names and not (by.has_role(Role.ADMIN) and reason.strip()):
        raise NamesRefused("Account names are exported only for an admin who says what they are needed for.")
    with transaction.atomic():
        why = redact_accounts(corpus, reason.strip())[:1000] if asked.with_names else ""
        export = Export.objects.create(
            corpus=corpus, format=asked.format, options=asked.to_json(), with_names=asked.with_names, reason=why,
            asked_by=by,
        )  # fmt: skip
        note_asked(corpus, asked, why, by=by, request=request, export=export.pk)
        transaction.on_commit(partial(tasks.make_export.delay, export.pk), robust=True)
    return export


def note_asked(
    corpus: Corpus,
    asked: Asked,
    reason: str,
    *,
    by: Annotator | None = None,
    request: HttpRequest | None = None,
    **about: object,
) -> None:
    """The entry in the audit log, which names no account."""
    named = {"names": True, "reason": redact_accounts(corpus, reason)} if asked.with_names else {}
    details: dict[str, Any] = {
        "corpus": corpus.pk,
        "format": asked.format.value,
        "text": asked.with_text,
        **named,
        **about,
    }
    record(AuditEntry.Action.EXPORT_STARTED, request=request, actor=by, **details)


def note_fetched(export: Export, *, by: Annotator, request: HttpRequest) -> None:
    record(AuditEntry.Action.EXPORT_FETCHED, request=request, actor=by, export=export.pk, names=export.with_names)
