"""Forgetting a Reddit account: everything it wrote and all that was made of it, everywhere, for good."""

from functools import partial
from typing import Any

import pgtrigger
from django.apps import apps
from django.db import connection, transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from annotator import tasks
from annotator.core.audit import record
from annotator.exchange.services.exports import drop_exports
from annotator.models import (
    AdjudicationLease,
    Annotator,
    Assignment,
    AuditEntry,
    Dispute,
    Draft,
    Evidence,
    Flag,
    GoldRecord,
    Judgement,
    KnownAnswer,
    LookUp,
    Sitting,
    SourceRecord,
    Submission,
)
from annotator.privacy.takedown_text import Reason, Removed
from profiles.accounts import read_account
from profiles.encryption import account_digest
from profiles.models import AccountName, Comment, Detection, ForgottenAccount, Presence, Profile, Unanalysed

JUDGED, ASSIGNED, GOLD = (
    apps.get_model("annotator", f"{name}Event") for name in ("Judgement", "Assignment", "GoldRecord")
)


def would_remove(name: str) -> Removed:
    """What forgetting the account would remove at this moment. Changes nothing. 9 queries."""
    digest = account_digest(read_account(name))
    profiles = list(Profile.objects.filter(account_digest=digest).values_list("pk", flat=True))
    counts = {kind: rows.count() for kind, rows in _counted_rows(profiles).items()}
    return Removed(**counts, forgotten_before=ForgottenAccount.objects.filter(account_digest=digest).exists())


def forget_account(
    name: str, *, reason: Reason = Reason.OTHER, by: Annotator | None = None, request: HttpRequest | None = None
) -> Removed:
    """Remove the account from every corpus, and remember by its digest alone that it must not come back.

    Forgetting twice changes nothing more. The number of queries does not depend on how much there is.
    """
    digest = account_digest(read_account(name))
    with transaction.atomic():
        _wait_for_loads()
        found = _lock(digest)
        counts = _delete_all([profile for profile, _corpus in found])
        forgotten, is_new = ForgottenAccount.objects.get_or_create(account_digest=digest, defaults={"removed": counts})
        if found or is_new:
            about: dict[str, Any] = {"takedown": forgotten.pk, "reason": reason.value} | counts
            about |= {"profile_ids": [profile for profile, _ in found], "corpus_ids": [corpus for _, corpus in found]}
            details = {name: value for name, value in about.items() if value}
            record(AuditEntry.Action.ACCOUNT_FORGOTTEN, request=request, actor=by, **details)
        transaction.on_commit(partial(drop_exports, [corpus for _, corpus in found]), robust=True)
        transaction.on_commit(tasks.sweep_detection.delay, robust=True)  # a chunk that this disturbed goes on at once
    return Removed(**counts, forgotten_before=not is_new)


def _wait_for_loads() -> None:
    """Loads that run now end first, and the next begins when this is done: none can miss the digest."""
    table = connection.ops.quote_name(ForgottenAccount._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")


def _lock(digest: bytes) -> list[tuple[int, int]]:
    """Profiles and their corpora, held together with all that others may be writing about.

    Whoever saves a judgement holds its assignment: they finish first and their judgement goes with the rest, or
    they wait and find the assignment gone. Rows that point to a profile or comment cannot be added either.
    """
    held = Profile.objects.filter(account_digest=digest).select_for_update(of=("self",)).order_by("pk")
    found = list(held.values_list("pk", "corpus_id"))
    profiles = [profile for profile, _corpus in found]
    for model in (Assignment, Comment):
        rows: QuerySet[Any] = model._default_manager.filter(profile__in=profiles)
        list(rows.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))
    return found


def _delete_all(profiles: list[int]) -> dict[str, int]:
    """In any order that still finds the rows: Postgres checks what points where at the end of the transaction."""
    slots = list(Assignment.objects.filter(profile__in=profiles).values_list("pk", flat=True))
    _delete(Unanalysed.objects.filter(comment__profile__in=profiles))
    for written in (Draft, Submission, Sitting, LookUp, Flag):
        _delete(written._default_manager.filter(assignment__profile__in=profiles))
    counts = {kind: _delete(rows) for kind, rows in _counted_rows(profiles).items()}
    for model in (Assignment, Presence, AccountName, Dispute, AdjudicationLease, SourceRecord):
        _delete(model._default_manager.filter(profile__in=profiles))
    _delete_history(profiles, slots)
    return counts


def _delete_history(profiles: list[int], slots: list[int]) -> None:
    """Last, since deleting adds to it. What nobody may edit goes here all the same: the history tells the values."""
    with pgtrigger.ignore(*(f"annotator.{event.__name__}:append_only" for event in (JUDGED, ASSIGNED, GOLD))):
        _delete(JUDGED._default_manager.filter(assignment__in=slots))
        for event in (ASSIGNED, GOLD):
            _delete(event._default_manager.filter(profile__in=profiles))


def _counted_rows(profiles: list[int]) -> dict[str, QuerySet[Any]]:
    """Each kind that is counted; what is found through something else stands before it."""
    return {
        "evidence": Evidence.objects.filter(comment__profile__in=profiles),
        "gold_records": GoldRecord.objects.filter(profile__in=profiles),
        "judgements": Judgement.objects.filter(assignment__profile__in=profiles),
        "known_answers": KnownAnswer.objects.filter(profile__in=profiles),
        "detections": Detection.objects.filter(comment__profile__in=profiles),
        "comments": Comment.objects.filter(profile__in=profiles),
        "profiles": Profile.objects.filter(pk__in=profiles),
    }


def _delete(rows: QuerySet[Any]) -> int:
    """One statement. `delete()` would read every row first, to ask what depends on it; here that is known."""
    return rows._raw_delete(rows.db) or 0  # None when there can be no such row
