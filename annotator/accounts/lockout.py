"""Pause signing in after too many wrong passwords or codes.

Attempts are counted for a person and an address together. So nobody can lock out somebody elsewhere, and somebody who
tries many names from one address blocks nobody else behind it. The counters are in the cache and expire by themselves.

Passwords guessed from ever new addresses are slowed down, except where the person has signed in before.
"""

import ipaddress
import re
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from annotator.models import Annotator, AuditEntry

PATTERN = r"([1-9]\d*)/(\d*)([smhd])"  # such as 5/15m
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
PASSWORD, CODE = "password", "code"
ANYWHERE = "anywhere"
CODES_FROM_ANYWHERE = 25  # wrong codes a day from unknown addresses, by somebody who must know the password
GUESSES_FROM_ANYWHERE = 50  # passwords a day from unknown addresses, before they are slowed down
PAUSE = 10  # seconds between passwords from unknown addresses then
DAY = 24 * 3600
KNOWN_FOR = timedelta(days=90)
IPV6_NETWORK = 64  # bits that a provider gives to one customer


@dataclass(frozen=True, slots=True)
class Counter:
    """Counts attempts of one person or unknown name, from one network, at one step of signing in."""

    step: str
    who: str
    network: str

    @property
    def key(self) -> str:
        return f"lockout:{self.step}:{self.who}:{self.network}"

    def count(self) -> int:
        """Count an attempt before it is checked, so that attempts at the same time cannot exceed the limit."""
        cache.add(self.key, 0, DAY if self.network == ANYWHERE else lockout_seconds())
        try:
            return int(cache.incr(self.key))
        except ValueError:  # it expired in between
            return 1

    def clear(self) -> None:
        cache.delete(self.key)

    @property
    def is_full(self) -> bool:
        """Whether the next attempt will be refused."""
        return int(cache.get(self.key, 0)) >= max_failures()


def typed_login(credentials: dict[str, Any]) -> str:
    return str(credentials.get("email") or credentials.get("username") or "")


def find_person(login: str) -> Annotator | None:
    """The person with this user name or e-mail address."""
    if not login:
        return None
    return Annotator.objects.filter(Q(username__iexact=login) | Q(email__iexact=login)).order_by("pk").first()


def password_counter(login: str, address: str | None) -> Counter:
    """One per person, whichever name they type. Unknown names are counted alike, so that nobody can tell them apart."""
    person = find_person(login)
    who = str(person.pk) if person else salted_hmac("annotator.lockout", login.lower()).hexdigest()
    return Counter(PASSWORD, who, network_of(address))


def allows_password(login: str, address: str | None) -> bool:
    """Count a password from an address where the person never signed in, and return whether it may be checked now.

    Nobody waits in a thread: whoever comes within the pause is asked to try again.
    """
    person = find_person(login)
    if person and is_known_address(person, address):
        return True
    counter = _passwords_from_anywhere(password_counter(login, address).who)
    return counter.count() <= GUESSES_FROM_ANYWHERE or cache.add(f"{counter.key}:pause", True, PAUSE)


def code_counter(annotator: Annotator, address: str | None) -> Counter:
    return Counter(CODE, str(annotator.pk), network_of(address))


def allows_code(annotator: Annotator, address: str | None) -> bool:
    """Count an attempt to enter a code, and return whether it may be checked.

    A code is short enough to be guessed from many addresses. So unknown addresses share a second limit, which does not
    hold where the person has signed in before.
    """
    is_allowed = code_counter(annotator, address).count() <= max_failures()
    if is_known_address(annotator, address):
        return is_allowed
    return _codes_from_anywhere(annotator).count() <= CODES_FROM_ANYWHERE and is_allowed


def forget_codes(annotator: Annotator, address: str | None) -> None:
    """Clear the wrong codes before a right one. Those from elsewhere still count."""
    code_counter(annotator, address).clear()


def is_known_address(annotator: Annotator, address: str | None) -> bool:
    """Whether the person signed in from this address within the last months. 1 query."""
    sign_ins = AuditEntry.objects.filter(action=AuditEntry.Action.SIGNED_IN, actor=annotator)
    return bool(address) and sign_ins.filter(address=address, at__gt=timezone.now() - KNOWN_FOR).exists()


def is_locked_out(annotator: Annotator) -> bool:
    """Whether the person is locked out at any address. 1 query."""
    counters = _recent_counters(annotator)
    from_anywhere = int(cache.get(_codes_from_anywhere(annotator).key, 0))
    return from_anywhere >= CODES_FROM_ANYWHERE or any(counter.is_full for counter in counters)


def lift_lockout(annotator: Annotator) -> None:
    """Clear the person's counters at every address. 1 query."""
    from_anywhere = [_codes_from_anywhere(annotator), _passwords_from_anywhere(str(annotator.pk))]
    counters = [*_recent_counters(annotator), *from_anywhere]
    cache.delete_many([counter.key for counter in counters])


def max_failures() -> int:
    return int(_limit()[1])


def lockout_seconds() -> int:
    return int(_limit()[2] or 1) * SECONDS[_limit()[3]]


def lockout_minutes() -> int:
    """The longest possible lock-out, in minutes."""
    return max(1, round(lockout_seconds() / 60))


def network_of(address: str | None) -> str:
    """What counts as one address: an IPv4 address, or the network that an IPv6 address is in."""
    if not address:
        return "unknown"
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    return str(ip.ipv4_mapped or ipaddress.ip_network((ip, IPV6_NETWORK), strict=False))


def _recent_counters(annotator: Annotator) -> list[Counter]:
    """The audit log knows where attempts came from."""
    since = timezone.now() - timedelta(seconds=lockout_seconds())
    failures = AuditEntry.objects.filter(action=AuditEntry.Action.SIGN_IN_FAILED, subject=annotator, at__gt=since)
    networks = {network_of(address) for address in failures.order_by().values_list("address", flat=True).distinct()}
    return [Counter(step, str(annotator.pk), network) for step in (PASSWORD, CODE) for network in networks]


def _codes_from_anywhere(annotator: Annotator) -> Counter:
    return Counter(CODE, str(annotator.pk), ANYWHERE)


def _passwords_from_anywhere(who: str) -> Counter:
    return Counter(PASSWORD, who, ANYWHERE)


def _limit() -> "re.Match[str]":
    limit = re.fullmatch(PATTERN, settings.LOCKOUT)
    assert limit is not None  # noqa: S101 the settings were checked at the start
    return limit
