"""Delete a corpus: its files first, then what people concluded, then the comments piece by piece, then the rest.

At last the tables are vacuumed, so that Postgres keeps no words of it either.

Every step can be repeated, so a deletion that was killed resumes by starting over. Nobody sees the corpus meanwhile.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import pgtrigger
from django.db import transaction
from django.db.models import Model, Sum

from annotator.core.audit import record
from annotator.core.dependents import Dependent, dependents
from annotator.core.uploads import remove_uploads
from annotator.core.vacuum import vacuum
from annotator.exchange.export.storage import drop_exports
from annotator.models import AuditEntry, CorpusDeletion
from profiles.ingest.work_folder import WorkFolder
from profiles.jobs.claims import JobLost, NotFree
from profiles.jobs.heartbeat import Heartbeat, work_on
from profiles.models import Corpus, Profile

BROKE = (
    "The deletion stopped because of a server error; the details are in the log. The corpus is hidden, but part of it "
    "still exists. Press “Try again”."
)
COMMENTS_AT_ONCE = 20_000
PROFILES_AT_ONCE = 500


def run(deletion_id: int, tell: Callable[[int, int], object] = lambda done, total: None) -> None:
    """Delete the corpus once, however often that is requested."""
    deletion = CorpusDeletion.objects.get(pk=deletion_id)
    if deletion.finished_at and not deletion.problem:
        return
    with suppress(NotFree, JobLost), work_on(deletion, broke=BROKE, again=True) as heartbeat:
        corpus = Corpus.objects.filter(pk=deletion.corpus_id).first()
        if corpus:
            _delete_corpus(corpus, deletion, heartbeat, tell)
        transaction.on_commit(partial(vacuum, touched_tables()))  # at once: there is no transaction here


def touched_tables() -> list[type[Model]]:
    """The tables that a deletion deletes from."""
    return [Corpus, *(dependent.model for dependent in dependents(Corpus))]


def _delete_corpus(
    corpus: Corpus, deletion: CorpusDeletion, heartbeat: Heartbeat[CorpusDeletion], tell: Callable[[int, int], object]
) -> None:
    _remove_files(corpus)
    removed = Counter[str]()
    with transaction.atomic():
        removed += _delete(_concluded(), [corpus.pk])
    total = corpus.profiles.aggregate(sum=Sum("comment_count"))["sum"] or 0
    for ids, done in _pieces(corpus):
        with transaction.atomic():
            removed += _delete([*_written(), Dependent(Profile, "pk")], ids)
        heartbeat.tell(done, total)
        tell(done, total)
    with transaction.atomic():
        removed += _delete_rest(corpus)
        details: dict[str, Any] = {"corpus": corpus.pk, "name": deletion.name, "removed": dict(removed)}
        record(AuditEntry.Action.CORPUS_DELETED, actor=deletion.asked_by, **details)


def _remove_files(corpus: Corpus) -> None:
    drop_exports([corpus.pk])
    for paths in corpus.ingests.values_list("paths", flat=True):
        remove_uploads(paths)
    WorkFolder(corpus).remove()


def _concluded() -> list[Dependent]:
    """All but what was written: few rows, which are deleted together."""
    return [dependent for dependent in dependents(Corpus) if dependent.model._meta.app_label != "profiles"]


def _written() -> list[Dependent]:
    """What was written, by profile: found through indexes, because there may be tens of millions of rows."""
    return [dependent for dependent in dependents(Profile) if dependent.model._meta.app_label == "profiles"]


def _pieces(corpus: Corpus) -> Iterator[tuple[list[int], int]]:
    """Profiles with about COMMENTS_AT_ONCE comments, and how many comments are gone after them."""
    done = 0
    while rows := list(corpus.profiles.order_by("pk").values_list("pk", "comment_count")[:PROFILES_AT_ONCE]):
        ids: list[int] = []
        piece = 0
        for pk, comments in rows:
            ids.append(pk)
            piece += comments
            if piece >= COMMENTS_AT_ONCE:
                break
        done += piece
        yield ids, done


def _delete_rest(corpus: Corpus) -> Counter[str]:
    """Delete the corpus with everything that is left. The lock keeps out new rows."""
    Corpus.objects.select_for_update().get(pk=corpus.pk)
    return _delete([*dependents(Corpus), Dependent(Corpus, "pk")], [corpus.pk])


def _delete(kinds: Iterable[Dependent], ids: Sequence[int]) -> Counter[str]:
    """Delete in one statement each, and leave no history of it. Postgres checks foreign keys at the end."""
    removed = Counter[str]()
    with pgtrigger.ignore():
        for kind in kinds:
            rows = kind.rows(ids)
            removed[kind.model._meta.label_lower] += rows._raw_delete(rows.db) or 0
    return removed
