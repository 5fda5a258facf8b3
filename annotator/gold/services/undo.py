"""Undo an adjudicator's decision: what stood before it stands again."""

from django.apps import apps
from django.db import transaction
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.gold.build import build_profile
from annotator.gold.consensus import Disagreement, conclude
from annotator.gold.judgements import counted_judgements, load_equivalence
from annotator.gold.services.leases import require_lease
from annotator.models import Annotator, AuditEntry, BuiltGold, Dispute, GoldRecord, Reached
from profiles.attributes import Attribute
from profiles.models import Profile

GoldRecordEvent = apps.get_model("annotator", "GoldRecordEvent")
RESTORED_FIELDS = [
    "value", "hardness", "certainty", "required_subreddit", "guideline_id", "batch_ids", "said", "evidence",
    "reached", "rule", "reason", "decided_by_id", "decided_at",
]  # fmt: skip
NOTHING_UNDONE = "Nothing was undone."


class DecisionChanged(Exception):
    """The decision was undone or replaced since the adjudicator saw it."""


def undo_decision(
    profile: Profile, attribute: Attribute, *, token: str, by: Annotator, request: HttpRequest | None = None
) -> None:
    """Restore what stood before the decision: an earlier one, the consensus, or the dispute.

    `token` identifies the decision. Raise LeaseLost or DecisionChanged, and change nothing, if it can't be undone.
    """
    with transaction.atomic():
        # Lock the profile first, as decisions and builds do.
        list(Profile.objects.select_for_update(no_key=True).filter(pk=profile.pk).values_list("pk"))
        require_lease(profile, by, outcome=NOTHING_UNDONE)
        gold = GoldRecord.objects.filter(profile=profile, attribute=attribute, reached=Reached.ADJUDICATED).first()
        if gold is None or gold.decision_token != token:
            raise DecisionChanged(
                f"{attribute.label} of {profile.pseudonym} has since been undone or decided again. {NOTHING_UNDONE} "
                "Open the profile to see the current decision."
            )
        record(
            AuditEntry.Action.GOLD_DECIDED, request=request, actor=by, profile=profile.pk, gold=gold.pk,
            attribute=attribute.value, how="undo",
        )  # fmt: skip
        _restore(gold)
        if not _reopen_dispute(profile, attribute):
            BuiltGold.objects.filter(profile=profile).delete()  # if the profile waits, the next build looks at it
        build_profile(profile)


def _restore(gold: GoldRecord) -> None:
    """Write the record as it was before this decision, from its history, or delete it if there was none."""
    earlier = GoldRecordEvent._default_manager.filter(pgh_obj_id=gold.pk, decided_at__lt=gold.decided_at)
    before = earlier.order_by("-pgh_id").first()
    if before is None:
        gold.delete()
        return
    for name in RESTORED_FIELDS:
        setattr(gold, name, getattr(before, name))
    gold.save(update_fields=RESTORED_FIELDS)


def _reopen_dispute(profile: Profile, attribute: Attribute) -> bool:
    """Bring the dispute back even while the profile waits for other judgements, so that it can be decided again."""
    if GoldRecord.objects.filter(profile=profile, attribute=attribute).exists():
        return False
    judgements = counted_judgements(profile.corpus, [profile.pk]).get((profile.pk, attribute.value), [])
    outcome = conclude(attribute, judgements, load_equivalence()) if judgements else None
    if not isinstance(outcome, Disagreement):
        return False
    fields = {"kind": outcome.kind, "severity": outcome.severity, "judgement_count": len(judgements)}
    Dispute.objects.update_or_create(profile=profile, attribute=attribute, defaults=fields)
    return True
