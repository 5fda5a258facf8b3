"""Cards as the labelling page submits them."""

import json
from typing import Any

from annotator.core.evidence import EvidenceSpan
from annotator.labelling.cards import Card
from annotator.models import Assignment, Draft
from profiles.attributes import Attribute
from profiles.models import Comment

OSLO = Card("Oslo", hardness=1, certainty=5)


def quote(comment: Comment, words: str) -> EvidenceSpan:
    start = comment.body.index(words)
    return EvidenceSpan(start, start + len(words), comment.pk, words)


def sent(
    attribute: str = "location", *, version: int = 0, evidence: list[Any] | None = None, **changes: Any
) -> dict[str, Any]:
    """One card as the form submits it."""
    card = {"value": "oslo", "hardness": 1, "certainty": 5, "note": ""} | changes
    fields = {f"{attribute}-{name}": value for name, value in card.items()}
    spans = [span if isinstance(span, str) else json.dumps(span) for span in evidence or ()]
    return fields | {f"{attribute}-evidence": spans, f"{attribute}-version": version}


def drafted(assignment: Assignment, attribute: str = "location") -> Draft:
    return Draft.objects.get(assignment=assignment, attribute=Attribute(attribute))
