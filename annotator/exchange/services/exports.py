"""Request an export."""

from functools import partial

from django.db import transaction
from django.http import HttpRequest

from annotator.core.redaction import redact_accounts
from annotator.exchange import tasks
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.services.audit import record_request
from annotator.models import Annotator, Export, Role
from profiles.models import Corpus


class NamesRefused(Exception):
    """Only an admin who gives a reason may export account names."""


def request_export(
    corpus: Corpus, options: ExportOptions, *, by: Annotator, reason: str = "", request: HttpRequest | None = None
) -> Export:
    """Store the request, and queue it for a worker once it is committed."""
    if options.with_names and not (by.has_role(Role.ADMIN) and reason.strip()):
        raise NamesRefused("Only admins can export account names, and they must give a reason.")
    with transaction.atomic():
        redacted = redact_accounts(corpus, reason.strip())[:1000] if options.with_names else ""
        export = Export.objects.create(
            corpus=corpus, format=options.format, options=options.to_json(), with_names=options.with_names,
            reason=redacted, asked_by=by,
        )  # fmt: skip
        record_request(corpus, options, redacted, by=by, request=request, export=export.pk)
        transaction.on_commit(partial(tasks.make_export.delay, export.pk), robust=True)
    return export
