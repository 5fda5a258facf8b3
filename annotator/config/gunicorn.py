"""Gunicorn configuration: processes of four threads, each process with a small pool of database connections."""

import gc
import os
import shutil
import signal
from pathlib import Path

from django.conf import settings

from annotator.config.gunicorn_logs import ACCESS_LOG_FORMAT, GunicornLogger
from annotator.embedded.home import current_home
from annotator.embedded.process import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.config.settings")
os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(current_home().root / "metrics"))

wsgi_app = "annotator.config.wsgi:application"
worker_class = "annotator.config.web_worker.BufferingWorker"  # slow clients hold no thread
workers = int(os.environ.get("TELLTALE_WEB_PROCESSES", "2"))
threads = 4
preload_app = True
timeout = 60
graceful_timeout = 10
keepalive = 5
max_requests = 20_000
max_requests_jitter = 2_000
limit_request_line = 8190
sendfile = False  # it would wait without end for a client that stops reading
control_socket_disable = True
accesslog = None  # django_structlog logs each request, with its id
access_log_format = ACCESS_LOG_FORMAT
logger_class = GunicornLogger
POOL_IDLE_SECONDS = 10.0  # then one idle connection beyond the first is closed, with its Postgres process


def on_starting(_server: object) -> None:
    _pool_connections()
    folder = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    from profiles.detection.isolation import run_isolated  # noqa: PLC0415 only a starting server needs it
    from profiles.gazetteer import warm  # noqa: PLC0415 likewise

    warm(run_isolated)  # once, before forking: the processes share it
    gc.freeze()  # the collector never has to look at what was loaded: a look took 0.2 s, and copied shared memory


def _pool_connections() -> None:
    """Not in the settings: workers have them too, and bin/up, which must not have the threads of a pool."""
    if settings.DB_POOL:
        pool = {"min_size": 1, "max_size": settings.DB_POOL, "timeout": 10, "max_idle": POOL_IDLE_SECONDS}
        settings.DATABASES["default"].setdefault("OPTIONS", {})["pool"] = pool


def post_fork(_server: object, _worker: object) -> None:
    die_with_parent(signal.SIGKILL)


def child_exit(_server: object, worker: object) -> None:
    from prometheus_client import multiprocess  # noqa: PLC0415 reads the folder's name on import

    multiprocess.mark_process_dead(getattr(worker, "pid", 0))  # type: ignore[no-untyped-call]
