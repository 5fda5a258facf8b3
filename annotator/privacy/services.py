"""Permanently remove a Reddit account from every corpus, with everything derived from it."""

from functools import partial
from typing import Any

import pgtrigger
from django.apps import apps
from django.db import connection, transaction
from django.db.models import QuerySet
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.detection.services import request_sweep
from annotator.exchange.export.storage import drop_exports
from annotator.models import (
    AdjudicationLease,
    Annotator,
    Assignment,
    AuditEntry,
    BuiltGold,
    Dispute,
    Draft,
    Evidence,
    Flag,
    GoldRecord,
    Judgement,
    KnownAnswer,
    LookUp,
    PromptedAnswer,
    Sitting,
    SourceRecord,
    Submission,
)
from annotator.privacy import tasks
from annotator.privacy.takedowns import Reason, RemovedRows
from annotator.privacy.touched_tables import OF_OTHER_APPS
from profiles.accounts import parse_account
from profiles.encryption import account_digest
from profiles.models import AccountName, Comment, Detection, ForgottenAccount, Presence, Profile, Unanalysed

JudgementEvent, AssignmentEvent, GoldRecordEvent, PromptedAnswerEvent = (
    apps.get_model("annotator", f"{name}Event") for name in ("Judgement", "Assignment", "GoldRecord", "PromptedAnswer")
)
OF_PROFILES = (AssignmentEvent, GoldRecordEvent, PromptedAnswerEvent)


def removable_rows(name: str) -> RemovedRows:
    """Count the rows that forgetting the account would remove now. 9 queries."""
    digest = account_digest(parse_account(name))
    profile_ids = list(Profile.objects.filter(account_digest=digest).values_list("pk", flat=True))
    counts = {kind: rows.count() for kind, rows in _counted_rows(profile_ids).items()}
    return RemovedRows(**counts, forgotten_before=ForgottenAccount.objects.filter(account_digest=digest).exists())


def forget_account(
    name: str, *, reason: Reason = Reason.OTHER, by: Annotator | None = None, request: HttpRequest | None = None
) -> RemovedRows:
    """Remove the account from every corpus, and store its digest so that no later load brings it back.

    Idempotent. The number of queries does not depend on the number of rows.
    """
    digest = account_digest(parse_account(name))
    with transaction.atomic():
        _wait_for_loads()
        locked = _lock_profiles(digest)
        profile_ids, corpus_ids = [profile for profile, _ in locked], [corpus for _, corpus in locked]
        counts = _delete_all(profile_ids)
        forgotten, is_new = ForgottenAccount.objects.get_or_create(account_digest=digest, defaults={"removed": counts})
        if locked or is_new:
            about: dict[str, Any] = {"takedown": forgotten.pk, "reason": reason.value} | counts
            about |= {"profile_ids": profile_ids, "corpus_ids": corpus_ids}
            details = {name: value for name, value in about.items() if value}
            record(AuditEntry.Action.ACCOUNT_FORGOTTEN, request=request, actor=by, **details)
        transaction.on_commit(partial(drop_exports, corpus_ids), robust=True)
        if locked:
            transaction.on_commit(tasks.clean_up_after_takedown.delay, robust=True)
        request_sweep()
    return RemovedRows(**counts, forgotten_before=not is_new)


def _wait_for_loads() -> None:
    """Wait for running loads and block new ones, so that none can miss the digest."""
    table = connection.ops.quote_name(ForgottenAccount._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")


def _lock_profiles(digest: bytes) -> list[tuple[int, int]]:
    """Lock the profiles, their assignments and comments. Return the ids of each profile and its corpus.

    Saving a judgement locks its assignment: either the save finishes first and its judgement is deleted, too, or the
    save waits and finds the assignment gone. Nobody can add rows that point to a locked profile or comment.
    """
    profiles = Profile.objects.filter(account_digest=digest).select_for_update(of=("self",)).order_by("pk")
    locked = list(profiles.values_list("pk", "corpus_id"))
    profile_ids = [profile for profile, _ in locked]
    for model in (Assignment, Comment):
        rows: QuerySet[Any] = model._default_manager.filter(profile__in=profile_ids)
        list(rows.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))
    return locked


def _delete_all(profiles: list[int]) -> dict[str, int]:
    """Delete rows before the rows they are found through. Postgres checks foreign keys when the transaction ends."""
    assignments = list(Assignment.objects.filter(profile__in=profiles).values_list("pk", flat=True))
    for dependent in OF_OTHER_APPS:
        _delete(dependent.rows(profiles))
    _delete(Unanalysed.objects.filter(comment__in=Comment.objects.filter(profile__in=profiles)))
    for assignment_model in (Draft, Submission, Sitting, LookUp, Flag):
        _delete(assignment_model._default_manager.filter(assignment__in=assignments))
    counts = {kind: _delete(rows) for kind, rows in _counted_rows(profiles).items()}
    for profile_model in (
        Assignment, Presence, AccountName, BuiltGold, Dispute, AdjudicationLease, SourceRecord, PromptedAnswer,
    ):  # fmt: skip
        _delete(profile_model._default_manager.filter(profile__in=profiles))
    _delete_history(profiles, assignments)
    return counts


def _delete_history(profiles: list[int], assignments: list[int]) -> None:
    """Delete the history last, because deletions add to it. Suspend its append-only rule: it contains the values."""
    with pgtrigger.ignore(*(f"annotator.{event.__name__}:append_only" for event in (JudgementEvent, *OF_PROFILES))):
        _delete(JudgementEvent._default_manager.filter(assignment__in=assignments))
        for event in OF_PROFILES:
            _delete(event._default_manager.filter(profile__in=profiles))


def _counted_rows(profiles: list[int]) -> dict[str, QuerySet[Any]]:
    """The rows to count, in order of deletion: rows come before those they are found through.

    Found by subqueries: with a join, a deletion would join the table with itself, and without planner statistics that
    takes the third power of the comments.
    """
    comments = Comment.objects.filter(profile__in=profiles)
    assignments = Assignment.objects.filter(profile__in=profiles)
    return {
        "evidence": Evidence.objects.filter(comment__in=comments),
        "gold_records": GoldRecord.objects.filter(profile__in=profiles),
        "judgements": Judgement.objects.filter(assignment__in=assignments),
        "known_answers": KnownAnswer.objects.filter(profile__in=profiles),
        "detections": Detection.objects.filter(comment__in=comments),
        "comments": Comment.objects.filter(profile__in=profiles),
        "profiles": Profile.objects.filter(pk__in=profiles),
    }


def _delete(rows: QuerySet[Any]) -> int:
    """Delete in one statement. `delete()` would read every row first to find dependents, which we know already."""
    return rows._raw_delete(rows.db) or 0  # None if the queryset is known to be empty
