"""Asking for an export, making it in a worker, and letting its file go when its time is over."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import slugify

from annotator import tasks
from annotator.core.audit import record
from annotator.core.redaction import without_accounts
from annotator.exchange.export.files import PART, NotWritten
from annotator.exchange.export.manifest import manifest_of
from annotator.exchange.export.options import Asked
from annotator.exchange.export.pulse import Pulse
from annotator.exchange.export.writer import Made, NothingToExport, make_export
from annotator.gold.build import AlreadyBuilding, TakenOver, build_gold
from annotator.models import Annotator, AuditEntry, Export, Role
from profiles.encryption import WrongKey
from profiles.models import Corpus

log = structlog.get_logger(__name__)

KEPT_FOR = timedelta(days=7)
A_DAY = 24 * 3600
WRONG_KEY = (
    "The account names were sealed with another TELLTALE_ACCOUNT_KEY than the one the site has now. No file was made."
)
BROKE = "It stopped because something went wrong on the server; the log says what. No file was made. Ask again."


class NamesRefused(Exception):
    """Account names are for an admin who says why."""


def ask_for_export(
    corpus: Corpus, asked: Asked, *, by: Annotator, reason: str = "", request: HttpRequest | None = None
) -> Export:
    """Write down what is wanted, and let a worker begin once that is kept."""
    if asked.with_names and not (by.has_role(Role.ADMIN) and reason.strip()):
        raise NamesRefused("Account names are exported only for an admin who says what they are needed for.")
    with transaction.atomic():
        why = without_accounts(corpus, reason.strip())[:1000] if asked.with_names else ""
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
    named = {"names": True, "reason": without_accounts(corpus, reason)} if asked.with_names else {}
    details: dict[str, Any] = {
        "corpus": corpus.pk,
        "format": asked.format.value,
        "text": asked.with_text,
        **named,
        **about,
    }
    record(AuditEntry.Action.EXPORT_STARTED, request=request, actor=by, **details)


def run(export_id: int) -> None:
    """Make it once, however often it is asked for."""
    now = timezone.now()
    if not Export.objects.filter(pk=export_id, began_at=None).update(began_at=now, beat_at=now):
        return
    sweep_exports()
    export = Export.objects.select_related("corpus", "asked_by").get(pk=export_id)
    try:
        _make(export)
    except (NothingToExport, NotWritten) as stopped:
        _end(export, problem=str(stopped))
    except WrongKey:
        _end(export, problem=WRONG_KEY)
    except BaseException:
        _end(export, problem=BROKE)
        raise


def build_gold_first(corpus: Corpus, tell: Callable[[int, int], object] | None = None) -> None:
    """What was said until now becomes gold. Where another run is at it, the export takes what is there."""
    with suppress(AlreadyBuilding, TakenOver):
        build_gold(corpus, tell=tell)


def sweep_exports() -> int:
    """Remove files whose time is over, and what a killed worker left half done. 1 query, or 2."""
    over = list(Export.objects.exclude(file_name="").filter(expires_at__lte=timezone.now()))
    for export in over:
        path_of(export).unlink(missing_ok=True)
    if over:
        Export.objects.filter(pk__in=[export.pk for export in over]).update(file_name="")
    _remove_parts()
    return len(over)


def drop_exports(corpus_ids: list[int]) -> int:
    """Remove the files of these corpora at once: an account of theirs is to be forgotten."""
    kept = Export.objects.exclude(file_name="").filter(corpus__in=corpus_ids)
    kept.update(expires_at=timezone.now())
    return sweep_exports()


def note_fetched(export: Export, *, by: Annotator, request: HttpRequest) -> None:
    record(AuditEntry.Action.EXPORT_FETCHED, request=request, actor=by, export=export.pk, names=export.with_names)


def path_of(export: Export) -> Path:
    return Path(settings.EXPORTS) / export.file_name


def _make(export: Export) -> None:
    asked, folder = Asked.from_json(export.options), Path(settings.EXPORTS)
    build_gold_first(export.corpus, lambda done, total: _beat(export))
    _make_folder(folder)
    name = slugify(export.corpus.name)[:60] or "corpus"
    export.file_name = f"telltale-{name}-{asked.format}-{export.pk}{asked.ending}"
    with Pulse(export.pk) as pulse:
        made = make_export(export.corpus, asked, path_of(export), pulse.tell)
    _keep(export, asked, made)


def _beat(export: Export) -> None:
    Export.objects.filter(pk=export.pk).update(beat_at=timezone.now())


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise NotWritten(f"The folder for exports cannot be made: {error.strerror}.") from error


def _keep(export: Export, asked: Asked, made: Made) -> None:
    now, by = timezone.now(), export.asked_by.code if export.asked_by else ""
    export.size, export.sha256, export.expires_at = made.size, made.sha256, now + KEPT_FOR
    export.manifest = manifest_of(made, asked, corpus=export.corpus.name, file=export.file_name, by=by, at=now)
    export.done = export.total = made.counts["profiles"]
    names = ["file_name", "size", "sha256", "expires_at", "manifest", "done", "total", "finished_at"]
    export.finished_at = now
    export.save(update_fields=names)


def _end(export: Export, *, problem: str) -> None:
    log.warning("export stopped", export=export.pk)
    Export.objects.filter(pk=export.pk).update(finished_at=timezone.now(), problem=problem)


def _remove_parts() -> None:
    folder, now = Path(settings.EXPORTS), timezone.now().timestamp()
    for part in folder.glob(f"{PART}*"):
        with suppress(FileNotFoundError):
            if part.stat().st_mtime < now - A_DAY:
                part.unlink()
