"""What goes with a corpus."""

from typing import Any

from django.db.models import Model, QuerySet, Sum

from annotator.core.dependents import Dependent, dependents
from annotator.models import AdjudicationLease, GoldBuild
from profiles.models import Comment, Corpus, Detection, DetectionChunk, Presence, SetAside, Unanalysed

# Parts of something that is listed.
UNLISTED: tuple[type[Model], ...] = (AdjudicationLease, DetectionChunk, GoldBuild, Presence, SetAside, Unanalysed)


def rows_to_delete(corpus: Corpus) -> dict[str, int]:
    """How many rows of each kind go with the corpus, without zeros. About 30 queries, none over all comments."""
    counts = {_label(dependent.model): _count(dependent, corpus) for dependent in reversed(listed_dependents())}
    return {label: count for label, count in counts.items() if count}


def listed_dependents() -> list[Dependent]:
    return [kind for kind in dependents(Corpus) if not kind.is_history and kind.model not in UNLISTED]


def _label(model: type[Model]) -> str:
    return str(model._meta.verbose_name_plural)


def _count(dependent: Dependent, corpus: Corpus) -> int:
    """Comments and detections are counted already: there may be tens of millions."""
    if dependent.model is Comment:
        return _sum(corpus.profiles.all(), "comment_count")
    if dependent.model is Detection:
        return _sum(DetectionChunk.objects.filter(run__corpus=corpus), "found")
    return int(dependent.rows([corpus.pk]).count())


def _sum(rows: QuerySet[Any], column: str) -> int:
    return int(rows.aggregate(sum=Sum(column))["sum"] or 0)
