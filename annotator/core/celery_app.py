"""The Celery application. Tasks are bound to it, so none can be queued without its configuration.

Only processes that queue or run tasks import it: loading Celery takes as long as all the rest of a short command.
"""

from typing import Any

import pghistory
from celery import Celery, Task
from celery.signals import before_task_publish
from django.conf import settings
from kombu import Queue


class TrackedTask(Task):  # type: ignore[type-arg]
    """Every change that a task makes is recorded with the task's name and the person who requested it."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        asked_by = self.request.get("asked_by")
        with pghistory.context(task=self.name, **({"person": asked_by} if asked_by else {})):
            return self.run(*args, **kwargs)


app = Celery("telltale", task_cls=TrackedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.conf.task_queues = [Queue(settings.CELERY_TASK_DEFAULT_QUEUE), Queue(settings.DETECTION_QUEUE)]


@before_task_publish.connect
def pass_on_person(headers: dict[str, Any], **_: object) -> None:
    """Send the person who requested the task along with it, also if another task queues it."""
    with pghistory.context() as history:
        headers["asked_by"] = history.metadata.get("person")
