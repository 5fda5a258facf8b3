"""The manifest beside an export: everything that could make two files differ."""

from datetime import datetime
from typing import Any

from django.conf import settings

from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.writer import ExportSummary
from annotator.exchange.formats.native import SCHEMA
from annotator.exchange.formats.records import format_time
from annotator.models import Format

MANIFEST = "telltale.manifest/1"


def build_manifest(
    summary: ExportSummary, options: ExportOptions, *, corpus: str, file: str, by: str, at: datetime
) -> dict[str, Any]:
    """`by` is the code of the person, or empty on the command line. Contains no names of people."""
    return {
        "schema": MANIFEST,
        "file": file,
        "size": summary.size,
        "sha256": summary.sha256,
        "corpus": corpus,
        "format": options.format.value,
        "record_schema": SCHEMA if options.format == Format.NATIVE else None,
        "filters": options.to_json(),
        "counts": dict(sorted(summary.counts.items())),
        "versions": {
            "telltale": settings.VERSION,
            "guidelines": sorted(summary.guidelines),
            "imported_guidelines": sorted(summary.imported_guidelines),
            "recipe": summary.recipe,
        },
        "consensus": summary.consensus,
        "snapshot_at": format_time(summary.snapshot_at),
        "made_by": by or None,
        "made_at": format_time(at),
    }
