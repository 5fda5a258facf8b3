"""Endpoints for machines: liveness, readiness, metrics. None of them reveals a secret."""

import hmac
from collections.abc import Callable

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from annotator.core.heartbeat import workers_alive
from annotator.site.metrics import render_metrics

KNOWN_APPLIED: list[bool] = []  # filled once the migrations are known to be applied


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("alive\n", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Return 200 if everything that pages need is available, otherwise 503. Name the missing parts either way.

    Without broker or worker, jobs wait, and pages work.
    """
    checks = {name: _passes(check) for name, check in CHECKS.items()}
    checks["migrations"] = checks["database"] and _passes(
        _migrations_were_applied
    )  # don't wait for a missing server twice
    status = 200 if checks["database"] and checks["migrations"] else 503
    return JsonResponse({name: "ok" if passed else "missing" for name, passed in checks.items()}, status=status)


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not settings.METRICS_TOKEN or not hmac.compare_digest(token.encode(), settings.METRICS_TOKEN.encode()):
        raise Http404
    return HttpResponse(render_metrics(), content_type=CONTENT_TYPE_LATEST)


def _passes(check: Callable[[], bool]) -> bool:
    try:
        return check()
    except (DatabaseError, redis.RedisError):
        return False


def _database_answers() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return True


def _broker_answers() -> bool:
    workers_alive()
    return True


def _worker_is_alive() -> bool:
    return workers_alive() > 0


def _migrations_are_applied() -> bool:
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def _migrations_were_applied() -> bool:
    """Cache a positive answer: reading the migrations is slow, and once applied they stay applied."""
    if not KNOWN_APPLIED and _migrations_are_applied():
        KNOWN_APPLIED.append(True)
    return bool(KNOWN_APPLIED)


CHECKS: dict[str, Callable[[], bool]] = {
    "database": _database_answers,
    "broker": _broker_answers,
    "worker": _worker_is_alive,
}
