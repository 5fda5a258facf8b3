"""Errors and suspected annotation errors of one system, counted for a report and listed for people."""

from collections.abc import Sequence
from typing import Any

from evaluation.spans.alignment import AlignedDocument, align, scored_ids
from evaluation.spans.errors.items import ITEM_LIMIT, ErrorAnalysis, analyse_errors
from evaluation.spans.errors.suspects import Suspect, Suspects, find_suspects
from evaluation.spans.labels import LabelMode
from evaluation.spans.layers import LayeredTables, tables_by_annotator
from evaluation.spans.matching import MatchRule, Method, match
from evaluation.spans.metrics.texts import build_texts
from evaluation.spans.records import SpanFile
from evaluation.spans.settings import Settings


def list_errors(
    gold: SpanFile, system: SpanFile, settings: Settings, *, limit: int = ITEM_LIMIT
) -> list[dict[str, Any]]:
    """Up to `limit` items of each kind, with the words around them. `note` says what is wrong."""
    ids = scored_ids(gold, [system], settings.missing)
    documents = align(gold, system, settings.scheme, ids).documents
    errors = find_errors(documents, tables_by_annotator(documents), settings, limit=limit)
    suspects = suspect_gold(documents, limit=limit)
    return [item.as_json() for item in errors.items] + [_item(suspect) for suspect in suspects.items]


def find_errors(
    documents: Sequence[AlignedDocument], tables: LayeredTables, settings: Settings, *, limit: int = ITEM_LIMIT
) -> ErrorAnalysis:
    """`tables` are those of the documents, by annotator. A document's annotators are compared one by one."""
    rule = MatchRule(Method.R1, LabelMode.STRICT, settings.threshold, settings.ignore)
    spans = (tables.gold, tables.predicted, tables.overlaps)
    owners = [documents[at] for at in tables.units.tolist()]
    return analyse_errors(
        *spans,
        match(*spans, settings.scheme, rule),
        names=[document.id for document in owners],
        texts=[document.text for document in owners],
        threshold=settings.threshold,
        limit=limit,
    )


def suspect_gold(documents: Sequence[AlignedDocument], *, limit: int = ITEM_LIMIT) -> Suspects:
    """Suspicions need texts, so documents without one are left out."""
    readable = [(document, document.text) for document in documents if document.text is not None]
    texts = build_texts([text for _, text in readable])
    names, layers = [document.id for document, _ in readable], [document.gold for document, _ in readable]
    return find_suspects(names, layers, texts, limit=limit)


def _item(suspect: Suspect) -> dict[str, Any]:
    """A suspicion in the shape of an error."""
    contents = suspect.as_json()
    return contents | {"note": contents.pop("reason"), "other_start": None, "other_end": None, "other_label": ""}
