"""Store, change, confirm, archive and try endpoints."""

import hashlib
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlsplit

from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models.functions import Now
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry
from evaluation.llm.endpoints import NOT_ALLOWED, EndpointRefused, host_of, is_allowed
from evaluation.llm.stored_endpoints import COLUMNS, KeyChange, endpoint_of
from evaluation.llm.trial import Trial, try_endpoint
from evaluation.models import ModelEndpoint
from profiles.encryption import WrongKey, seal, unseal

CHANGED, CONFIRMED = AuditEntry.Action.ENDPOINT_CHANGED, AuditEntry.Action.ENDPOINT_CONFIRMED
KEPT_FOR = 600  # seconds in which the page shows what the last trial said
LONGEST_TRIAL = 30  # seconds; a trial that was killed is in nobody's way afterwards
PAUSE = 5  # seconds between two trials of an endpoint


class NameTaken(Exception):
    """Another endpoint has this name."""


class ChangedMeanwhile(Exception):
    """Somebody changed or archived the endpoint since the page was opened."""


class TriedJustNow(Exception):
    """A trial is under way, or ended a few seconds ago."""


@dataclass(frozen=True, slots=True)
class Saved:
    """The endpoint as it is now. A key never follows to another address, so it may have been dropped."""

    endpoint: ModelEndpoint
    dropped_key: bool = False


def version_of(row: ModelEndpoint) -> str:
    """Changes with every value, so that an edit of an old page is noticed."""
    values = [*(getattr(row, name) for name in COLUMNS), bytes(row.sealed_key or b""), row.confirmed_host]
    return hashlib.sha256(repr([str(value) for value in values]).encode()).hexdigest()[:16]


def add_endpoint(columns: dict[str, Any], key: KeyChange, *, by: Annotator, request: HttpRequest) -> Saved:
    """Store an endpoint. A second click finds the first one's."""
    row = ModelEndpoint(**_chosen(columns), sealed_key=seal(key.typed) if key.typed else None, made_by=by)
    try:
        with transaction.atomic():
            row.save()
            record(CHANGED, request=request, actor=by, endpoint=row.pk, done="added", host=host_of(row.base_url))
    except IntegrityError as error:
        same = ModelEndpoint.objects.usable().filter(made_by=by, **_chosen(columns)).first()
        if same is None or not _has_key(same, key):
            raise NameTaken from error
        return Saved(same)
    return Saved(row)


def change_endpoint(
    endpoint_id: int, columns: dict[str, Any], key: KeyChange, *, version: str, by: Annotator, request: HttpRequest
) -> Saved:
    """Change an endpoint of which the page showed this version."""
    try:
        with transaction.atomic():
            row = _locked(endpoint_id)
            before = {name: getattr(row, name) for name in COLUMNS}
            changed = [name for name in COLUMNS if before[name] != columns[name]]
            if version != version_of(row) and (changed or not _has_key(row, key)):
                raise ChangedMeanwhile
            return _apply(row, columns, key, changed, by=by, request=request)
    except IntegrityError as error:
        raise NameTaken from error


def confirm_host(endpoint_id: int, host: str, *, by: Annotator, request: HttpRequest) -> ModelEndpoint:
    """Allow people's texts to go to the host that the page named."""
    if not is_allowed(host):
        raise EndpointRefused(NOT_ALLOWED.format(host=host))
    with transaction.atomic():
        row = _locked(endpoint_id)
        if host_of(row.base_url) != host:
            raise ChangedMeanwhile
        if row.confirmed_host != host:
            row.confirmed_host, row.confirmed_by, row.confirmed_at = host, by, timezone.now()
            row.save(update_fields=["confirmed_host", "confirmed_by", "confirmed_at"])
            record(CONFIRMED, request=request, actor=by, endpoint=row.pk, host=host, model=row.model)
    return row


def archive_endpoint(endpoint_id: int, *, by: Annotator, request: HttpRequest) -> None:
    """No run can choose it any more, and its key is gone. Doing it twice changes nothing."""
    with transaction.atomic():
        archived = ModelEndpoint.objects.usable().filter(pk=endpoint_id).order_by()
        if archived.update(archived_at=Now(), sealed_key=None):
            record(CHANGED, request=request, actor=by, endpoint=endpoint_id, done="archived")


def try_out(row: ModelEndpoint) -> Trial:
    """Ask the endpoint a few harmless things, at most once every few seconds. EndpointRefused if it may not be used."""
    endpoint = endpoint_of(row)
    if not cache.add(_trial_key(row, "pause"), True, LONGEST_TRIAL):
        raise TriedJustNow
    try:
        trial = try_endpoint(endpoint)
        cache.set(_trial_key(row), {"version": version_of(row), "trial": asdict(trial)}, KEPT_FOR)
    finally:
        cache.set(_trial_key(row, "pause"), True, PAUSE)
    return trial


def last_trial(row: ModelEndpoint) -> Trial | None:
    """What the last one said, if it was about the endpoint as it is now."""
    kept = cache.get(_trial_key(row))
    return Trial(**kept["trial"]) if kept and kept["version"] == version_of(row) else None


def _apply(
    row: ModelEndpoint, columns: dict[str, Any], key: KeyChange, changed: list[str], *, by: Annotator,
    request: HttpRequest,
) -> Saved:  # fmt: skip
    """Write a locked row. Nothing is written or recorded if it says all that already."""
    moved = _origin(row.base_url) != _origin(columns["base_url"])
    drops_key = moved and row.sealed_key is not None and not key.typed and not key.is_removed
    if host_of(row.base_url) != host_of(columns["base_url"]):
        row.confirmed_host, row.confirmed_by, row.confirmed_at = "", None, None
    if drops_key or not _has_key(row, key):
        row.sealed_key = seal(key.typed) if key.typed else None
        changed = [*changed, "key"]
    for name in COLUMNS:
        setattr(row, name, columns[name])
    if changed:
        row.save(update_fields=[*COLUMNS, "sealed_key", "confirmed_host", "confirmed_by", "confirmed_at"])
        record(CHANGED, request=request, actor=by, endpoint=row.pk, done=changed, host=host_of(row.base_url))
    return Saved(row, drops_key)


def _chosen(columns: dict[str, Any]) -> dict[str, Any]:
    return {name: columns[name] for name in COLUMNS}


def _locked(endpoint_id: int) -> ModelEndpoint:
    row = ModelEndpoint.objects.usable().select_for_update(no_key=True).filter(pk=endpoint_id).first()
    if row is None:
        raise ChangedMeanwhile
    return row


def _has_key(row: ModelEndpoint, key: KeyChange) -> bool:
    """Whether the stored key is what the form asks for."""
    if not key.typed:
        return not key.is_removed or row.sealed_key is None
    try:
        return row.sealed_key is not None and unseal(bytes(row.sealed_key)) == key.typed
    except WrongKey:
        return False


def _origin(base_url: str) -> tuple[str, str]:
    """Scheme, host and port: where a key would be sent."""
    parts = urlsplit(base_url)
    return parts.scheme, parts.netloc


def _trial_key(row: ModelEndpoint, what: str = "result") -> str:
    return f"endpoint-trial:{row.pk}:{what}"
