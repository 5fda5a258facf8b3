"""What processes can share is loaded before they are forked, and nothing else is."""

import json
import os
import subprocess
import sys

BEGIN = """
import json, sys
from importlib import import_module
"""
LOAD = """
import django
django.setup()
from annotator.management.commands.up import NEEDED_BY_COPIES
for module in NEEDED_BY_COPIES:
    import_module(module)
print(json.dumps(sorted({module.partition(".")[0] for module in sys.modules})))
"""
START_POOL_PROCESS = """
from celery import platforms
from annotator.config.celery import share_with_pool
share_with_pool()
before = set(sys.modules)
platforms.set_pdeathsig("SIGKILL")
print(json.dumps(sorted(set(sys.modules) - before)))
"""
FOR_TERMINALS = {"click_repl", "prompt_toolkit"}


def run(code: str) -> set[str]:
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "annotator.config.settings"}
    command = [sys.executable, "-c", BEGIN + code]
    return set(json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=env).stdout))


def test_bin_up_loads_no_library_for_terminals():
    loaded = run(LOAD)
    assert {"gunicorn", "celery", "psycopg_pool"} <= loaded
    assert not loaded & FOR_TERMINALS


def test_a_pool_process_loads_nothing_for_itself():
    assert run(START_POOL_PROCESS) == set()
