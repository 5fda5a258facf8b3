"""Counts per profile: counts add up, shares do not, so every share and its interval is made from these."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from evaluation.spans.evidence.coverage import Coverage, Masking, measure_coverage
from evaluation.spans.evidence.records import CoveredSpan, DetectionCount, EvidenceRecord, Skip
from evaluation.stats.bootstrap import Counts

HASH_BYTES = 6


class Measure(StrEnum):
    """What is counted for each attribute and hardness."""

    SPANS = "spans"
    FULL = "full"
    PARTLY = "partly"
    CHARACTERS = "characters"
    MASKED_CHARACTERS = "masked_characters"
    RECORDS = "records"  # whose evidence could all be scored
    MASKED_RECORDS = "masked_records"  # whose evidence is all fully masked


class TypeMeasure(StrEnum):
    """What is counted for each entity type."""

    TOUCHED_SPANS = "touched_spans"  # spans of which it masks at least a part
    MASKED_SPANS = "masked_spans"  # spans that it masks fully, without the help of other types
    MASKED_CHARACTERS = "masked_characters"
    DETECTIONS = "detections"  # in all comments of the profiles
    TOUCHING_DETECTIONS = "touching_detections"  # that mask any evidence


class Cell(NamedTuple):
    attribute: str
    hardness: int
    measure: Measure


class TypeCell(NamedTuple):
    entity_type: str
    measure: TypeMeasure


Column = Cell | TypeCell


@dataclass
class Tally:
    """Sums over what was added so far. The order in which it is added doesn't matter."""

    profiles: dict[int, int] = field(default_factory=dict)  # to their rows
    columns: dict[Column, int] = field(default_factory=dict)
    amounts: Counter[tuple[int, int]] = field(default_factory=Counter)  # by row and column
    records: int = 0
    records_without_evidence: int = 0
    incomplete_records: int = 0
    skipped_spans: Counter[Skip] = field(default_factory=Counter)
    skipped_comments: set[int] = field(default_factory=set)
    evidence_hash: int = 0  # of all evidence that was counted
    detection_hash: int = 0  # of all detections, and of what was not analysed
    _touching: set[tuple[int, int, int, str]] = field(default_factory=set)

    def add_record(self, record: EvidenceRecord) -> None:
        """Count a record and its evidence."""
        self.records += 1
        self.records_without_evidence += not record.evidence
        row = self._row(record.profile)
        coverages = [self._add_span(row, record, span) for span in record.evidence]
        scored = [coverage for coverage in coverages if coverage is not None]
        if len(scored) < len(coverages):
            self.incomplete_records += 1
        elif scored:
            self._add(row, record, Measure.RECORDS)
            self._add(row, record, Measure.MASKED_RECORDS, all(c.masking is Masking.FULL for c in scored))

    def add_detections(self, detections: DetectionCount) -> None:
        """Count what Presidio marked in all comments of a profile."""
        self.detection_hash += _hash(detections.profile, detections.entity_type, detections.count)
        column = TypeCell(detections.entity_type, TypeMeasure.DETECTIONS)
        self._increase(self._row(detections.profile), column, detections.count)

    @property
    def counts(self) -> Counts:
        """By profile and column, as the bootstrap needs them. Profiles ascend, whatever the order they came in."""
        rows, columns = np.array([*self.amounts], np.int64).reshape(-1, 2).T
        ranks = np.argsort(np.argsort(np.array([*self.profiles], np.int64)))
        amounts = np.array([*self.amounts.values()], np.float64)
        return Counts(ranks[rows], columns, amounts, len(self.profiles), len(self.columns))

    def _add_span(self, row: int, record: EvidenceRecord, span: CoveredSpan) -> Coverage | None:
        self._add_hashes(record, span)
        if span.skip:
            self.skipped_spans[span.skip] += 1
            self.skipped_comments.add(span.comment)
            return None
        coverage = measure_coverage(span)
        self._add(row, record, Measure.SPANS)
        self._add(row, record, Measure.FULL, coverage.masking is Masking.FULL)
        self._add(row, record, Measure.PARTLY, coverage.masking is Masking.PARTLY)
        self._add(row, record, Measure.CHARACTERS, coverage.characters)
        self._add(row, record, Measure.MASKED_CHARACTERS, coverage.masked)
        self._add_types(row, span, coverage)
        return coverage

    def _add_types(self, row: int, span: CoveredSpan, coverage: Coverage) -> None:
        for entity_type, characters in coverage.by_type.items():
            self._increase(row, TypeCell(entity_type, TypeMeasure.TOUCHED_SPANS), 1)
            self._increase(row, TypeCell(entity_type, TypeMeasure.MASKED_CHARACTERS), characters)
            self._increase(
                row, TypeCell(entity_type, TypeMeasure.MASKED_SPANS), int(coverage.is_masked_by(entity_type))
            )
        for detection in coverage.touching:
            key = (span.comment, detection.start, detection.end, detection.label)
            if key not in self._touching:  # it may touch several spans, and counts once
                self._touching.add(key)
                self._increase(row, TypeCell(detection.label, TypeMeasure.TOUCHING_DETECTIONS), 1)

    def _add(self, row: int, record: EvidenceRecord, measure: Measure, amount: int = 1) -> None:
        self._increase(row, Cell(record.attribute, record.hardness, measure), int(amount))

    def _increase(self, row: int, column: Column, amount: int) -> None:
        if amount:
            self.amounts[row, self.columns.setdefault(column, len(self.columns))] += amount

    def _row(self, profile: int) -> int:
        return self.profiles.setdefault(profile, len(self.profiles))

    def _add_hashes(self, record: EvidenceRecord, span: CoveredSpan) -> None:
        """Add to the hashes. They are sums, so that the order doesn't matter."""
        place = (record.id, span.comment, span.start, span.end)
        detections = sorted((detection.start, detection.end, detection.label) for detection in span.detections)
        self.evidence_hash += _hash(*place, record.profile, record.attribute, record.hardness)
        self.detection_hash += _hash(*place, str(span.skip), *detections)


def _hash(*values: object) -> int:
    return int.from_bytes(blake2b(repr(values).encode(), digest_size=HASH_BYTES).digest())


def tally_evidence(records: Iterable[EvidenceRecord], detections: Iterable[DetectionCount]) -> Tally:
    tally = Tally()
    for record in records:
        tally.add_record(record)
    for detection_count in detections:
        tally.add_detections(detection_count)
    return tally
