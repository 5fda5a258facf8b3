"""The workers' heartbeat, kept in the broker. A worker counts as gone half a minute after its last beat."""

import time

import redis
from django.conf import settings

WORKERS_KEY = "telltale:workers"
BEAT_TIMEOUT = 30.0


def beat(worker: str) -> None:
    """Called every two seconds by each worker. A broker that is briefly away must not stop the worker."""
    try:
        with _broker() as broker:
            broker.zadd(WORKERS_KEY, {worker: time.time()})
            broker.zremrangebyscore(WORKERS_KEY, 0, time.time() - 10 * BEAT_TIMEOUT)
    except redis.ConnectionError:
        pass


def leave(worker: str) -> None:
    try:
        with _broker() as broker:
            broker.zrem(WORKERS_KEY, worker)
    except redis.ConnectionError:
        pass


def claim_turn(name: str, *, every: int) -> bool:
    """True for one of the workers, once in so many seconds. False while the broker is away."""
    try:
        with _broker() as broker:
            return bool(broker.set(f"telltale:turn:{name}", 1, nx=True, ex=every))
    except redis.ConnectionError:
        return False


def workers_alive() -> int:
    with _broker() as broker:
        return int(broker.zcount(WORKERS_KEY, time.time() - BEAT_TIMEOUT, "+inf"))


def workers_to_show() -> int | None:
    """As `workers_alive`; None where the broker cannot be reached, so that a page does not fail with it."""
    try:
        return workers_alive()
    except (redis.ConnectionError, redis.TimeoutError):
        return None


def _broker() -> "redis.Redis":
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)
