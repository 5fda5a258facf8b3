"""Undo an import in a worker: remove its judgements, its batches, and the profiles that nobody else has used.

The corpus goes, too, if an import created it and nothing is left in it.

Each chunk is one transaction, and doing it twice changes nothing, so that an undo that was killed is simply run again.
"""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import structlog
from django.db import transaction
from django.db.models import QuerySet

from annotator.core.audit import record
from annotator.detection.services import request_sweep
from annotator.exchange.imports.target import MADE_BY
from annotator.gold.services.builds import request_build
from annotator.models import (
    Assignment,
    AuditEntry,
    Batch,
    BuiltGold,
    Dispute,
    Evidence,
    GoldRecord,
    ImportUndo,
    Judgement,
    LabelImport,
    Reached,
    SourceRecord,
    Submission,
)
from profiles.jobs.claims import JobLost, NotFree, finish
from profiles.jobs.heartbeat import Heartbeat, work_on
from profiles.models import Comment, Corpus, Detection, Profile, Unanalysed
from profiles.models.jobs import is_unfinished

log = structlog.get_logger(__name__)

CHUNK = 100  # profiles in one transaction
BROKE = (
    "The undo stopped because of a server error; the details are in the log. "
    "What it removed stays removed. Undo the import again."
)


def run(undo_id: int) -> None:
    """Undo an import once, however often it is requested."""
    undo = ImportUndo.objects.select_related("label_import__corpus", "asked_by").get(pk=undo_id)
    with suppress(NotFree, JobLost), work_on(undo, broke=BROKE, again=bool(undo.problem)) as heartbeat:
        _undo(undo, heartbeat)


def batches_of(label_import: LabelImport) -> QuerySet[Batch]:
    return Batch.objects.filter(corpus=label_import.corpus_id, draw__import=label_import.pk)


def created_profiles(label_import: LabelImport) -> QuerySet[Profile]:
    return Profile.objects.filter(source__label_import=label_import)


@dataclass(slots=True)
class _Removal:
    batches: list[int]
    created: set[int]
    counts: Counter[str] = field(default_factory=Counter)


def _undo(undo: ImportUndo, heartbeat: Heartbeat[ImportUndo]) -> None:
    label_import = undo.label_import
    removal = _Removal(
        list(batches_of(label_import).values_list("pk", flat=True)),
        set(created_profiles(label_import).values_list("pk", flat=True)),
    )
    removal.counts.update({name: count for name, count in undo.counts.items() if isinstance(count, int)})
    judged = Assignment.objects.filter(batch__in=removal.batches).values_list("profile", flat=True)
    profiles = sorted(removal.created | set(judged))
    for first in range(0, len(profiles), CHUNK):
        _remove_chunk(undo, removal, profiles[first : first + CHUNK])
        heartbeat.tell(min(first + CHUNK, len(profiles)), len(profiles))
    _end(undo, removal, len(profiles))


def _remove_chunk(undo: ImportUndo, removal: _Removal, profiles: list[int]) -> None:
    """Remove the labels of some profiles, and those profiles that nothing else needs."""
    with transaction.atomic():
        # Builds, adjudicators and batches that are being drawn wait for these locks.
        list(Profile.objects.filter(pk__in=profiles).select_for_update().order_by("pk").values_list("pk", flat=True))
        removal.counts.update(_remove_labels(removal.batches, profiles))
        _remove_gold(removal.batches, profiles)
        unused = Profile.objects.filter(pk__in=removal.created & set(profiles))
        unused = unused.filter(assignments=None, gold=None, known_answers=None)
        removal.counts.update(_remove_profiles(list(unused.values_list("pk", flat=True))))
        undo.counts = dict(removal.counts)
        ImportUndo.objects.filter(pk=undo.pk).update(counts=undo.counts)


def _remove_labels(batches: list[int], profiles: list[int]) -> dict[str, int]:
    assignments = Assignment.objects.filter(batch__in=batches, profile__in=profiles)
    Evidence.objects.filter(judgement__assignment__in=assignments).delete()
    judgements = Judgement.objects.filter(assignment__in=assignments).delete()[1]
    Submission.objects.filter(assignment__in=assignments).delete()
    reviews = assignments.delete()[1]
    return {"judgements": judgements.get("annotator.Judgement", 0), "reviews": reviews.get("annotator.Assignment", 0)}


def _remove_gold(batches: list[int], profiles: list[int]) -> None:
    """Remove gold that a build makes anew from what is left, and decisions that came in with the import.

    What an adjudicator decided here stays; the next build opens a dispute because its judgements have changed.
    """
    gold = GoldRecord.objects.filter(profile__in=profiles)
    gold.exclude(reached=Reached.ADJUDICATED).delete()
    decided_there = gold.filter(decided_by__is_imported=True)
    (decided_there.filter(batch_ids__overlap=batches) | decided_there.filter(batch_ids=[])).delete()
    Dispute.objects.filter(profile__in=profiles).delete()
    BuiltGold.objects.filter(profile__in=profiles).delete()  # else nothing differs, if no build came in between


def _remove_profiles(profiles: list[int]) -> dict[str, int]:
    comments = Comment.objects.filter(profile__in=profiles)
    Detection.objects.filter(comment__in=comments).delete()
    Unanalysed.objects.filter(comment__in=comments).delete()
    removed = comments.delete()[1].get("profiles.Comment", 0)
    SourceRecord.objects.filter(profile__in=profiles).delete()
    Profile.objects.filter(pk__in=profiles).delete()
    return {"comments": removed, "profiles": len(profiles)}


def _end(undo: ImportUndo, removal: _Removal, total: int) -> None:
    label_import = undo.label_import
    with transaction.atomic():
        LabelImport.objects.filter(pk=label_import.pk).update(batch=None)
        Batch.objects.filter(pk__in=removal.batches).delete()
        removal.counts["batches"] += len(removal.batches)
        removal.counts["profiles_kept"] = created_profiles(label_import).count()
        counts = dict(removal.counts)
        finish(undo, done=total, total=total, counts=counts)
        about: dict[str, Any] = {"label_import": label_import.pk, "corpus": label_import.corpus_id}
        about["corpus_removed"] = _remove_empty_corpus(label_import)
        record(AuditEntry.Action.LABELS_REMOVED, actor=undo.asked_by, **about | counts)
        request_sweep()
        if label_import.corpus_id and not about["corpus_removed"]:
            request_build(label_import.corpus_id)
    log.info("import undone", label_import=label_import.pk)


def _remove_empty_corpus(label_import: LabelImport) -> bool:
    """Remove a corpus that an import created, unless something is in it or on its way. Its imports keep its name."""
    created = Corpus.objects.filter(label_imports=label_import, options__made_by=MADE_BY)
    corpus = created.select_for_update(of=("self",)).first()
    if corpus is None or _is_used(corpus):
        return False
    corpus.label_imports.update(corpus=None, corpus_name=corpus.name)
    corpus.delete()
    return True


def _is_used(corpus: Corpus) -> bool:
    """Whether it has anything but what is made by itself: detection runs, gold builds and reports of agreement."""
    related = (corpus.profiles, corpus.batches, corpus.exports, corpus.targets, corpus.ingests)
    is_growing = corpus.label_imports.filter(is_unfinished()).exists()
    return is_growing or any(rows.exists() for rows in related)
