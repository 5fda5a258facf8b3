"""Lock-outs: after some wrong passwords or codes no more are looked at for a while.

The sign-in library counts in the cache, under a key we give it: one per person, whichever of their names is typed.
"""

import time

from allauth.core.internal.ratelimit import Rate, get_cache_key, get_rates
from django.core.cache import cache
from django.db.models import Q
from django.http import HttpRequest

from annotator.models import Annotator

COUNTER = {"app": "allauth.account", "action": "login_failed"}


def person_behind(login: str) -> Annotator | None:
    """Who signs in under this user name or e-mail address."""
    if not login:
        return None
    return Annotator.objects.filter(Q(username__iexact=login) | Q(email__iexact=login)).order_by("pk").first()


def password_key(annotator: Annotator) -> str:
    return f"person:{annotator.pk}"


def code_key(annotator: Annotator) -> str:
    return f"mfa-auth-user-{annotator.pk}"  # the library's own name for it


def is_locked_out(annotator: Annotator) -> bool:
    return is_used_up(password_key(annotator)) or is_used_up(code_key(annotator))


def is_used_up(key: str) -> bool:
    return any(_failures(rate, key) >= rate.amount for rate in _rates())


def lift(annotator: Annotator) -> None:
    forget_failures(password_key(annotator), code_key(annotator))


def forget_failures(*keys: str) -> None:
    cache.delete_many([_place(rate, key) for rate in _rates() for key in keys])


def minutes() -> int:
    """How long a lock-out lasts at most."""
    return max([round(rate.duration / 60) for rate in _rates()], default=1) or 1


def _failures(rate: Rate, key: str) -> int:
    return sum(at > time.time() - rate.duration for at in cache.get(_place(rate, key), []))


def _rates() -> list[Rate]:
    """Those that count per person; the ones per address pass by themselves within a minute."""
    return [rate for rate in get_rates(**COUNTER) if rate.per == "key"]


def _place(rate: Rate, key: str) -> str:
    place: str = get_cache_key(HttpRequest(), rate=rate, key=key, **COUNTER)
    return place
