"""The report as it is stored: numbers and codes, no text that anybody wrote."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from evaluation.spans.evidence.coverage import RULE
from evaluation.spans.evidence.estimates import Choice, Shares
from evaluation.spans.evidence.records import DetectionCount, EvidenceRecord, Skip
from evaluation.spans.evidence.tally import (
    HASH_BYTES,
    Cell,
    Measure,
    Tally,
    TypeCell,
    TypeMeasure,
    tally_evidence,
)
from evaluation.stats.signature import MIN_PROFILES, Signature

FORMAT = "telltale.evidence/1"
VERSION = 1  # of the definitions; increase it whenever one changes
RESAMPLES, SEED = 1000, 12345

Contents = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything beside the rows themselves that determines the numbers."""

    scope: str  # `corpus-1` or `batch-4`
    source: str  # `gold` or `judgements`
    recipe: str  # its digest
    detection_run: int
    attributes: tuple[str, ...]  # all that exist, in the order of pages
    bootstrap: int = RESAMPLES
    seed: int = SEED


def score_evidence(
    records: Iterable[EvidenceRecord], detections: Iterable[DetectionCount], settings: Settings
) -> Contents:
    """Read everything once, and return the report."""
    tally = tally_evidence(records, detections)
    shares = Shares(tally, resamples=settings.bootstrap, seed=settings.seed)
    overall, detections_found = _cell(shares, _Group()), _detections(shares, None)
    hardnesses = sorted({column.hardness for column in tally.columns if isinstance(column, Cell)})
    return {
        "format": FORMAT,
        "version": VERSION,
        "signature": str(_signature(tally, settings)),
        "settings": {
            "scope": settings.scope, "source": settings.source, "recipe": settings.recipe,
            "detection_run": settings.detection_run, "rule": RULE, "min_profiles": MIN_PROFILES,
            "bootstrap": settings.bootstrap, "seed": settings.seed,
        },
        "counts": _counts(tally),
        "headline": _headline(overall, detections_found, settings.source),
        "overall": overall,
        "hardness": [{"hardness": step} | _cell(shares, _Group(hardness=step)) for step in hardnesses],
        "attributes": [_attribute(shares, name, hardnesses) for name in settings.attributes],
        "types": [_type(shares, name) for name in _type_names(shares, tally)],
        "detections": detections_found,
    }  # fmt: skip


def _signature(tally: Tally, settings: Settings) -> Signature:
    return Signature.of(
        metric="evidence-masked",
        scope=settings.scope,
        source=settings.source,
        gold=f"{tally.records}-records@{_hexadecimal(tally.evidence_hash)}",
        pred=f"recipe-{settings.recipe[:12]}@{_hexadecimal(tally.detection_hash)}",
        rule=RULE,
        min_profiles=MIN_PROFILES,
        bootstrap=settings.bootstrap,
        seed=settings.seed,
        version=VERSION,
    )


def _hexadecimal(total: int) -> str:
    return f"{total % 256**HASH_BYTES:0{2 * HASH_BYTES}x}"


def _headline(overall: Contents, detections: Contents, source: str) -> list[Contents]:
    """The few numbers that lists and the top of the page show."""
    values = "Gold values" if source == "gold" else "Judgements"
    return [
        _card("Evidence fully masked", overall["full_share"], f"{overall['spans']:,} spans"),
        _card("Letters and digits masked", overall["character_share"], f"of {overall['characters']:,}"),
        _card(f"{values} with all evidence masked", overall["record_share"], f"of {overall['records']:,}"),
        _card("Detections that touch evidence", detections["touching_share"], f"of {detections['detections']:,}"),
    ]


def _card(label: str, share: Contents, note: str) -> Contents:
    return {"label": label, **share, "note": note, "is_share": True}


def _counts(tally: Tally) -> Contents:
    return {
        "profiles": len(tally.profiles),
        "records": tally.records,
        "records_without_evidence": tally.records_without_evidence,
        "incomplete_records": tally.incomplete_records,
        "skipped_spans": {skip.value: tally.skipped_spans[skip] for skip in Skip},
        "skipped_comments": len(tally.skipped_comments),
    }


def _attribute(shares: Shares, name: str, hardnesses: Iterable[int]) -> Contents:
    by_hardness = [{"hardness": step} | _cell(shares, _Group(attribute=name, hardness=step)) for step in hardnesses]
    return {"attribute": name} | _cell(shares, _Group(attribute=name)) | {"hardness": by_hardness}


@dataclass(frozen=True, slots=True)
class _Group:
    """Cells of an attribute and a hardness; None stands for all."""

    attribute: str | None = None
    hardness: int | None = None

    def __call__(self, measure: Measure) -> Choice:
        return lambda column: (
            isinstance(column, Cell)
            and column.measure is measure
            and self.attribute in (None, column.attribute)
            and self.hardness in (None, column.hardness)
        )


def _cell(shares: Shares, group: _Group) -> Contents:
    totals = {measure.value: shares.total(group(measure)) for measure in Measure}
    return {
        **totals,
        "left": totals["spans"] - totals["full"] - totals["partly"],
        "profiles": shares.profiles(group(Measure.SPANS)),
        "full_share": shares.share(group(Measure.FULL), group(Measure.SPANS)).as_json(),
        "character_share": shares.share(group(Measure.MASKED_CHARACTERS), group(Measure.CHARACTERS)).as_json(),
        "record_share": shares.share(group(Measure.MASKED_RECORDS), group(Measure.RECORDS)).as_json(),
    }


def _type_names(shares: Shares, tally: Tally) -> list[str]:
    """Types that mask most evidence first."""
    names = {column.entity_type for column in tally.columns if isinstance(column, TypeCell)}
    return sorted(names, key=lambda name: (-shares.total(_of_type(name, TypeMeasure.MASKED_CHARACTERS)), name))


def _type(shares: Shares, name: str) -> Contents:
    measures = (TypeMeasure.TOUCHED_SPANS, TypeMeasure.MASKED_SPANS, TypeMeasure.MASKED_CHARACTERS)
    totals = {measure.value: shares.total(_of_type(name, measure)) for measure in measures}
    spans = _Group()(Measure.SPANS)
    return {
        "type": name,
        **totals,
        "masked_share": shares.share(_of_type(name, TypeMeasure.MASKED_SPANS), spans).as_json(),
        **_detections(shares, name),
    }


def _detections(shares: Shares, name: str | None) -> Contents:
    every, touching = (_of_type(name, measure) for measure in (TypeMeasure.DETECTIONS, TypeMeasure.TOUCHING_DETECTIONS))
    return {
        "detections": shares.total(every),
        "touching_detections": shares.total(touching),
        "touching_share": shares.share(touching, every).as_json(),
    }


def _of_type(name: str | None, measure: TypeMeasure) -> Choice:
    return lambda column: (
        isinstance(column, TypeCell) and column.measure is measure and name in (None, column.entity_type)
    )
