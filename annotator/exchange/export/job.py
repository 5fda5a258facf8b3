"""Make an export in a worker: build gold, write the file, keep it for a week."""

from collections.abc import Callable
from contextlib import suppress

import structlog
from django.utils import timezone
from django.utils.text import slugify

from annotator.exchange.export.files import FileNotWritten
from annotator.exchange.export.manifest import build_manifest
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.pulse import Pulse
from annotator.exchange.export.storage import KEPT_FOR, make_folder, path_of, sweep_exports
from annotator.exchange.export.writer import ExportSummary, NothingToExport, write_export
from annotator.gold.build import AlreadyBuilding, TakenOver, build_gold
from annotator.models import Export
from profiles.encryption import WrongKey
from profiles.models import Corpus

log = structlog.get_logger(__name__)

WRONG_KEY = (
    "The account names were sealed with another TELLTALE_ACCOUNT_KEY than the one the site has now. No file was made."
)
BROKE = "It stopped because something went wrong on the server; the log says what. No file was made. Ask again."


def run(export_id: int) -> None:
    """Make it once, however often it is asked for."""
    now = timezone.now()
    if not Export.objects.filter(pk=export_id, began_at=None).update(began_at=now, beat_at=now):
        return
    sweep_exports()
    export = Export.objects.select_related("corpus", "asked_by").get(pk=export_id)
    try:
        _make(export)
    except (NothingToExport, FileNotWritten) as stopped:
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


def _make(export: Export) -> None:
    options = ExportOptions.from_json(export.options)
    build_gold_first(export.corpus, lambda done, total: _beat(export))
    make_folder()
    name = slugify(export.corpus.name)[:60] or "corpus"
    export.file_name = f"telltale-{name}-{options.format}-{export.pk}{options.ending}"
    with Pulse(export.pk) as pulse:
        summary = write_export(export.corpus, options, path_of(export), pulse.tell)
    _keep(export, options, summary)


def _beat(export: Export) -> None:
    Export.objects.filter(pk=export.pk).update(beat_at=timezone.now())


def _keep(export: Export, options: ExportOptions, summary: ExportSummary) -> None:
    now, by = timezone.now(), export.asked_by.code if export.asked_by else ""
    export.size, export.sha256, export.expires_at = summary.size, summary.sha256, now + KEPT_FOR
    export.manifest = build_manifest(summary, options, corpus=export.corpus.name, file=export.file_name, by=by, at=now)
    export.done = export.total = summary.counts["profiles"]
    names = ["file_name", "size", "sha256", "expires_at", "manifest", "done", "total", "finished_at"]
    export.finished_at = now
    export.save(update_fields=names)


def _end(export: Export, *, problem: str) -> None:
    log.warning("export stopped", export=export.pk)
    Export.objects.filter(pk=export.pk).update(finished_at=timezone.now(), problem=problem)
