"""The workers' heartbeat, kept in the broker. A worker counts as gone half a minute after its last beat."""

import time

import redis
from django.conf import settings

from annotator.core.cache import CONNECTION, UNREACHABLE

WORKERS_KEY = "telltale:workers"
BEAT_TIMEOUT = 30.0


def beat(worker: str) -> None:
    """Record a worker's heartbeat, every two seconds. A broker that is briefly unreachable must not stop the worker."""
    try:
        with _broker() as broker:
            broker.zadd(WORKERS_KEY, {worker: time.time()})
            broker.zremrangebyscore(WORKERS_KEY, 0, time.time() - 10 * BEAT_TIMEOUT)
    except UNREACHABLE:
        pass


def leave(worker: str) -> None:
    try:
        with _broker() as broker:
            broker.zrem(WORKERS_KEY, worker)
    except UNREACHABLE:
        pass


def claim_turn(name: str, *, every: int) -> bool:
    """True for one worker only, once in `every` seconds. False while the broker is unreachable."""
    try:
        with _broker() as broker:
            return bool(broker.set(f"telltale:turn:{name}", 1, nx=True, ex=every))
    except UNREACHABLE:
        return False


def workers_alive() -> int:
    with _broker() as broker:
        return int(broker.zcount(WORKERS_KEY, time.time() - BEAT_TIMEOUT, "+inf"))


def workers_to_show() -> int | None:
    """Like `workers_alive`, but None if the broker is unreachable, so that a page does not fail with it."""
    try:
        return workers_alive()
    except UNREACHABLE:
        return None


def _broker() -> "redis.Redis":
    return redis.Redis.from_url(settings.REDIS_URL, **CONNECTION)
