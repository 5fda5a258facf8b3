"""Ask for the deletion of a corpus. A worker, or the command, deletes it."""

from functools import partial
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.corpora.services.corpora import CorpusRefused, refuse_if_in_use
from annotator.deletion import tasks
from annotator.deletion.contents import rows_to_delete
from annotator.models import Annotator, Assignment, AuditEntry, Batch, CorpusDeletion
from profiles.jobs.claims import cancel
from profiles.models import Corpus
from profiles.models.jobs import is_unfinished

OTHER_NAME = "That is not the name of this corpus. Nothing was deleted."
NEEDED_ELSEWHERE = (
    "Batches of other corpora use profiles of “{name}”: {batches}. "
    "The corpus can’t be deleted while these batches exist. Archive it instead."
)


class WrongName(CorpusRefused):
    """What was typed is not the name of the corpus."""


def request_deletion(
    corpus: Corpus, typed: str, *, by: Annotator | None = None, request: HttpRequest | None = None
) -> CorpusDeletion:
    """Hide the corpus at once, stop its detection, and queue its deletion. Raises CorpusRefused."""
    counts = rows_to_delete(corpus)
    with transaction.atomic():
        locked = Corpus.objects.select_for_update().get(pk=corpus.pk)
        if typed.strip() != locked.name.strip():
            raise WrongName(OTHER_NAME)
        refuse_deletion(locked)
        locked.deleting_at = timezone.now()
        locked.save(update_fields=["deleting_at"])
        for run in locked.runs.filter(is_unfinished()):
            cancel(run)
        deletion, _ = CorpusDeletion.objects.get_or_create(
            corpus_id=locked.pk, defaults={"name": locked.name, "asked_by": by, "counts": counts}
        )
        details: dict[str, Any] = {"corpus": locked.pk, "name": locked.name, "rows": counts}
        record(AuditEntry.Action.CORPUS_DELETION_ASKED, request=request, actor=by, **details)
        transaction.on_commit(partial(tasks.delete_corpus.delay, deletion.pk), robust=True)
    return deletion


def refuse_deletion(corpus: Corpus) -> None:
    """Raise CorpusRefused if the corpus is in use, or if batches of other corpora need it. 4 queries."""
    refuse_if_in_use(corpus)
    planted = Assignment.objects.filter(profile__corpus=corpus).exclude(batch__corpus=corpus).values("batch")
    practised = Batch.objects.filter(after_practice__corpus=corpus).exclude(corpus=corpus).values("pk")
    names = Batch.objects.filter(pk__in=planted.union(practised)).order_by("pk").values_list("name", flat=True)
    if batches := ", ".join(f"“{name}”" for name in names):
        raise CorpusRefused(NEEDED_ELSEWHERE.format(name=corpus.name, batches=batches))


def resume_deletion(deletion: CorpusDeletion) -> None:
    """Queue it once more. If a worker has it, nothing changes."""
    transaction.on_commit(partial(tasks.delete_corpus.delay, deletion.pk), robust=True)
