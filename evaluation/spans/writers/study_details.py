"""The ECHR study's `detailed_eval_*.json`: what became of every span, and the summary that its scripts print.

It quotes the texts. Labels are the mapped ones; several predictions that make one match are joined with " + ".
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.spans.alignment import AlignedDocument
from evaluation.spans.labels import IgnorePolicy, LabelMode, LabelScheme
from evaluation.spans.matching import GoldState, Matching, MatchRule, Method, PredictionState, match
from evaluation.spans.matching.pairs import Pairs
from evaluation.spans.records import LabelledSpan
from evaluation.spans.study import StudyCounts
from evaluation.spans.tables import build_tables, find_overlaps
from evaluation.stats.panel import Ints

JOINED = " + "
EXACT, RELAXED = "exact", "relaxed_org_loc"


def detailed_evaluation(
    documents: Sequence[AlignedDocument], scheme: LabelScheme, labels: LabelMode, threshold: float = 0.3
) -> list[dict[str, Any]]:
    """Match by the study's rule, and list true positives, false negatives and false positives of each document."""
    gold, predicted = build_tables([document.all_gold for document in documents], [d.predicted for d in documents])
    overlaps = find_overlaps(gold, predicted)
    matching = match(gold, predicted, overlaps, scheme, MatchRule(Method.COMPAT, labels, threshold, IgnorePolicy.STUDY))
    pairs = Pairs.of(gold, predicted, overlaps)
    contributors = _contributors(pairs.where(pairs.compatible(scheme, labels)), matching)
    firsts = [_firsts(table.documents, len(documents)) for table in (gold, predicted)]
    return [
        {
            "doc_id": document.id,
            "evaluation": DocumentMatches(document, first, second, matching, contributors).as_json(),
        }
        for document, first, second in zip(documents, *firsts, strict=True)
    ]


def summarise(counts: StudyCounts, documents: int) -> str:
    """The figures as the study prints them; shares with four digits."""
    shares = {"Precision": counts.precision, "Recall": counts.recall, "F1": counts.f1}
    lines = [
        f"Documents: {documents}",
        f"True positives: {counts.tp} (relaxed: {counts.relaxed_matches})",
        f"False positives: {counts.fp}",
        f"False negatives: {counts.fn}",
        *(f"{name}: {'undefined' if share is None else f'{share:.4f}'}" for name, share in shares.items()),
    ]
    return "\n".join(lines) + "\n"


def _firsts(documents: Ints, count: int) -> list[int]:
    """The row at which each document begins."""
    return list(np.searchsorted(documents, np.arange(count)).tolist())


def _contributors(pairs: Pairs, matching: Matching) -> dict[int, list[tuple[int, int]]]:
    """The predictions of each matched gold span, with the characters that they share.

    A matched gold span takes all compatible predictions that no earlier one took, so going through them again in the
    same order gives the same answer.
    """
    taken: dict[int, int] = {}
    contributors = defaultdict(list)
    is_matched = matching.is_matched[pairs.gold]
    for gold, predicted, shared in zip(*(column[is_matched].tolist() for column in _columns(pairs)), strict=True):
        if taken.setdefault(predicted, gold) == gold:
            contributors[gold].append((predicted, shared))
    return contributors


def _columns(pairs: Pairs) -> tuple[Ints, Ints, Ints]:
    return pairs.gold, pairs.predicted, pairs.shared


@dataclass(frozen=True, slots=True)
class DocumentMatches:
    """A document whose spans begin at the rows `first_gold` and `first_predicted` of the tables."""

    document: AlignedDocument
    first_gold: int
    first_predicted: int
    matching: Matching
    contributors: dict[int, list[tuple[int, int]]]

    def as_json(self) -> dict[str, Any]:
        gold = list(enumerate(self.document.all_gold, self.first_gold))
        return {
            "true_positives": [self._match(row, span) for row, span in gold if row in self.contributors],
            "false_negatives": [
                _place(span) | {"ground_truth_text": self._text(span)}
                for row, span in gold
                if self.matching.gold[row] == GoldState.MISSED
            ],
            "false_positives": [
                _place(span) | {"presidio_spanned_text": self._text(span)} for span in self._spurious()
            ],
        }

    def _spurious(self) -> Iterator[LabelledSpan]:
        for row, span in enumerate(self.document.predicted, self.first_predicted):
            if self.matching.predicted[row] == PredictionState.SPURIOUS:
                yield span

    def _match(self, row: int, span: LabelledSpan) -> dict[str, Any]:
        contributors = self.contributors[row]
        spans = [self.document.predicted[predicted - self.first_predicted] for predicted, _ in contributors]
        return _place(span) | {
            "ground_truth_text": self._text(span),
            "presidio_spanned_text": JOINED.join(self._text(prediction) for prediction in spans),
            "presidio_labels": [prediction.label for prediction in spans],
            "coverage": sum(shared for _, shared in contributors) / span.length,
            "match_type": RELAXED if self.matching.relaxed[row] else EXACT,
        }

    def _text(self, span: LabelledSpan) -> str:
        """As the document has it, or as the file quotes it, where there is no text."""
        return span.text if self.document.text is None else span.text_of(self.document.text)


def _place(span: LabelledSpan) -> dict[str, Any]:
    return {"start": span.start, "end": span.end, "label": span.label}
