"""What people decided to mean the same, or not: remembered for every profile."""

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.gold.equivalence import in_order
from annotator.gold.services.builds import request_build
from annotator.models import Annotator, AuditEntry, GoldBuild, SameMeaning
from profiles.attributes import Attribute


def decide_meaning(
    attribute: Attribute,
    values: tuple[str, str],
    *,
    is_same: bool,
    by: Annotator,
    request: HttpRequest | None = None,
) -> SameMeaning:
    """Remember it, in place of what was decided before about the two. Every corpus is worked out anew."""
    one, other = in_order(*values)
    with transaction.atomic():
        decision, _ = SameMeaning.objects.update_or_create(
            attribute=attribute, one=one, other=other,
            defaults={"is_same": is_same, "decided_by": by, "decided_at": timezone.now()},
        )  # fmt: skip
        _tell(decision, by, request, is_same=is_same)
    return decision


def forget_meaning(decision: SameMeaning, *, by: Annotator, request: HttpRequest | None = None) -> None:
    """As if nobody had decided: the rules of answers hold again."""
    with transaction.atomic():
        _tell(decision, by, request, is_same=None)
        decision.delete()


def _tell(decision: SameMeaning, by: Annotator, request: HttpRequest | None, *, is_same: bool | None) -> None:
    record(
        AuditEntry.Action.MEANING_DECIDED, request=request, actor=by, meaning=decision.pk,
        attribute=decision.attribute, decided={True: "same", False: "not the same", None: "undone"}[is_same],
    )  # fmt: skip
    for corpus in GoldBuild.objects.values_list("corpus", flat=True):
        request_build(corpus)
