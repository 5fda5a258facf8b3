"""Make an export in a worker: build gold, write the file, keep it for a week."""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import structlog
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.text import slugify

from annotator.exchange.export.files import FileNotWritten
from annotator.exchange.export.manifest import build_manifest
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.storage import KEPT_FOR, make_folder, path_of, sweep_exports
from annotator.exchange.export.writer import ExportSummary, NothingToExport, Report, write_export
from annotator.gold.build import build_gold
from annotator.models import Export, Format
from profiles.encryption import WrongKey
from profiles.jobs.claims import JobLost, NotFree, fail, finish
from profiles.jobs.heartbeat import Heartbeat, work_on
from profiles.models import Corpus

Write = Callable[[Corpus, ExportOptions, Path, Report], ExportSummary]

log = structlog.get_logger(__name__)

WRONG_KEY = "The account names were encrypted with a different TELLTALE_ACCOUNT_KEY. No file was created."
PATIENCE = 60  # seconds to wait for another build of the same gold
# Writers of apps that stand above this one and import it: they are named by dotted paths.
WRITERS = {Format.DATASET: "evaluation.datasets.archive.write_archive"}
BROKE = "The export stopped because of a server error; the details are in the log. No file was created. Export again."


def run(export_id: int) -> None:
    """Make the export once, however often it is requested."""
    export = Export.objects.select_related("corpus", "asked_by").get(pk=export_id)
    with suppress(NotFree, JobLost), work_on(export, broke=BROKE) as heartbeat:
        sweep_exports()
        try:
            _make(export, heartbeat)
        except (NothingToExport, FileNotWritten) as stopped:
            _fail(export, str(stopped))
        except WrongKey:
            _fail(export, WRONG_KEY)


def build_gold_first(corpus: Corpus, tell: Callable[[int, int], object] | None = None) -> None:
    """Build gold from everything judged so far. Wait a while for a build that is running.

    Gold that is still older than its judgements afterwards is left out of the export.
    """
    for _ in range(PATIENCE):
        with suppress(NotFree, JobLost):
            build_gold(corpus, tell=tell)
            return
        time.sleep(1)


def _make(export: Export, heartbeat: Heartbeat[Export]) -> None:
    options = ExportOptions.from_json(export.options)
    build_gold_first(export.corpus)
    make_folder()
    name = slugify(export.corpus.name)[:60] or "corpus"
    export.file_name = f"telltale-{name}-{options.format}-{export.pk}{options.ending}"
    write = _writer(options.format)
    summary = write(export.corpus, options, path_of(export), heartbeat.tell)
    _keep(export, options, summary)


def _writer(form: Format) -> Write:
    write: Write = import_string(WRITERS[form]) if form in WRITERS else write_export
    return write


def _keep(export: Export, options: ExportOptions, summary: ExportSummary) -> None:
    now, by, profiles = timezone.now(), export.asked_by.code if export.asked_by else "", summary.counts["profiles"]
    manifest = build_manifest(summary, options, corpus=export.corpus.name, file=export.file_name, by=by, at=now)
    finish(
        export, file_name=export.file_name, size=summary.size, sha256=summary.sha256, manifest=manifest, done=profiles,
        total=profiles, expires_at=now + KEPT_FOR,
    )  # fmt: skip


def _fail(export: Export, problem: str) -> None:
    log.warning("export stopped", export=export.pk)
    fail(export, problem)
