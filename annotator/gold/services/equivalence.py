"""People's decisions on whether two answers mean the same. They apply to every profile."""

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.gold.equivalence import ordered_pair
from annotator.gold.services.builds import request_build
from annotator.models import Annotator, AuditEntry, GoldBuild, SameMeaning
from profiles.attributes import Attribute


def decide_equivalence(
    attribute: Attribute,
    values: tuple[str, str],
    *,
    is_same: bool,
    by: Annotator,
    request: HttpRequest | None = None,
) -> SameMeaning:
    """Store the decision, replacing an earlier one about the same answers, and request a rebuild of all gold."""
    first, second = ordered_pair(*values)
    with transaction.atomic():
        decision, _ = SameMeaning.objects.update_or_create(
            attribute=attribute, one=first, other=second,
            defaults={"is_same": is_same, "decided_by": by, "decided_at": timezone.now()},
        )  # fmt: skip
        _record_and_rebuild(decision, by, request, is_same=is_same)
    return decision


def undo_equivalence(decision: SameMeaning, *, by: Annotator, request: HttpRequest | None = None) -> None:
    """Delete the decision, so that the rules for answers apply again, and request a rebuild of all gold."""
    with transaction.atomic():
        _record_and_rebuild(decision, by, request, is_same=None)
        decision.delete()


def _record_and_rebuild(
    decision: SameMeaning, by: Annotator, request: HttpRequest | None, *, is_same: bool | None
) -> None:
    record(
        AuditEntry.Action.MEANING_DECIDED, request=request, actor=by, meaning=decision.pk,
        attribute=decision.attribute, decided={True: "same", False: "not the same", None: "undone"}[is_same],
    )  # fmt: skip
    for corpus in GoldBuild.objects.values_list("corpus", flat=True):
        request_build(corpus)
