"""A labelling site for `labelling_compare`, from the checkout that PYTHONPATH names: study, servers, web and worker.

It answers commands on its standard input, one line of JSON each: `seats`, `detect`, `rest`.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

SEATS = 8
WORKER = ["-m", "celery", "-A", "annotator.config", "worker", "--without-mingle", "--without-gossip", "--concurrency=2"]


def main() -> None:
    from tests.benchmarks.labelling_page import server
    from tests.benchmarks.labelling_study import make_study
    from tests.benchmarks.table import set_up

    set_up()
    study = make_study()
    with server() as (port, web), _worker() as worker:
        _answer(port=port, pids={"gunicorn": web, "worker": worker} | _server_pids())
        for number, line in enumerate(sys.stdin):
            commands = {"seats": lambda: _seats(study, f"pool {number}"), "detect": _detect, "rest": _rest}  # noqa: B023
            _answer(result=commands[line.strip()]())


def _from(name: str, *modules: str) -> Any:
    """Something that older checkouts have in another module: from the first that exists."""
    for module in modules:
        try:
            return getattr(import_module(module), name)
        except ModuleNotFoundError:
            continue
    raise ModuleNotFoundError(name)


def _answer(**said: Any) -> None:
    print(json.dumps(said), flush=True)


@contextmanager
def _worker() -> Iterator[int]:
    from django.conf import settings

    start, stop = (_from(name, "annotator.embedded.process", "annotator.running.process") for name in ("start", "stop"))
    worker = start([sys.executable, *WORKER], log=settings.HOME.logs / "worker.log")
    try:
        yield worker.pid
    finally:
        stop(worker)


def _server_pids() -> dict[str, int]:
    import redis
    from django.conf import settings

    postgres = Path(settings.HOME.postgres / "data" / "postmaster.pid").read_text().split()[0]
    valkey: Any = redis.Redis(unix_socket_path=str(settings.HOME.valkey_socket)).info("server")
    return {"postgres": int(postgres), "valkey": int(valkey["process_id"])}


def _seats(study: Any, name: str) -> list[tuple[int, dict[str, str]]]:
    """Evaluators who share a new pool, each with a first profile claimed: its id, and their cookies."""
    from tests.benchmarks.labelling_page import signed_in
    from tests.benchmarks.labelling_study import make_batch, make_evaluators

    claim_next = _from("claim_next", "annotator.batches.claims", "annotator.services.batches")
    batch = make_batch(study, name, study.ordinary, overlap=5)
    people = make_evaluators(SEATS, name)
    return [(claim_next(batch=batch, annotator=person).pk, signed_in(person)) for person in people]


def _detect() -> None:
    """Start a detection run over the study, or continue it."""
    from profiles.models import Corpus

    start_run = _from("start_run", "annotator.detection.services", "annotator.services.detection")
    start_run(Corpus.objects.get(name="benchmark"))


def _rest() -> None:
    from profiles.models import DetectionRun

    cancel = _from("cancel", "annotator.detection.services", "annotator.services.detection")
    for run in DetectionRun.objects.filter(finished_at=None, cancelled_at=None):
        cancel(run)


if __name__ == "__main__":
    main()
