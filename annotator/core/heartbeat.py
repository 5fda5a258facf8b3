"""Signs of life of the workers, kept in the broker: a worker that stops beating is gone half a minute later."""

import time

import redis
from django.conf import settings

KEY = "telltale:workers"
ALIVE_FOR = 30.0


def beat(worker: str) -> None:
    """Called every two seconds by each worker. A broker that is away for a moment must not end the worker."""
    try:
        with _broker() as broker:
            broker.zadd(KEY, {worker: time.time()})
            broker.zremrangebyscore(KEY, 0, time.time() - 10 * ALIVE_FOR)
    except redis.ConnectionError:
        pass


def leave(worker: str) -> None:
    try:
        with _broker() as broker:
            broker.zrem(KEY, worker)
    except redis.ConnectionError:
        pass


def claim_turn(name: str, *, every: int) -> bool:
    """For one worker of all, once in so many seconds. While the broker is away it is nobody's turn."""
    try:
        with _broker() as broker:
            return bool(broker.set(f"telltale:turn:{name}", 1, nx=True, ex=every))
    except redis.ConnectionError:
        return False


def workers_alive() -> int:
    with _broker() as broker:
        return int(broker.zcount(KEY, time.time() - ALIVE_FOR, "+inf"))


def _broker() -> "redis.Redis":
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2)
