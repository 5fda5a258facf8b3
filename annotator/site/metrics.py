"""Prometheus metrics about requests and about the study."""

import os
import time
from collections.abc import Callable, Iterator

from django.db import connection
from django.http import HttpRequest, HttpResponse
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY, Collector

from annotator.core.heartbeat import workers_alive

REQUESTS = Counter("telltale_requests_total", "Requests answered.", ["view", "method", "status"])
SECONDS = Histogram("telltale_request_seconds", "Seconds to answer a request.", ["view"])
TABLES = ("annotator_assignment", "annotator_judgement", "profiles_comment", "profiles_detection", "profiles_profile")


class MetricsMiddleware:
    """Count and time requests by view, never by URL: URLs identify people."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self.get_response(request)
        view = (request.resolver_match.view_name if request.resolver_match else "") or "unknown"
        REQUESTS.labels(view, request.method or "", str(response.status_code)).inc()
        SECONDS.labels(view).observe(time.perf_counter() - began)
        return response


class StudyCollector(Collector):
    """Count rows by Postgres's estimates, which cost the same for a thousand rows and for a billion."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        rows = GaugeMetricFamily("telltale_rows", "Rows, as estimated by Postgres.", labels=["table"])
        for table, estimate in _row_estimates():
            rows.add_metric([table], estimate)
        yield rows
        yield GaugeMetricFamily(
            "telltale_workers_alive", "Workers with a heartbeat in the last 30 s.", value=workers_alive()
        )


def render_metrics() -> bytes:
    """The metrics of all gunicorn processes, or of this process without gunicorn."""
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        requests = CollectorRegistry()
        MultiProcessCollector(requests)  # type: ignore[no-untyped-call]
    else:
        requests = REGISTRY
    study = CollectorRegistry()
    study.register(StudyCollector())
    return generate_latest(requests) + generate_latest(study)


def _row_estimates() -> list[tuple[str, float]]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname, greatest(reltuples, 0) FROM pg_class WHERE relkind = 'r' AND relname = ANY(%s)"
            " ORDER BY relname",
            [list(TABLES)],
        )
        return list(cursor.fetchall())
