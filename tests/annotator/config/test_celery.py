"""The Celery application knows every task."""

from functools import partial
from pathlib import Path

from django.conf import settings

from annotator.config.celery import FEATURES_WITH_TASKS, SWEEPS, app, sweep

PROJECT = Path(__file__).parents[3]


def test_every_feature_with_tasks_is_listed():
    files = [path for name in ("annotator", "evaluation", "profiles") for path in PROJECT.glob(f"{name}/**/tasks.py")]
    features = {".".join(path.parent.relative_to(PROJECT).parts) for path in files}
    assert features == set(FEATURES_WITH_TASKS)


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
