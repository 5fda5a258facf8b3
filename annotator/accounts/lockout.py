"""Lock people out for a while after too many wrong passwords or codes.

allauth counts failures in the cache, under a key of ours: one per person, whether they type their user name or address.
"""

import time

from allauth.core.internal.ratelimit import Rate, get_cache_key, get_rates
from django.core.cache import cache
from django.db.models import Q
from django.http import HttpRequest

from annotator.models import Annotator

RATE_LIMIT = {"app": "allauth.account", "action": "login_failed"}


def find_person(login: str) -> Annotator | None:
    """The person with this user name or e-mail address."""
    if not login:
        return None
    return Annotator.objects.filter(Q(username__iexact=login) | Q(email__iexact=login)).order_by("pk").first()


def password_key(annotator: Annotator) -> str:
    return f"person:{annotator.pk}"


def code_key(annotator: Annotator) -> str:
    return f"mfa-auth-user-{annotator.pk}"  # allauth's own key


def is_locked_out(annotator: Annotator) -> bool:
    return has_too_many_failures(password_key(annotator)) or has_too_many_failures(code_key(annotator))


def has_too_many_failures(key: str) -> bool:
    return any(_failures(rate, key) >= rate.amount for rate in _rates())


def lift_lockout(annotator: Annotator) -> None:
    clear_failures(password_key(annotator), code_key(annotator))


def clear_failures(*keys: str) -> None:
    cache.delete_many([_cache_key(rate, key) for rate in _rates() for key in keys])


def lockout_minutes() -> int:
    """The longest that a lock-out lasts."""
    return max([round(rate.duration / 60) for rate in _rates()], default=1) or 1


def _failures(rate: Rate, key: str) -> int:
    return sum(at > time.time() - rate.duration for at in cache.get(_cache_key(rate, key), []))


def _rates() -> list[Rate]:
    """The limits per person; those per address expire within a minute anyway."""
    return [rate for rate in get_rates(**RATE_LIMIT) if rate.per == "key"]


def _cache_key(rate: Rate, key: str) -> str:
    cache_key: str = get_cache_key(HttpRequest(), rate=rate, key=key, **RATE_LIMIT)
    return cache_key
