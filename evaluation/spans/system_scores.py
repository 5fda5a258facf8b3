"""All scores of one system, as a report has them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.spans.alignment import AlignedDocument, Alignment
from evaluation.spans.curve import draw_curve
from evaluation.spans.definitions import DEFAULT_KEY, DEFINITIONS, Definition, definition_json, tally_of
from evaluation.spans.errors.lists import find_errors
from evaluation.spans.labels import IgnorePolicy, LabelMode
from evaluation.spans.layers import LayeredTables, tables_by_annotator, tables_in_one_list
from evaluation.spans.matching import Matching, MatchRule, Method, match
from evaluation.spans.metrics.annotators import score_annotators
from evaluation.spans.metrics.confusion import count_confusion
from evaluation.spans.metrics.leakage import measure_leakage
from evaluation.spans.metrics.levels import score_levels
from evaluation.spans.metrics.semeval import score_semeval
from evaluation.spans.metrics.tab import score_tab
from evaluation.spans.metrics.texts import Texts, build_texts
from evaluation.spans.metrics.tokens import score_tokens
from evaluation.spans.scores import score
from evaluation.spans.settings import Settings
from evaluation.spans.study import StudyCounts, count_as_study, count_phase1
from evaluation.spans.sweep import sweep
from evaluation.spans.tally import Tally
from evaluation.stats.bootstrap import Weights

NO_TEXTS = "No texts: neither file has them."


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores:
    """The contents of a result, and what the rest of a report needs of it: counts by the study and by default."""

    contents: dict[str, Any]
    strict: StudyCounts
    relaxed: StudyCounts
    tally: Tally


@dataclass(frozen=True, slots=True, eq=False)
class _Scorer:
    documents: Sequence[AlignedDocument]
    by_annotator: LayeredTables
    in_one_list: LayeredTables
    texts: Texts | None
    settings: Settings
    weights: Weights

    @property
    def ignored(self) -> frozenset[str]:
        return frozenset() if self.settings.ignore == IgnorePolicy.NONE else self.settings.scheme.ignored

    def tables(self, definition: Definition) -> LayeredTables:
        return self.in_one_list if definition.method == Method.COMPAT else self.by_annotator

    def match(self, definition: Definition) -> Matching:
        tables = self.tables(definition)
        rule = definition.rule(self.settings)
        return match(tables.gold, tables.predicted, tables.overlaps, self.settings.scheme, rule)


def score_system(alignment: Alignment, phase1: Alignment, settings: Settings, weights: Weights) -> SystemScores:
    """`phase1` is the same with the labels of the study's first script."""
    documents = alignment.documents
    texts = build_texts([document.text or "" for document in documents]) if alignment.has_texts else None
    tables = tables_by_annotator(documents), tables_in_one_list(documents)
    scorer = _Scorer(documents, *tables, texts, settings, weights)
    strict, relaxed = (_count_as_study(scorer, mode) for mode in (LabelMode.STRICT, LabelMode.RELAXED))
    definitions, tally = _score_definitions(scorer)
    contents = {
        "compat": _compat_json(settings, strict, relaxed, _count_phase1(phase1, settings)),
        "definitions": definitions,
        **score(tally, weights).as_json(),
        **_details(scorer),
    }
    return SystemScores(contents, strict, relaxed, tally)


def _score_definitions(scorer: _Scorer) -> tuple[list[Any], Tally]:
    """All definitions as JSON, and the counts of the default one."""
    matchings = [(definition, scorer.match(definition)) for definition in DEFINITIONS]
    tallies = {item.key: tally_of(item, matching, scorer.tables(item)) for item, matching in matchings}
    shown = [
        definition_json(item, matching, tallies[item.key], scorer.settings, scorer.weights)
        for item, matching in matchings
    ]
    return shown, tallies[DEFAULT_KEY]


def _count_as_study(scorer: _Scorer, mode: LabelMode) -> StudyCounts:
    tables, settings = scorer.in_one_list, scorer.settings
    spans = (tables.gold, tables.predicted, tables.overlaps)
    return count_as_study(*spans, settings.scheme, labels=mode, threshold=settings.threshold)


def _count_phase1(alignment: Alignment, settings: Settings) -> StudyCounts:
    tables = tables_in_one_list(alignment.documents)
    return count_phase1(tables.gold, tables.predicted, tables.overlaps, settings.scheme)


def _compat_json(settings: Settings, strict: StudyCounts, relaxed: StudyCounts, phase1: StudyCounts) -> dict[str, Any]:
    growth = relaxed.denominator - strict.denominator
    return {
        "threshold": settings.threshold,
        "strict": strict.as_json(),
        "relaxed": relaxed.as_json() | {"denominator_growth": growth},
        "phase1": phase1.as_json(),
    }


def _details(scorer: _Scorer) -> dict[str, Any]:
    """Everything beside the definitions. SemEval counts each annotator; tokens and leakage count each place once."""
    tables, settings = scorer.by_annotator, scorer.settings
    spans = (tables.gold, tables.predicted, tables.overlaps)
    rule = MatchRule(Method.R1, LabelMode.STRICT, settings.threshold, settings.ignore)
    curve, reason = draw_curve(*spans, settings.scheme, rule)
    return {
        "sweep": [point.as_json() for point in sweep(*spans, settings.scheme, ignore=settings.ignore)],
        "curve": curve.as_json() if curve else None,
        "curve_reason": reason,
        "semeval": score_semeval(*spans, ignored=scorer.ignored).as_json(),
        "levels": score_levels(*spans, settings.scheme, rule).as_json(),
        "confusion": count_confusion(*spans, settings.scheme, rule).as_json(),
        "annotators": score_annotators(scorer.documents, settings.scheme, rule).as_json(),
        "errors": find_errors(scorer.documents, tables, settings, limit=0).as_json(),
        **_masking(scorer),
    }


def _masking(scorer: _Scorer) -> dict[str, Any]:
    """What a mask over the predictions would hide and leave."""
    gold, predicted, texts = scorer.in_one_list.gold, scorer.in_one_list.predicted, scorer.texts
    leakage = measure_leakage(gold, predicted, texts.lengths if texts else None, ignored=scorer.ignored)
    return {
        "tokens": score_tokens(gold, predicted, texts, ignored=scorer.ignored).as_json(scorer.weights),
        "leakage": leakage.as_json(scorer.weights),
        "tab": _tab_json(scorer, texts) if texts else None,
        "tab_reason": "" if texts else NO_TEXTS,
    }


def _tab_json(scorer: _Scorer, texts: Texts) -> dict[str, Any]:
    layers = [document.gold for document in scorer.documents]
    predicted = [document.predicted for document in scorer.documents]
    return score_tab(layers, predicted, texts).as_json(scorer.weights)
