"""Who is there to work, as far as the broker says."""

import redis

from annotator.core.heartbeat import workers_alive


def workers_to_show() -> int | None:
    """None where the broker cannot be reached: a page about the work must not fail with it."""
    try:
        return workers_alive()
    except (redis.ConnectionError, redis.TimeoutError):
        return None
