"""Targets: how many labels a study wants of each attribute and hardness."""

from collections.abc import Mapping
from hashlib import sha256

from django.db import transaction
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.models import Annotator, AuditEntry, Target
from profiles.attributes import Attribute
from profiles.models import Corpus

HARDNESS = range(1, 6)
MAX_TARGET = 100_000

Cell = tuple[str, int]  # attribute and hardness
CELLS: tuple[Cell, ...] = tuple((attribute.value, hardness) for attribute in Attribute for hardness in HARDNESS)


def targets_digest(targets: Mapping[Cell, int]) -> str:
    """Digest that identifies the targets a form was based on."""
    numbers = ",".join(str(targets.get(cell, 0)) for cell in CELLS)
    return sha256(numbers.encode()).hexdigest()[:16]


class OutdatedTargets(Exception):
    """Somebody else saved targets since the form was opened. Nothing was saved."""


def set_targets(
    corpus: Corpus, targets: Mapping[Cell, int], *, based_on: str, by: Annotator, request: HttpRequest | None = None
) -> int:
    """Save the targets and return how many cells changed. `based_on` is the digest of the targets the form showed."""
    with transaction.atomic():
        Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)  # serialise concurrent saves
        rows = {(row.attribute, row.hardness): row for row in Target.objects.filter(corpus=corpus)}
        before = {cell: row.wanted for cell, row in rows.items()}
        if targets_digest(before) != based_on:
            raise OutdatedTargets
        changed = [cell for cell in CELLS if targets.get(cell, 0) != before.get(cell, 0)]
        if changed:
            _write(corpus, {cell: targets.get(cell, 0) for cell in changed}, rows)
            record(
                AuditEntry.Action.TARGETS_CHANGED, request=request, actor=by, corpus=corpus.pk, cells=len(changed),
                wanted=sum(targets.values()),
            )  # fmt: skip
    return len(changed)


def _write(corpus: Corpus, changed: Mapping[Cell, int], rows: Mapping[Cell, Target]) -> None:
    removed = [rows[cell].pk for cell, count in changed.items() if not count]
    Target.objects.filter(pk__in=removed).delete()
    updated = [cell for cell, count in changed.items() if count and cell in rows]
    for cell in updated:
        rows[cell].wanted = changed[cell]
    Target.objects.bulk_update([rows[cell] for cell in updated], ["wanted"])
    added = [(cell, count) for cell, count in changed.items() if count and cell not in rows]
    Target.objects.bulk_create(
        Target(corpus=corpus, attribute=attribute, hardness=hardness, wanted=count)
        for (attribute, hardness), count in added
    )
