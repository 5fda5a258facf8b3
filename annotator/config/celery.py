"""What the Celery workers run, and their heartbeat."""

import gc
import signal
from resource import RUSAGE_SELF, getrusage
from typing import Any

from celery.signals import (
    celeryd_init,
    heartbeat_sent,
    setup_logging,
    worker_init,
    worker_process_init,
    worker_ready,
    worker_shutdown,
)

from annotator.core.celery_app import app
from annotator.embedded.process import die_with_parent, give_way

FEATURES_WITH_TASKS = [
    "annotator.accounts",
    "annotator.corpora",
    "annotator.deletion",
    "annotator.detection",
    "annotator.exchange",
    "annotator.gold",
    "annotator.privacy",
    "evaluation.agreement",
    "evaluation.inference.demo",
    "evaluation.defences.demo",
    "evaluation.proposals",
    "evaluation.runs",
    "evaluation.spans.demo",
]
MOST_GROWTH = 10_000  # kB: a pool process that took more in a task ends, which gives it back; a copy takes its place
SWEEP_EVERY = 15  # seconds, by whichever worker comes first
SWEEP_EXPIRES = 60  # after so long in the queue there are newer ones
SWEEPS = [
    "annotator.corpora.tasks.sweep_ingests",
    "annotator.deletion.tasks.sweep_deletions",
    "annotator.detection.tasks.sweep_detection",
    "annotator.exchange.tasks.sweep_files",
    "evaluation.proposals.tasks.sweep_searches",
    "evaluation.runs.tasks.sweep_evaluations",
]


app.autodiscover_tasks(FEATURES_WITH_TASKS)


@app.task(ignore_result=True)
def sweep() -> None:
    """Do all sweeps in one task: busy workers did not get to six before they expired. One that fails stops no other."""
    for name in SWEEPS:
        app.tasks[name].apply()


@setup_logging.connect
def keep_our_logging(**_: object) -> None:
    """Do nothing: Django has set up logging already, and a receiver here keeps Celery from replacing it."""


@celeryd_init.connect
def keep_pool_small(conf: Any, **_: object) -> None:
    conf.worker_max_memory_per_child = getrusage(RUSAGE_SELF).ru_maxrss + MOST_GROWTH


@worker_init.connect
def let_people_go_first(**_: object) -> None:
    """Pages answer as fast as ever while a worker analyses a corpus."""
    give_way()


@worker_init.connect
def share_with_pool(**_: object) -> None:
    """Load once, before forking, what each pool process would otherwise load into its own memory."""
    from billiard.util import get_pdeathsig  # type: ignore[attr-defined]  # noqa: PLC0415 only in a worker

    get_pdeathsig()  # it uses cffi, whose C parser takes 8 MB
    gc.freeze()  # or the collector would write to what the pool processes share


@worker_process_init.connect
def die_with_worker(**_: object) -> None:
    """Make sure that a pool process does not outlive a killed worker."""
    die_with_parent(signal.SIGKILL)


@worker_ready.connect
@heartbeat_sent.connect
def report_alive(sender: object = None, **_: object) -> None:
    from annotator.core.heartbeat import beat, claim_turn  # noqa: PLC0415 redis, which not every command pays for

    beat(_hostname(sender))
    if claim_turn("sweep", every=SWEEP_EVERY):
        sweep.apply_async(expires=SWEEP_EXPIRES)


@worker_shutdown.connect
def report_shutdown(sender: object = None, **_: object) -> None:
    from annotator.core.heartbeat import leave  # noqa: PLC0415 likewise

    leave(_hostname(sender))


def _hostname(sender: object) -> str:
    eventer = getattr(sender, "eventer", None)
    return str(getattr(sender, "hostname", None) or getattr(eventer, "hostname", "worker"))
