"""The Celery application. Its tasks name it, so nobody can queue one without its configuration.

Only processes that queue or run tasks import it: it takes as long as everything else that a short command does.
"""

from typing import Any

import pghistory
from celery import Celery, Task
from celery.signals import before_task_publish
from django.conf import settings
from kombu import Queue


class TrackedTask(Task):  # type: ignore[type-arg]
    """Record the task's name and the person who asked for it with every change it makes."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        asked_by = self.request.get("asked_by")
        with pghistory.context(task=self.name, **({"person": asked_by} if asked_by else {})):
            return self.run(*args, **kwargs)


app = Celery("telltale", task_cls=TrackedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_queues = [Queue(settings.CELERY_TASK_DEFAULT_QUEUE), Queue(settings.DETECTION_QUEUE)]


@before_task_publish.connect
def pass_on_person(headers: dict[str, Any], **_: object) -> None:
    """Tell the worker whose request this is, or on whose behalf the calling task runs."""
    with pghistory.context() as history:
        headers["asked_by"] = history.metadata.get("person")
