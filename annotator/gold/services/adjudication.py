"""Adjudication: a person decides about judgements that do not agree."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import TextChoices
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.gold.build_rows import context_for, newest_guideline
from annotator.gold.consensus import CountedJudgement, evidence_of
from annotator.gold.equivalence import Equivalence
from annotator.gold.judgements import counted_judgements, fingerprint, snapshot
from annotator.gold.proposals import evidence_for, propose_merger
from annotator.gold.services.leases import require_lease
from annotator.models import Annotator, AuditEntry, Dispute, GoldRecord, Reached
from profiles.attributes import Attribute
from profiles.models import Profile

RULE = "adjudication"
ANSWER_FIELDS = ("value", "hardness", "certainty", "required_subreddit")


class JudgementsChanged(Exception):
    """The judgements or the gold record changed since the adjudicator opened the page."""


class ReasonNeeded(Exception):
    """A merged answer differs from the proposal and comes without a reason."""


class DecisionMethod(TextChoices):
    ACCEPT = "accept", "Accept"
    MERGE = "merge", "Merge"
    WRITE = "write", "Write another"
    KEEP = "keep", "Keep what was decided"


@dataclass(frozen=True, slots=True)
class Decision:
    """What an adjudicator chose. `fingerprint` identifies what they saw."""

    method: DecisionMethod
    fingerprint: str
    judgement: int | None = None  # the accepted judgement
    value: str = ""
    hardness: int = 0
    certainty: int = 0
    required_subreddit: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AttributeState:
    """The current judgements and gold record of an attribute, locked for the decision."""

    attribute: Attribute
    judgements: list[CountedJudgement]
    gold: GoldRecord | None
    equivalence: Equivalence


def decide(
    profile: Profile, attribute: Attribute, decision: Decision, *, by: Annotator, request: HttpRequest | None = None
) -> GoldRecord:
    """Write the decision as gold. Raise LeaseLost, JudgementsChanged or ReasonNeeded if it can't be accepted."""
    context = context_for(profile.corpus)
    with transaction.atomic():
        list(Profile.objects.select_for_update(no_key=True).filter(pk=profile.pk).values_list("pk"))
        require_lease(profile, by)
        state = _state(profile, attribute, context.equivalence)
        if decision.fingerprint != fingerprint(state.judgements, state.gold.decided_at if state.gold else None):
            raise JudgementsChanged(
                "Something has changed since you opened this page, so your decision was not saved. "
                "What you wrote is kept below. Check it, then decide again."
            )
        fields = _fields(state, decision) | {
            "guideline_id": newest_guideline(context, state.judgements),
            "batch_ids": sorted({judgement.batch for judgement in state.judgements}),
            "said": snapshot(state.judgements),
            "reached": Reached.ADJUDICATED, "rule": RULE, "reason": decision.reason, "decided_by": by,
            "decided_at": timezone.now(),
        }  # fmt: skip
        gold, _ = GoldRecord.objects.update_or_create(profile=profile, attribute=attribute, defaults=fields)
        Dispute.objects.filter(profile=profile, attribute=attribute).delete()
        record(
            AuditEntry.Action.GOLD_DECIDED, request=request, actor=by, profile=profile.pk, gold=gold.pk,
            attribute=attribute.value, how=decision.method.value,
        )  # fmt: skip
    return gold


def _state(profile: Profile, attribute: Attribute, equivalence: Equivalence) -> AttributeState:
    judgements = counted_judgements(profile.corpus, [profile.pk]).get((profile.pk, attribute.value), [])
    gold = GoldRecord.objects.filter(profile=profile, attribute=attribute).first()
    return AttributeState(attribute, judgements, gold, equivalence)


def _fields(state: AttributeState, decision: Decision) -> dict[str, Any]:
    if decision.method is DecisionMethod.ACCEPT:
        return _accept(state, decision.judgement)
    if decision.method is DecisionMethod.KEEP:
        return _keep(state)
    if decision.method is DecisionMethod.MERGE:
        _refuse_unexplained(state, decision)
    spans = evidence_for(state.attribute, decision.value, state.judgements, state.equivalence)
    return {name: getattr(decision, name) for name in ANSWER_FIELDS} | {"evidence": [span.as_json() for span in spans]}


def _accept(state: AttributeState, judgement: int | None) -> dict[str, Any]:
    """The accepted judgement, with the evidence of all judgements that mean the same."""
    chosen = next((candidate for candidate in state.judgements if candidate.pk == judgement), None)
    if chosen is None:
        raise JudgementsChanged("The judgement you accepted no longer exists. Your decision was not saved.")
    alike = [j for j in state.judgements if state.equivalence.are_same(state.attribute, j.value, chosen.value)]
    return {name: getattr(chosen, name) for name in ANSWER_FIELDS} | {
        "evidence": [s.as_json() for s in evidence_of(alike)]
    }


def _keep(state: AttributeState) -> dict[str, Any]:
    if state.gold is None:
        raise JudgementsChanged("There is no earlier decision to keep.")
    return {name: getattr(state.gold, name) for name in (*ANSWER_FIELDS, "evidence")}


def _refuse_unexplained(state: AttributeState, decision: Decision) -> None:
    proposal = propose_merger(state.attribute, state.judgements, state.equivalence)
    if (proposal is None or proposal.value != decision.value) and not decision.reason:
        raise ReasonNeeded("This differs from the merged answer. Give a reason.")
