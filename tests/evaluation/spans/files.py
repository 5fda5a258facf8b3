"""Gold and predictions for tests, written in a few characters."""

from collections.abc import Iterable, Mapping

from evaluation.spans.records import ONLY_LAYER, Document, LabelledSpan, SpanFile

Written = tuple[int, int, str]


def make_spans(*spans: Written) -> tuple[LabelledSpan, ...]:
    return tuple(LabelledSpan(*span) for span in spans)


def make_file(
    documents: Mapping[str, Iterable[Written]], *, texts: Mapping[str, str] | None = None, **fields
) -> SpanFile:
    """A file with one layer of spans in each document."""
    return make_layered_file({name: {ONLY_LAYER: spans} for name, spans in documents.items()}, texts=texts, **fields)


def make_layered_file(
    documents: Mapping[str, Mapping[str, Iterable[Written]]],
    *,
    texts: Mapping[str, str] | None = None,
    problems=(),
    name: str = "file",
) -> SpanFile:
    made = {
        key: Document(key, {layer: make_spans(*spans) for layer, spans in layers.items()}, (texts or {}).get(key))
        for key, layers in documents.items()
    }
    return SpanFile(made, "plain", "0" * 64, name, tuple(problems))
