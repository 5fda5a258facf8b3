"""Setting what a study wants."""

from collections.abc import Mapping

from django.db import transaction
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.gold.targets import CELLS, Cell, state_of
from annotator.models import Annotator, AuditEntry, Target
from profiles.models import Corpus


class TargetsChangedMeanwhile(Exception):
    """Somebody else saved targets since these were begun. Nothing was saved."""


def set_targets(
    corpus: Corpus, wanted: Mapping[Cell, int], *, based_on: str, by: Annotator, request: HttpRequest | None = None
) -> int:
    """Make these the targets, and return how many cells changed. `based_on` is the state they were begun upon."""
    with transaction.atomic():
        Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)  # one after the other
        there = {(target.attribute, target.hardness): target for target in Target.objects.filter(corpus=corpus)}
        before = {cell: target.wanted for cell, target in there.items()}
        if state_of(before) != based_on:
            raise TargetsChangedMeanwhile
        changed = [cell for cell in CELLS if wanted.get(cell, 0) != before.get(cell, 0)]
        if changed:
            _write(corpus, {cell: wanted.get(cell, 0) for cell in changed}, there)
            record(
                AuditEntry.Action.TARGETS_CHANGED, request=request, actor=by, corpus=corpus.pk, cells=len(changed),
                wanted=sum(wanted.values()),
            )  # fmt: skip
    return len(changed)


def _write(corpus: Corpus, changed: Mapping[Cell, int], there: Mapping[Cell, Target]) -> None:
    gone = [there[cell].pk for cell, wanted in changed.items() if not wanted]
    Target.objects.filter(pk__in=gone).delete()
    kept = [cell for cell, wanted in changed.items() if wanted and cell in there]
    for cell in kept:
        there[cell].wanted = changed[cell]
    Target.objects.bulk_update([there[cell] for cell in kept], ["wanted"])
    new = [(cell, wanted) for cell, wanted in changed.items() if wanted and cell not in there]
    Target.objects.bulk_create(
        Target(corpus=corpus, attribute=attribute, hardness=hardness, wanted=wanted)
        for (attribute, hardness), wanted in new
    )
