"""Deciding what nobody could agree on."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import TextChoices
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.gold.build_rows import context_for, newest_guideline
from annotator.gold.consensus import Opinion, evidence_of
from annotator.gold.equivalence import Meanings
from annotator.gold.judgements import fingerprint, said_about, snapshot
from annotator.gold.proposals import evidence_for, merged
from annotator.gold.services.leases import hold_lease
from annotator.models import Annotator, AuditEntry, Dispute, GoldRecord, Reached
from profiles.attributes import Attribute
from profiles.models import Profile

RULE = "adjudication"
CONCLUDED = ("value", "hardness", "certainty", "required_subreddit")


class ChangedMeanwhile(Exception):
    """Something else is said, or was decided, than the person saw."""


class ReasonNeeded(Exception):
    """What is decided differs from all that was said or proposed."""


class How(TextChoices):
    ACCEPT = "accept", "Accept"
    MERGE = "merge", "Merge"
    WRITE = "write", "Write another"
    KEEP = "keep", "Keep what was decided"


@dataclass(frozen=True, slots=True)
class Decision:
    """What an adjudicator chose. `seen` is the fingerprint of what they chose from."""

    how: How
    seen: str
    judgement: int | None = None  # the accepted one
    value: str = ""
    hardness: int = 0
    certainty: int = 0
    required_subreddit: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """What stands when it is decided, held until it is done."""

    attribute: Attribute
    opinions: list[Opinion]
    gold: GoldRecord | None
    meanings: Meanings


def decide(
    profile: Profile, attribute: Attribute, decision: Decision, *, by: Annotator, request: HttpRequest | None = None
) -> GoldRecord:
    """Make it gold, with who said what. Refused without the lease, or when other things are said than were seen."""
    context = context_for(profile.corpus)
    with transaction.atomic():
        list(Profile.objects.select_for_update(no_key=True).filter(pk=profile.pk).values_list("pk"))
        hold_lease(profile, by)
        case = _case(profile, attribute, context.meanings)
        if decision.seen != fingerprint(case.opinions, case.gold.decided_at if case.gold else None):
            raise ChangedMeanwhile(
                "Something changed since you opened this page: look at it once more. Nothing was decided; "
                "what you wrote is kept below."
            )
        fields = _fields(case, decision) | {
            "guideline_id": newest_guideline(context, case.opinions),
            "batch_ids": sorted({one.batch for one in case.opinions}), "said": snapshot(case.opinions),
            "reached": Reached.ADJUDICATED, "rule": RULE, "reason": decision.reason, "decided_by": by,
            "decided_at": timezone.now(),
        }  # fmt: skip
        gold, _ = GoldRecord.objects.update_or_create(profile=profile, attribute=attribute, defaults=fields)
        Dispute.objects.filter(profile=profile, attribute=attribute).delete()
        record(
            AuditEntry.Action.GOLD_DECIDED, request=request, actor=by, profile=profile.pk, gold=gold.pk,
            attribute=attribute.value, how=decision.how.value,
        )  # fmt: skip
    return gold


def _case(profile: Profile, attribute: Attribute, meanings: Meanings) -> Case:
    opinions = said_about(profile.corpus, [profile.pk]).get((profile.pk, attribute.value), [])
    gold = GoldRecord.objects.filter(profile=profile, attribute=attribute).first()
    return Case(attribute, opinions, gold, meanings)


def _fields(case: Case, decision: Decision) -> dict[str, Any]:
    if decision.how is How.ACCEPT:
        return _accepted(case, decision.judgement)
    if decision.how is How.KEEP:
        return _kept(case)
    if decision.how is How.MERGE:
        _refuse_unexplained(case, decision)
    spans = evidence_for(case.attribute, decision.value, case.opinions, case.meanings)
    return {name: getattr(decision, name) for name in CONCLUDED} | {"evidence": [span.as_json() for span in spans]}


def _accepted(case: Case, judgement: int | None) -> dict[str, Any]:
    """That judgement as it is, with the words of all who mean the same."""
    chosen = next((one for one in case.opinions if one.judgement == judgement), None)
    if chosen is None:
        raise ChangedMeanwhile("The judgement that you accepted is not there any more. Nothing was decided.")
    alike = [one for one in case.opinions if case.meanings.are_same(case.attribute, one.value, chosen.value)]
    return {name: getattr(chosen, name) for name in CONCLUDED} | {"evidence": [s.as_json() for s in evidence_of(alike)]}


def _kept(case: Case) -> dict[str, Any]:
    if case.gold is None:
        raise ChangedMeanwhile("There is nothing to keep: nothing was decided here before.")
    return {name: getattr(case.gold, name) for name in (*CONCLUDED, "evidence")}


def _refuse_unexplained(case: Case, decision: Decision) -> None:
    proposal = merged(case.attribute, case.opinions, case.meanings)
    if (proposal is None or proposal.value != decision.value) and not decision.reason:
        raise ReasonNeeded("This is not what the answers come to together: say why.")
