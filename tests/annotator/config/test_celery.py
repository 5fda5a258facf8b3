"""The Celery application knows every task, and every task knows it."""

import subprocess
import sys
from functools import partial
from pathlib import Path

from django.conf import settings

from annotator.config.celery import FEATURES_WITH_TASKS, SWEEPS, app, sweep

PROJECT = Path(__file__).parents[3]


def test_every_feature_with_tasks_is_listed():
    files = [path for name in ("annotator", "evaluation", "profiles") for path in PROJECT.glob(f"{name}/**/tasks.py")]
    features = {".".join(path.parent.relative_to(PROJECT).parts) for path in files}
    assert features == set(FEATURES_WITH_TASKS)


# Each module in a process of its own: in this one, Celery takes the application for its default.
OWNERS = """
import importlib, os, sys, django
django.setup()
for module in sys.argv[1:]:
    if os.fork() == 0:
        from celery.local import Proxy
        tasks = [value for value in vars(importlib.import_module(module)).values() if isinstance(value, Proxy)]
        print(module, *sorted({f"{task.app.main}@{task.app.conf.broker_url}" for task in tasks}), flush=True)
        os._exit(0)
    os.wait()
"""


def test_tasks_are_queued_with_our_configuration_whoever_imports_them():
    modules = [f"{feature}.tasks" for feature in FEATURES_WITH_TASKS]
    output = subprocess.run([sys.executable, "-c", OWNERS, *modules], capture_output=True, text=True, check=True).stdout
    ours = f"telltale@{settings.CELERY_BROKER_URL}"
    assert dict(line.split(maxsplit=1) for line in output.splitlines()) == dict.fromkeys(modules, ours)


def test_tasks_that_are_sent_or_routed_by_name_exist():
    app.loader.import_default_modules()
    assert {*settings.CELERY_TASK_ROUTES, *SWEEPS, sweep.name} <= set(app.tasks)


def test_a_sweep_that_fails_stops_no_other(monkeypatch):
    app.loader.import_default_modules()
    calls = []

    def fail():
        calls.append("failing")
        raise OSError

    for name in SWEEPS:
        monkeypatch.setattr(app.tasks[name], "run", partial(calls.append, name))
    monkeypatch.setattr(app.tasks[SWEEPS[0]], "run", fail)
    sweep()
    assert calls == ["failing", *SWEEPS[1:]]
