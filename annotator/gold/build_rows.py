"""Build the gold records and disputes of some profiles. Writes only what changed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from annotator.gold.consensus import RULE, AgreedAnswer, CountedJudgement, Disagreement, conclude, evidence_of
from annotator.gold.equivalence import Equivalence
from annotator.gold.fingerprints import Fingerprints
from annotator.gold.judgements import Key, counted_judgements, has_changed, load_equivalence, snapshot
from annotator.models import Assignment, Batch, BuiltGold, Dispute, GoldRecord, Reached
from profiles.attributes import Attribute
from profiles.models import Corpus

LOCK = "SELECT id FROM profiles_profile WHERE id = ANY(%(profiles)s) ORDER BY id FOR NO KEY UPDATE"
MIN_SEVERITY_OF_CHANGE = 50  # for a decision whose judgements changed, even if they all agree now
RECORD_COLUMNS = {
    "value": "text", "hardness": "smallint", "certainty": "smallint", "required_subreddit": "boolean",
    "guideline_id": "bigint", "batch_ids": "bigint[]", "said": "jsonb", "evidence": "jsonb", "reached": "text",
    "rule": "text",
}  # fmt: skip
DISPUTE_COLUMNS = {"kind": "text", "severity": "integer", "judgement_count": "smallint"}
# Send all rows as one parameter: thousands of parameters would cost more than the rest of the build.
UPSERT = """
    INSERT INTO {table} (profile_id, attribute, {names})
    SELECT profile_id, attribute, {names}
    FROM jsonb_to_recordset(%(rows)s) AS incoming(profile_id bigint, attribute text, {types})
    ON CONFLICT (profile_id, attribute) DO UPDATE SET {updates}
"""

Row = dict[str, Any]


@dataclass(slots=True)
class Tally:
    """Counts of one build."""

    profiles: int = 0
    waiting: int = 0
    gold: int = 0
    disputes: int = 0
    removed: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


@dataclass(slots=True)
class BuildContext:
    """Data that all profiles of a build share."""

    corpus: Corpus
    equivalence: Equivalence
    guidelines: dict[int, tuple[int, int]]  # batch → number and id of its guidelines


@dataclass(slots=True)
class BuildResult:
    """The rows that these profiles should have after the build."""

    gold: dict[Key, Row] = field(default_factory=dict)
    disputes: dict[Key, Row] = field(default_factory=dict)
    kept: set[Key] = field(default_factory=set)  # decided by a person, so left alone


def context_for(corpus: Corpus) -> BuildContext:
    """2 queries."""
    ours = Batch.objects.filter(corpus=corpus, guideline__isnull=False)  # imported judgements follow none of ours
    batches = ours.values_list("pk", "guideline__number", "guideline_id")
    return BuildContext(corpus, load_equivalence(), {pk: (number, guideline) for pk, number, guideline in batches})


def build_profiles(context: BuildContext, fingerprints: Fingerprints) -> Tally:
    """Build all of these profiles or none, from judgements that are at least as new as the fingerprints.

    The profiles stay locked, so that builds and adjudicators wait for each other. 7 to 12 queries.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(LOCK, {"profiles": list(fingerprints)})
        existing = {pk for (pk,) in cursor.fetchall()}
        ready = existing - _waiting(existing)
        gold = _by_key(GoldRecord.objects.filter(profile__in=ready).values())
        disputes = _by_key(Dispute.objects.filter(profile__in=ready).values())
        result = _build(context, counted_judgements(context.corpus, ready), gold)
        _store_fingerprints({pk: fingerprints[pk] for pk in ready})
        return Tally(len(ready), len(existing) - len(ready)) + _write(result, gold, disputes)


def newest_guideline(context: BuildContext, judgements: Iterable[CountedJudgement]) -> int | None:
    """The latest guideline version among the batches of these judgements."""
    versions = (context.guidelines.get(judgement.batch) for judgement in judgements)
    return max((version for version in versions if version), default=(0, None))[1]


def _by_key(rows: Iterable[Any]) -> dict[Key, Row]:
    return {(row["profile_id"], row["attribute"]): row for row in rows}


def _waiting(profiles: Iterable[int]) -> set[int]:
    """Profiles with an open assignment."""
    pending = Assignment.objects.open().in_study()
    return set(pending.filter(profile__in=profiles).values_list("profile", flat=True))


