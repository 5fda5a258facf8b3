"""The Celery application knows every task."""

from pathlib import Path

from django.conf import settings

from annotator.config.celery import FEATURES_WITH_TASKS, app

PROJECT = Path(__file__).parents[3]


def test_every_feature_with_tasks_is_listed():
    files = [path for name in ("annotator", "evaluation", "profiles") for path in PROJECT.glob(f"{name}/**/tasks.py")]
    features = {".".join(path.parent.relative_to(PROJECT).parts) for path in files}
    assert features == set(FEATURES_WITH_TASKS)


def test_tasks_that_are_sent_or_routed_by_name_exist():
    app.loader.import_default_modules()
    assert {*settings.CELERY_TASK_ROUTES, "annotator.detection.tasks.sweep_detection"} <= set(app.tasks)
