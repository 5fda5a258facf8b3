"""The cache, in Valkey. While Valkey is unreachable, pages keep working without it."""

import time
from typing import Any

import redis
import structlog
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.retry import Retry

log = structlog.get_logger(__name__)

UNREACHABLE = (redis.ConnectionError, redis.TimeoutError, redis.exceptions.OutOfMemoryError)
PAUSE = 5.0  # seconds before Valkey is tried again, so that not every request waits for it
CONNECTION = {"socket_timeout": 2, "socket_connect_timeout": 2, "retry": Retry(NoBackoff(), 1)}
retry_at = 0.0  # for all threads


class SharedClient(RedisCacheClient):
    """Keep the client: making one takes redis-py three times as long as a request to Valkey. Threads can share it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.client = super().get_client()

    def get_client(self, key: object = None, *, write: bool = False) -> redis.Redis:
        return self.client


class FallbackCache(RedisCache):
    """Fall back to the memory of this process: requests and lock-outs are then counted by each process alone."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params | {"OPTIONS": CONNECTION | params.get("OPTIONS", {})})
        self._class = SharedClient
        self.fallback = LocMemCache("fallback", {})

    def _ask(self, method: str, *args: Any, **kwargs: Any) -> Any:
        global retry_at  # noqa: PLW0603 Django makes one cache for each thread
        if time.monotonic() >= retry_at:
            try:
                return getattr(super(), method)(*args, **kwargs)
            except UNREACHABLE as error:
                retry_at = time.monotonic() + PAUSE
                log.warning("cache unreachable", fault=type(error).__name__)
        return getattr(self.fallback, method)(*args, **kwargs)

    def add(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._ask("add", *args, **kwargs))

    def get(self, *args: Any, **kwargs: Any) -> Any:
        return self._ask("get", *args, **kwargs)

    def set(self, *args: Any, **kwargs: Any) -> None:
        self._ask("set", *args, **kwargs)

    def touch(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._ask("touch", *args, **kwargs))

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._ask("delete", *args, **kwargs))

    def get_many(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        return dict(self._ask("get_many", *args, **kwargs))

    def has_key(self, *args: Any, **kwargs: Any) -> bool:
        return bool(self._ask("has_key", *args, **kwargs))

    def incr(self, *args: Any, **kwargs: Any) -> int:
        return int(self._ask("incr", *args, **kwargs))

    def set_many(self, *args: Any, **kwargs: Any) -> list[Any]:
        return list(self._ask("set_many", *args, **kwargs))

    def delete_many(self, *args: Any, **kwargs: Any) -> None:
        self._ask("delete_many", *args, **kwargs)

    def clear(self) -> None:
        self._ask("clear")
