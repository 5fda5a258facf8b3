"""Web pages request ingests; only workers import the libraries that run them."""

import subprocess
import sys

import pytest

HEAVY = ("duckdb", "ibis", "numpy", "openpyxl", "pandas", "presidio_analyzer", "pyarrow", "spacy")
LOOK_AFTER = f"import sys, django; django.setup(); import {{}}; print([m for m in {HEAVY} if m in sys.modules])"
LOOK = (
    "import sys, django; django.setup(); from django.urls import get_resolver; get_resolver().url_patterns; "
    "from annotator.config.celery import app; app.loader.import_default_modules(); "
    "print([name for name in ('duckdb', 'ibis', 'pyarrow') if name in sys.modules])"
)


def test_pages_and_tasks_load_without_the_engines():
    """They take half a second and 80 MB, in every web process and for every command."""
    looked = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    assert looked.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("module", "needed"),
    [
        ("annotator.management.commands.up", []),
        ("annotator.management.commands.export_gold", []),
        ("annotator.management.commands.import_labels", []),
        ("profiles.bulk_load", ["numpy", "pyarrow"]),
    ],
)
def test_commands_load_only_what_they_need(module, needed):
    looked = subprocess.run(
        [sys.executable, "-c", LOOK_AFTER.format(module)], capture_output=True, text=True, check=True
    )
    assert looked.stdout.strip() == str(needed)
