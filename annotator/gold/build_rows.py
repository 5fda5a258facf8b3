"""Some profiles' judgements into gold and disputes: what changed is written, and nothing else."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from annotator.gold.consensus import RULE, AgreedAnswer, CountedJudgement, Disagreement, conclude, evidence_of
from annotator.gold.equivalence import Equivalence
from annotator.gold.judgements import Key, counted_judgements, has_changed, load_equivalence, snapshot
from annotator.models import Assignment, Batch, Dispute, GoldRecord, Reached
from profiles.attributes import Attribute
from profiles.models import Corpus

LOCK = "SELECT id FROM profiles_profile WHERE id = ANY(%(profiles)s) ORDER BY id FOR NO KEY UPDATE"
CHANGED_AT_LEAST = 50  # severity of a decision whose ground changed, though no two disagree any more
OF_A_RECORD = {
    "value": "text", "hardness": "smallint", "certainty": "smallint", "required_subreddit": "boolean",
    "guideline_id": "bigint", "batch_ids": "bigint[]", "said": "jsonb", "evidence": "jsonb", "reached": "text",
    "rule": "text",
}  # fmt: skip
OF_A_DISPUTE = {"kind": "text", "severity": "integer", "judgement_count": "smallint"}
# All rows as one parameter: thousands of them would cost more than all the rest.
UPSERT = """
    INSERT INTO {table} (profile_id, attribute, {names})
    SELECT profile_id, attribute, {names}
    FROM jsonb_to_recordset(%(rows)s) AS given(profile_id bigint, attribute text, {types})
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
    """What every profile of a build shares."""

    corpus: Corpus
    equivalence: Equivalence
    guidelines: dict[int, tuple[int, int]]  # batch → number and id of its guidelines


@dataclass(slots=True)
class Wanted:
    """What there should be once these profiles are built."""

    gold: dict[Key, Row] = field(default_factory=dict)
    disputes: dict[Key, Row] = field(default_factory=dict)
    kept: set[Key] = field(default_factory=set)  # decided by a person, and so left as it is


def context_for(corpus: Corpus) -> BuildContext:
    """2 queries."""
    batches = Batch.objects.filter(corpus=corpus).values_list("pk", "guideline__number", "guideline_id")
    return BuildContext(corpus, load_equivalence(), {pk: (number, guideline) for pk, number, guideline in batches})


def build_profiles(context: BuildContext, profiles: Sequence[int]) -> Tally:
    """All of them or none, with their rows held: whoever decides about one waits, or is waited for. 6 to 10 queries."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(LOCK, {"profiles": list(profiles)})
        there = {pk for (pk,) in cursor.fetchall()}
        through = there - _waiting(there)
        gold = _by_key(GoldRecord.objects.filter(profile__in=through).values())
        disputes = _by_key(Dispute.objects.filter(profile__in=through).values())
        wanted = _worked_out(context, counted_judgements(context.corpus, through), gold)
        return Tally(len(through), len(there) - len(through)) + _write(wanted, gold, disputes)


def newest_guideline(context: BuildContext, judgements: Iterable[CountedJudgement]) -> int | None:
    """Under which it was judged; where batches differ, the latest."""
    return max((context.guidelines[judgement.batch] for judgement in judgements), default=(0, None))[1]


def _by_key(rows: Iterable[Any]) -> dict[Key, Row]:
    return {(row["profile_id"], row["attribute"]): row for row in rows}


def _waiting(profiles: Iterable[int]) -> set[int]:
    """Those about which somebody is still to say something."""
    still = Assignment.objects.open().in_study()
    return set(still.filter(profile__in=profiles).values_list("profile", flat=True))


def _worked_out(context: BuildContext, said: Mapping[Key, list[CountedJudgement]], gold: Mapping[Key, Row]) -> Wanted:
    wanted = Wanted()
    for key in (key for key, row in gold.items() if row["reached"] == Reached.ADJUDICATED):
        wanted.kept.add(key)
        if has_changed(gold[key]["said"], said.get(key, ())):
            wanted.disputes[key] = _changed(context, key, said.get(key, []))
    for key, judgements in said.items():
        if key not in wanted.kept:
            _conclude(context, key, judgements, wanted)
    return wanted


def _conclude(context: BuildContext, key: Key, judgements: list[CountedJudgement], wanted: Wanted) -> None:
    outcome = conclude(Attribute(key[1]), judgements, context.equivalence)
    if isinstance(outcome, Disagreement):
        wanted.disputes[key] = _dispute(outcome.kind, outcome.severity, judgements)
    else:
        wanted.gold[key] = _record(context, outcome, judgements)


def _changed(context: BuildContext, key: Key, judgements: list[CountedJudgement]) -> Row:
    outcome = conclude(Attribute(key[1]), judgements, context.equivalence) if judgements else None
    severity = outcome.severity if isinstance(outcome, Disagreement) else 0
    return _dispute(Dispute.Kind.CHANGED.value, max(severity, CHANGED_AT_LEAST), judgements)


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


def _write(wanted: Wanted, gold: Mapping[Key, Row], disputes: Mapping[Key, Row]) -> Tally:
    """What is there already as it should be is left alone, so that its history tells of changes only."""
    records = {key: row for key, row in wanted.gold.items() if not _is_alike(gold.get(key), row)}
    found = {key: row for key, row in wanted.disputes.items() if not _is_alike(disputes.get(key), row)}
    no_longer = [row["id"] for key, row in gold.items() if key not in wanted.gold and key not in wanted.kept]
    dissolved = [row["id"] for key, row in disputes.items() if key not in wanted.disputes]
    for model, gone in ((GoldRecord, no_longer), (Dispute, dissolved)):
        if gone:
            model._default_manager.filter(pk__in=gone).delete()
    _upsert(GoldRecord, OF_A_RECORD, records, {"reason": "", "decided_at": timezone.now().isoformat()})
    _upsert(Dispute, OF_A_DISPUTE, found)
    return Tally(gold=len(records), disputes=len(found), removed=len(no_longer) + len(dissolved))


def _is_alike(there: Row | None, wanted: Row) -> bool:
    return there is not None and all(there[name] == value for name, value in wanted.items())


def _upsert(
    model: type[GoldRecord | Dispute], types: Mapping[str, str], rows: Mapping[Key, Row], also: Row | None = None
) -> None:
    if not rows:
        return
    types = {**types, **{name: "timestamptz" if name.endswith("_at") else "text" for name in also or ()}}
    statement = UPSERT.format(
        table=model._meta.db_table,
        names=", ".join(types),
        types=", ".join(f"{name} {kind}" for name, kind in types.items()),
        updates=", ".join(f"{name} = EXCLUDED.{name}" for name in types),
    )
    given = [{"profile_id": profile, "attribute": name} | row | (also or {}) for (profile, name), row in rows.items()]
    with connection.cursor() as cursor:
        cursor.execute(statement, {"rows": json.dumps(given)})
