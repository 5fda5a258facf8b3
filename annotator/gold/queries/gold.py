"""Statistics of a corpus's gold set: records, how they were reached, disputes, open profiles, targets."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Count, Exists, OuterRef, Q

from annotator.gold.queries.builds import build_of
from annotator.gold.targets import HARDNESS, Cell
from annotator.models import Assignment, Dispute, GoldBuild, GoldRecord, Reached, Target
from profiles.attributes import Attribute
from profiles.models import Corpus, Profile

RECORD_COUNTS = """
    SELECT attribute, hardness, certainty, reached, required_subreddit, count(*)
    FROM annotator_goldrecord record JOIN profiles_profile profile ON profile.id = record.profile_id
    WHERE profile.corpus_id = %(corpus)s
    GROUP BY 1, 2, 3, 4, 5
"""
DISPUTE_COUNTS = """
    SELECT dispute.attribute, count(*), count(*) FILTER (WHERE record.id IS NULL)
    FROM annotator_dispute dispute JOIN profiles_profile profile ON profile.id = dispute.profile_id
    LEFT JOIN annotator_goldrecord record
        ON record.profile_id = dispute.profile_id AND record.attribute = dispute.attribute
    WHERE profile.corpus_id = %(corpus)s
    GROUP BY 1
"""
_ASSIGNED = Assignment.objects.in_study().filter(profile=OuterRef("pk"))


class RecordCount(NamedTuple):
    """The number of records with these properties."""

    attribute: str
    hardness: int
    certainty: int
    reached: str
    required_subreddit: bool
    records: int


@dataclass(frozen=True, slots=True)
class GoldRow:
    """One attribute, or all. `open` counts assigned profiles with neither gold nor a dispute."""

    attribute: str
    label: str
    reached: tuple[int, ...]
    values: int
    negatives: int
    required: int
    disputed: int
    open: int

    @property
    def records(self) -> int:
        return self.values + self.negatives


@dataclass(frozen=True, slots=True)
class Gold:
    """The gold set of one corpus."""

    counts: Sequence[RecordCount]
    rows: Sequence[GoldRow]
    profiles: int
    build: GoldBuild | None

    @property
    def total(self) -> GoldRow:
        """The sum of all rows."""
        summed = [sum(getattr(row, name) for row in self.rows) for name in _SUMMED]
        reached = tuple(map(sum, zip(*(row.reached for row in self.rows), strict=True)))
        return GoldRow("", "All", reached, *summed)

    @property
    def have(self) -> Counter[Cell]:
        return Counter({key: count for key, count in _totals(self.counts, "attribute", "hardness").items() if key[1]})


@dataclass(frozen=True, slots=True)
class CorpusGold:
    """One corpus in the list of gold sets."""

    pk: int
    name: str
    profiles: int
    values: int
    negatives: int
    disputed: int
    build: GoldBuild | None


_SUMMED = ("values", "negatives", "required", "disputed", "open")


def gold_of(corpus: Corpus) -> Gold:
    """4 queries."""
    with connection.cursor() as cursor:
        cursor.execute(RECORD_COUNTS, {"corpus": corpus.pk})
        counts = [RecordCount(*row) for row in cursor.fetchall()]
        cursor.execute(DISPUTE_COUNTS, {"corpus": corpus.pk})
        disputed = {attribute: (every, without_gold) for attribute, every, without_gold in cursor.fetchall()}
    profiles = Profile.objects.filter(Exists(_ASSIGNED), corpus=corpus).count()
    rows = [_row(attribute, counts, disputed.get(attribute, (0, 0)), profiles) for attribute in Attribute]
    return Gold(counts, rows, profiles, build_of(corpus))


def gold_by_corpus() -> list[CorpusGold]:
    """Every corpus that is ready, newest first. 4 queries."""
    corpora = Corpus.objects.ready().current().select_related("gold_build").order_by("-created_at", "-pk")
    records: Any = GoldRecord.objects.order_by().values_list("profile__corpus")
    by_corpus = records.annotate(values_=Count("pk", filter=~Q(value="")), negatives_=Count("pk", filter=Q(value="")))
    known = {corpus: (values, negatives) for corpus, values, negatives in by_corpus}
    disputed = dict(Dispute.objects.order_by().values_list("profile__corpus").annotate(n=Count("pk")))
    assigned = dict(Profile.objects.filter(Exists(_ASSIGNED)).order_by().values_list("corpus").annotate(n=Count("pk")))
    return [
        CorpusGold(
            corpus.pk, corpus.name, assigned.get(corpus.pk, 0), *known.get(corpus.pk, (0, 0)),
            disputed.get(corpus.pk, 0), getattr(corpus, "gold_build", None),
        )
        for corpus in corpora
    ]  # fmt: skip


def targets_of(corpus: Corpus) -> dict[Cell, int]:
    """1 query."""
    rows = Target.objects.filter(corpus=corpus).values_list("attribute", "hardness", "wanted")
    return {(attribute, hardness): count for attribute, hardness, count in rows}


def _row(attribute: Attribute, counts: Sequence[RecordCount], disputed: tuple[int, int], profiles: int) -> GoldRow:
    own = [count for count in counts if count.attribute == attribute]
    reached, every = _totals(own, "reached"), sum(count.records for count in own)
    negatives = sum(count.records for count in own if not count.hardness)
    required = sum(count.records for count in own if count.required_subreddit)
    return GoldRow(
        attribute.value, attribute.label, tuple(reached[(way,)] for way in Reached.values), every - negatives,
        negatives, required, disputed[0], max(profiles - every - disputed[1], 0),
    )  # fmt: skip


def _totals(counts: Sequence[RecordCount], *names: str) -> Counter[Any]:
    totals: Counter[Any] = Counter()
    for count in counts:
        totals[tuple(getattr(count, name) for name in names)] += count.records
    return totals


@dataclass(frozen=True, slots=True)
class TargetCell:
    """Number of records and target for one attribute and hardness."""

    hardness: int
    have: int
    wanted: int

    @property
    def missing(self) -> int:
        return max(self.wanted - self.have, 0)


@dataclass(frozen=True, slots=True)
class TargetRow:
    attribute: str
    label: str
    cells: Sequence[TargetCell]

    @property
    def missing(self) -> int:
        return sum(cell.missing for cell in self.cells)


def target_rows(have: Mapping[Cell, int], targets: Mapping[Cell, int]) -> list[TargetRow]:
    """No query."""
    return [
        TargetRow(
            attribute.value,
            attribute.label,
            [TargetCell(n, have.get((attribute, n), 0), targets.get((attribute, n), 0)) for n in HARDNESS],
        )
        for attribute in Attribute
    ]
