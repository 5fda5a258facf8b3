"""What was said about profiles: the judgements that count, as opinions, and as a gold record keeps them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from django.db import connection

from annotator.core.evidence import EvidenceSpan
from annotator.gold.consensus import Opinion
from annotator.gold.counted import OF_CORPUS
from annotator.gold.equivalence import Meanings
from annotator.models import SameMeaning
from profiles.models import Corpus

SAID = f"""
    WITH counted AS ({OF_CORPUS})
    SELECT counted.profile_id, judgement.attribute, judgement.id, counted.annotator_id, counted.batch_id,
           judgement.value, judgement.hardness, judgement.certainty, judgement.required_subreddit, judgement.judged_at
    FROM counted JOIN annotator_judgement judgement ON judgement.assignment_id = counted.id
    WHERE counted.profile_id = ANY(%(profiles)s)
    ORDER BY judgement.id
"""  # noqa: S608 both parts are our own
EVIDENCE = """
    SELECT judgement_id, start, "end", comment_id, text FROM annotator_evidence
    WHERE judgement_id = ANY(%(judgements)s) ORDER BY judgement_id, comment_id, start, "end"
"""

Key = tuple[int, str]  # profile, attribute


def said_about(corpus: Corpus, profiles: Iterable[int]) -> dict[Key, list[Opinion]]:
    """The judgements that count, with their evidence. 2 queries."""
    with connection.cursor() as cursor:
        cursor.execute(SAID, {"corpus": corpus.pk, "profiles": list(profiles)})
        rows = cursor.fetchall()
        cursor.execute(EVIDENCE, {"judgements": [row[2] for row in rows]})
        evidence: dict[int, list[EvidenceSpan]] = {}
        for judgement, *span in cursor.fetchall():
            evidence.setdefault(judgement, []).append(EvidenceSpan(*span))
    found: dict[Key, list[Opinion]] = {}
    for profile, attribute, *said in rows:
        opinion = Opinion(*said, tuple(evidence.get(said[0], ())))  # type: ignore[call-arg]  # as many as it has
        found.setdefault((profile, attribute), []).append(opinion)
    return found


def snapshot(opinions: Iterable[Opinion]) -> list[dict[str, Any]]:
    """Who said what, as a gold record keeps it."""
    return [
        {
            "judgement": one.judgement, "annotator": one.annotator, "batch": one.batch, "value": one.value,
            "hardness": one.hardness, "certainty": one.certainty, "required_subreddit": one.required_subreddit,
            "judged_at": one.judged_at.isoformat(),
        }
        for one in sorted(opinions, key=lambda one: one.judgement)
    ]  # fmt: skip


def known_meanings() -> Meanings:
    """1 query."""
    decided = SameMeaning.objects.values_list("attribute", "one", "other", "is_same")
    return Meanings({(attribute, one, other): is_same for attribute, one, other, is_same in decided})


def fingerprint(opinions: Sequence[Opinion], decided_at: datetime | None) -> str:
    """Of what somebody saw before they decided: it differs as soon as anything of it does."""
    evidence = [[span.as_json() for span in opinion.evidence] for opinion in opinions]
    seen = json.dumps([snapshot(opinions), evidence, decided_at and decided_at.isoformat()])
    return sha256(seen.encode()).hexdigest()[:32]


def has_changed(said: Iterable[Mapping[str, Any]], opinions: Iterable[Opinion]) -> bool:
    """Whether something else is said than when it was decided. Saying the same once more is no change."""
    return _substance(said) != _substance(snapshot(opinions))


def _substance(said: Iterable[Mapping[str, Any]]) -> set[tuple[Any, ...]]:
    told = ("annotator", "value", "hardness", "certainty", "required_subreddit")
    return {tuple(one.get(name) for name in told) for one in said}
