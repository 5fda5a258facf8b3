"""The Celery application, and a worker's signs of life."""

import os
import signal

from celery import Celery
from celery.signals import heartbeat_sent, setup_logging, worker_process_init, worker_ready, worker_shutdown

from annotator.heartbeat import beat, is_my_turn, leave
from annotator.running.process import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.config.settings")

SWEEP_EVERY = 15  # seconds, by whichever worker comes first

app = Celery("telltale")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def keep_our_logging(**_: object) -> None:
    """Django has set up logging already; a receiver here keeps Celery from replacing it."""


@worker_process_init.connect
def end_with_the_worker(**_: object) -> None:
    """A pool process must not outlive a worker that was killed."""
    die_with_parent(signal.SIGKILL)


@worker_ready.connect
@heartbeat_sent.connect
def tell_we_live(sender: object = None, **_: object) -> None:
    beat(_hostname(sender))
    if is_my_turn("sweep", every=SWEEP_EVERY):
        app.send_task("annotator.tasks.sweep_detection", expires=SWEEP_EVERY)


@worker_shutdown.connect
def tell_we_leave(sender: object = None, **_: object) -> None:
    leave(_hostname(sender))


def _hostname(sender: object) -> str:
    eventer = getattr(sender, "eventer", None)
    return str(getattr(sender, "hostname", None) or getattr(eventer, "hostname", "worker"))