def _build(
    context: BuildContext, judgements: Mapping[Key, list[CountedJudgement]], gold: Mapping[Key, Row]
) -> BuildResult:
    result = BuildResult()
    for key in (key for key, row in gold.items() if row["reached"] == Reached.ADJUDICATED):
        result.kept.add(key)
        if has_changed(gold[key]["said"], judgements.get(key, ())):
            result.disputes[key] = _changed(context, key, judgements.get(key, []))
    for key, of_attribute in judgements.items():
        if key not in result.kept:
            _conclude(context, key, of_attribute, result)
    return result


def _conclude(context: BuildContext, key: Key, judgements: list[CountedJudgement], result: BuildResult) -> None:
    outcome = conclude(Attribute(key[1]), judgements, context.equivalence)
    if isinstance(outcome, Disagreement):
        result.disputes[key] = _dispute(outcome.kind, outcome.severity, judgements)
    else:
        result.gold[key] = _record(context, outcome, judgements)


def _changed(context: BuildContext, key: Key, judgements: list[CountedJudgement]) -> Row:
    outcome = conclude(Attribute(key[1]), judgements, context.equivalence) if judgements else None
    severity = outcome.severity if isinstance(outcome, Disagreement) else 0
    return _dispute(Dispute.Kind.CHANGED.value, max(severity, MIN_SEVERITY_OF_CHANGE), judgements)


def _dispute(kind: str, severity: int, judgements: Sequence[CountedJudgement]) -> Row:
    return {"kind": kind, "severity": severity, "judgement_count": len(judgements)}


def _record(context: BuildContext, outcome: AgreedAnswer, judgements: Sequence[CountedJudgement]) -> Row:
    return {
        "value": outcome.value, "hardness": outcome.hardness, "certainty": outcome.certainty,
        "required_subreddit": outcome.required_subreddit,
        "guideline_id": newest_guideline(context, outcome.supporters),
        "batch_ids": sorted({judgement.batch for judgement in judgements}), "said": snapshot(judgements),
        "evidence": [span.as_json() for span in evidence_of(outcome.supporters)],
        "reached": outcome.reached, "rule": RULE,
    }  # fmt: skip


def _write(result: BuildResult, gold: Mapping[Key, Row], disputes: Mapping[Key, Row]) -> Tally:
    """Write only rows that changed, so that the history contains nothing but changes."""
    records = {key: row for key, row in result.gold.items() if not _is_unchanged(gold.get(key), row)}
    changed_disputes = {key: row for key, row in result.disputes.items() if not _is_unchanged(disputes.get(key), row)}
    stale_records = [row["id"] for key, row in gold.items() if key not in result.gold and key not in result.kept]
    stale_disputes = [row["id"] for key, row in disputes.items() if key not in result.disputes]
    for model, stale in ((GoldRecord, stale_records), (Dispute, stale_disputes)):
        if stale:
            model._default_manager.filter(pk__in=stale).delete()
    _upsert(GoldRecord, RECORD_COLUMNS, records, {"reason": "", "decided_at": timezone.now().isoformat()})
    _upsert(Dispute, DISPUTE_COLUMNS, changed_disputes)
    return Tally(gold=len(records), disputes=len(changed_disputes), removed=len(stale_records) + len(stale_disputes))


def _store_fingerprints(fingerprints: Fingerprints) -> None:
    built = [
        BuiltGold(profile_id=pk, fingerprint=fingerprint) for pk, fingerprint in fingerprints.items() if fingerprint
    ]
    BuiltGold.objects.bulk_create(
        built, update_conflicts=True, unique_fields=["profile"], update_fields=["fingerprint"]
    )
    if gone := [pk for pk, fingerprint in fingerprints.items() if fingerprint is None]:
        BuiltGold.objects.filter(profile__in=gone).delete()


def _is_unchanged(stored: Row | None, row: Row) -> bool:
    return stored is not None and all(stored[name] == value for name, value in row.items())


def _upsert(
    model: type[GoldRecord | Dispute], types: Mapping[str, str], rows: Mapping[Key, Row], defaults: Row | None = None
) -> None:
    if not rows:
        return
    types = {**types, **{name: "timestamptz" if name.endswith("_at") else "text" for name in defaults or ()}}
    statement = UPSERT.format(
        table=model._meta.db_table,
        names=", ".join(types),
        types=", ".join(f"{name} {kind}" for name, kind in types.items()),
        updates=", ".join(f"{name} = EXCLUDED.{name}" for name in types),
    )
    records = [
        {"profile_id": profile, "attribute": name} | row | (defaults or {}) for (profile, name), row in rows.items()
    ]
    with connection.cursor() as cursor:
        cursor.execute(statement, {"rows": json.dumps(records)})
