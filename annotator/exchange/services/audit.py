"""Record exports and downloads in the audit log. A separate module, so that commands needn't load Celery."""

from typing import Any

from django.http import HttpRequest

from annotator.core.audit import record
from annotator.core.redaction import redact_accounts
from annotator.exchange.export.options import ExportOptions
from annotator.models import Annotator, AuditEntry, Export
from profiles.models import Corpus


def record_request(
    corpus: Corpus,
    options: ExportOptions,
    reason: str,
    *,
    by: Annotator | None = None,
    request: HttpRequest | None = None,
    **extra: object,
) -> None:
    """Write the audit log, without account names."""
    names = {"names": True, "reason": redact_accounts(corpus, reason)} if options.with_names else {}
    details: dict[str, Any] = {
        "corpus": corpus.pk,
        "format": options.format.value,
        "text": options.with_text,
        **names,
        **extra,
    }
    record(AuditEntry.Action.EXPORT_STARTED, request=request, actor=by, **details)


def record_download(export: Export, *, by: Annotator, request: HttpRequest) -> None:
    record(AuditEntry.Action.EXPORT_FETCHED, request=request, actor=by, export=export.pk, names=export.with_names)
