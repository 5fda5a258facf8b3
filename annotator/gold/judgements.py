"""The judgements that count: as plain values, and in the form that gold records store."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db import connection

from annotator.core.evidence import EvidenceSpan
from annotator.core.sql import named_sql
from annotator.gold.consensus import CountedJudgement
from annotator.gold.equivalence import Equivalence
from annotator.models import Assignment, SameMeaning
from profiles.models import Corpus

COUNTED_JUDGEMENTS = """
    WITH counted AS ({counted})
    SELECT counted.profile_id, judgement.attribute, judgement.id, counted.annotator_id, counted.batch_id,
           judgement.value, judgement.hardness, judgement.certainty, judgement.required_subreddit, judgement.judged_at
    FROM counted JOIN annotator_judgement judgement ON judgement.assignment_id = counted.id
    WHERE counted.profile_id = ANY(%(profiles)s)
    ORDER BY judgement.id
"""
EVIDENCE = """
    SELECT judgement_id, start, "end", comment_id, text FROM annotator_evidence
    WHERE judgement_id = ANY(%(judgements)s) ORDER BY judgement_id, comment_id, start, "end"
"""

Key = tuple[int, str]  # profile, attribute


def counted_judgements(corpus: Corpus, profiles: Iterable[int]) -> dict[Key, list[CountedJudgement]]:
    """The judgements that count, with their evidence. 2 queries."""
    counted, values = named_sql(Assignment.objects.counted_in(corpus))
    with connection.cursor() as cursor:
        cursor.execute(COUNTED_JUDGEMENTS.format(counted=counted), values | {"profiles": list(profiles)})
        rows = cursor.fetchall()
        cursor.execute(EVIDENCE, {"judgements": [row[2] for row in rows]})
        evidence: dict[int, list[EvidenceSpan]] = {}
        for judgement, *span in cursor.fetchall():
            evidence.setdefault(judgement, []).append(EvidenceSpan(*span))
    judgements: dict[Key, list[CountedJudgement]] = {}
    for profile, attribute, *fields in rows:
        spans = tuple(evidence.get(fields[0], ()))
        judgement = CountedJudgement(*fields, spans)  # type: ignore[call-arg]  # the columns are its fields
        judgements.setdefault((profile, attribute), []).append(judgement)
    return judgements


def snapshot(judgements: Iterable[CountedJudgement]) -> list[dict[str, Any]]:
    """The judgements in the form that gold records store."""
    return [
        {
            "judgement": judgement.pk, "annotator": judgement.annotator, "batch": judgement.batch,
            "value": judgement.value, "hardness": judgement.hardness, "certainty": judgement.certainty,
            "required_subreddit": judgement.required_subreddit, "judged_at": judgement.judged_at.isoformat(),
        }
        for judgement in sorted(judgements, key=lambda judgement: judgement.pk)
    ]  # fmt: skip


def load_equivalence() -> Equivalence:
    """Load people's decisions about which answers mean the same. 1 query."""
    decisions = SameMeaning.objects.values_list("attribute", "one", "other", "is_same")
    return Equivalence({(attribute, first, second): is_same for attribute, first, second, is_same in decisions})


def fingerprint(judgements: Sequence[CountedJudgement], decided_at: datetime | None) -> str:
    """Hash of what an adjudicator saw: the judgements, their evidence and the time of the gold decision."""
    evidence = [[span.as_json() for span in judgement.evidence] for judgement in judgements]
    state = json.dumps([snapshot(judgements), evidence, decided_at and decided_at.isoformat()])
    return sha256(state.encode()).hexdigest()[:32]


def has_changed(stored: Iterable[Mapping[str, Any]], judgements: Iterable[CountedJudgement]) -> bool:
    """Whether the judgements differ from a stored snapshot. Submitting the same answer again doesn't count."""
    return _substance(stored) != _substance(snapshot(judgements))


def _substance(rows: Iterable[Mapping[str, Any]]) -> set[tuple[Any, ...]]:
    names = ("annotator", "value", "hardness", "certainty", "required_subreddit")
    return {tuple(row.get(name) for name in names) for row in rows}
