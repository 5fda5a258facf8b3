"""Tables of several annotators: each scored by themselves, or all in one list."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.spans.alignment import AlignedDocument
from evaluation.spans.tables import Overlaps, SpanTable, build_tables, find_overlaps
from evaluation.stats.panel import Ints


@dataclass(frozen=True, slots=True, eq=False)
class LayeredTables:
    """Both tables with their overlaps. `units` says which document each document of the tables belongs to."""

    gold: SpanTable
    predicted: SpanTable
    overlaps: Overlaps
    units: Ints


def tables_by_annotator(documents: Sequence[AlignedDocument]) -> LayeredTables:
    """Every annotator's layer against all predictions: several annotators count several times, as in TAB."""
    layers = [(at, spans) for at, document in enumerate(documents) for spans in document.gold.values()]
    predicted = [documents[at].predicted for at, _ in layers]
    tables = build_tables([spans for _, spans in layers], predicted)
    return LayeredTables(*tables, find_overlaps(*tables), np.array([at for at, _ in layers], np.int64))


def tables_in_one_list(documents: Sequence[AlignedDocument]) -> LayeredTables:
    """All annotators' spans of a document as one list in the order of the file, as the ECHR study has them."""
    tables = build_tables([document.all_gold for document in documents], [item.predicted for item in documents])
    return LayeredTables(*tables, find_overlaps(*tables), np.arange(len(documents)))
