"""Small span tables for tests, and schemes to match them with."""

from collections.abc import Iterable
from fractions import Fraction

from hypothesis import strategies as st

from evaluation.spans.labels import IgnorePolicy, LabelMode, LabelScheme
from evaluation.spans.matching import Matching, MatchRule, Method, match
from evaluation.spans.records import LabelledSpan
from evaluation.spans.tables import SpanTable, build_tables, find_overlaps

STUDY = LabelScheme(
    "study",
    mapping={"DATE_TIME": "DATETIME", "NRP": "DEM", "LOCATION": "LOC"},
    groups=(frozenset({"ORG", "LOC"}),),
    ignored=frozenset({"CODE", "ORG", "QUANTITY", "MISC"}),
)
PLAIN = LabelScheme("plain", groups=(frozenset({"ORG", "LOC"}),))
Spans = list[LabelledSpan]
Documents = list[Spans]
LABELS = ("PERSON", "LOC", "ORG", "CODE")


def span(label: str, start: int, end: int, score: float | None = None) -> LabelledSpan:
    return LabelledSpan(start, end, label, score)


def parse(text: str) -> Spans:
    """Spans as `PER 0-5, LOC 7-9`."""
    words = [part.split() for part in text.split(",") if part.strip()]
    return [span(label, *map(int, offsets.split("-"))) for label, offsets in words]


def tables(gold: str, predicted: str) -> tuple[SpanTable, SpanTable]:
    return build_tables([parse(gold)], [parse(predicted)])


def rule(
    method: Method = Method.R1,
    labels: LabelMode = LabelMode.STRICT,
    threshold: float = 0.3,
    ignore: IgnorePolicy = IgnorePolicy.SYMMETRIC,
) -> MatchRule:
    return MatchRule(method, labels, threshold, ignore)


def match_documents(gold: Documents, predicted: Documents, how: MatchRule, scheme: LabelScheme = STUDY) -> Matching:
    first, second = build_tables(gold, predicted)
    return match(first, second, find_overlaps(first, second), scheme, how)


def match_text(gold: str, predicted: str, how: MatchRule, scheme: LabelScheme = STUDY) -> Matching:
    return match_documents([parse(gold)], [parse(predicted)], how, scheme)


def iou(first: LabelledSpan, second: LabelledSpan) -> Fraction:
    shared = max(0, min(first.end, second.end) - max(first.start, second.start))
    return Fraction(shared, first.length + second.length - shared)


def spans(labels: Iterable[str] = LABELS, *, end: int = 14) -> st.SearchStrategy[LabelledSpan]:
    """Short spans in a small space, so that they overlap, nest and repeat."""
    return st.builds(
        lambda label, start, length, score: span(label, start, start + length, score),
        st.sampled_from(tuple(labels)),
        st.integers(0, end - 1),
        st.integers(1, end // 2),
        st.sampled_from([None, 0.4, 0.85, 1.0]),
    )


def documents(most: int = 6, count: int = 2) -> st.SearchStrategy[Documents]:
    return st.lists(st.lists(spans(), max_size=most), min_size=count, max_size=count)


def rules(*methods: Method) -> st.SearchStrategy[MatchRule]:
    return st.builds(
        MatchRule,
        st.sampled_from(methods),
        st.sampled_from(LabelMode),
        st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.7, 1.0]),
        st.sampled_from(IgnorePolicy),
    )
