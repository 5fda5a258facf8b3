"""The Celery application, and a worker's signs of life."""

import os
import signal
from typing import Any

import pghistory
from celery import Celery, Task
from celery.signals import (
    before_task_publish,
    heartbeat_sent,
    setup_logging,
    worker_process_init,
    worker_ready,
    worker_shutdown,
)

from annotator.core.heartbeat import beat, is_my_turn, leave
from annotator.embedded.process import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.config.settings")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each worker process is one already; more only wait for each other

FEATURES_WITH_TASKS = [
    "annotator.accounts",
    "annotator.corpora",
    "annotator.detection",
    "annotator.exchange",
    "annotator.gold",
    "evaluation.agreement",
]
SWEEP_EVERY = 15  # seconds, by whichever worker comes first


class NamedTask(Task):  # type: ignore[type-arg]
    """What a task changes is kept together with its name, and with the person who asked for it."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        asked_by = self.request.get("asked_by")
        with pghistory.context(task=self.name, **({"person": asked_by} if asked_by else {})):
            return self.run(*args, **kwargs)


app = Celery("telltale", task_cls=NamedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(FEATURES_WITH_TASKS)


@setup_logging.connect
def keep_our_logging(**_: object) -> None:
    """Django has set up logging already; a receiver here keeps Celery from replacing it."""


@before_task_publish.connect
def tell_who_asks(headers: dict[str, Any], **_: object) -> None:
    """The person whose request this is, or on whose behalf another task runs; nobody, otherwise."""
    with pghistory.context() as history:
        headers["asked_by"] = history.metadata.get("person")


@worker_process_init.connect
def end_with_the_worker(**_: object) -> None:
    """A pool process must not outlive a worker that was killed."""
    die_with_parent(signal.SIGKILL)


@worker_ready.connect
@heartbeat_sent.connect
def tell_we_live(sender: object = None, **_: object) -> None:
    beat(_hostname(sender))
    if is_my_turn("sweep", every=SWEEP_EVERY):
        app.send_task("annotator.detection.tasks.sweep_detection", expires=SWEEP_EVERY)


@worker_shutdown.connect
def tell_we_leave(sender: object = None, **_: object) -> None:
    leave(_hostname(sender))


def _hostname(sender: object) -> str:
    eventer = getattr(sender, "eventer", None)
    return str(getattr(sender, "hostname", None) or getattr(eventer, "hostname", "worker"))
