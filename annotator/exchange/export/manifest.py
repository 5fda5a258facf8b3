"""What stands beside an export: all that could tell two files apart."""

from datetime import datetime
from typing import Any

from django.conf import settings

from annotator.exchange.export.options import Asked
from annotator.exchange.export.writer import Made
from annotator.exchange.formats.native import SCHEMA
from annotator.exchange.formats.records import format_time
from annotator.models import Format

MANIFEST = "telltale.manifest/1"


def manifest_of(made: Made, asked: Asked, *, corpus: str, file: str, by: str, at: datetime) -> dict[str, Any]:
    """`by` is the code of whoever asked, or empty on the command line. Says nothing of anybody's name."""
    return {
        "schema": MANIFEST,
        "file": file,
        "size": made.size,
        "sha256": made.sha256,
        "corpus": corpus,
        "format": asked.format.value,
        "record_schema": SCHEMA if asked.format == Format.NATIVE else None,
        "filters": asked.to_json(),
        "counts": dict(sorted(made.counts.items())),
        "versions": {
            "telltale": settings.VERSION,
            "guidelines": sorted(made.guidelines),
            "recipe": made.recipe,
        },
        "consensus": made.consensus,
        "snapshot_at": format_time(made.seen_at),
        "made_by": by or None,
        "made_at": format_time(at),
    }
