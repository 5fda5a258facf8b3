"""What a report says about its files: where they come from and how much is in them."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from annotator.core.formatting import plural
from evaluation.spans.alignment import Alignment
from evaluation.spans.labels import IgnorePolicy
from evaluation.spans.records import Problem, ProblemKind, SpanFile
from evaluation.spans.settings import Settings


def describe_gold(file: SpanFile, alignment: Alignment, settings: Settings) -> dict[str, Any]:
    types = gold_types(alignment)
    return {
        **_origin(file),
        "documents": len(alignment.documents),
        "annotators": [name for name in alignment.annotators if name],
        "spans": types.total(),
        "scored_spans": scored_types(types, settings).total(),
        "types": dict(types.most_common()),
        "has_texts": alignment.has_texts,
    }


def describe_system(file: SpanFile, alignment: Alignment) -> dict[str, Any]:
    types = predicted_types(alignment)
    return {
        **_origin(file),
        "spans": types.total(),
        "types": dict(types.most_common()),
        "unmapped": dict(_unknown_types(alignment).most_common()),
        "details": dict(file.details),
    }


def gold_types(alignment: Alignment) -> Counter[str]:
    return Counter(span.label for document in alignment.documents for span in document.all_gold)


def scored_types(types: Counter[str], settings: Settings) -> Counter[str]:
    is_ignoring = settings.ignore != IgnorePolicy.NONE
    return Counter({label: n for label, n in types.items() if not (is_ignoring and label in settings.scheme.ignored)})


def predicted_types(alignment: Alignment) -> Counter[str]:
    return Counter(span.label for document in alignment.documents for span in document.predicted)


def unknown_labels(alignment: Alignment) -> list[Problem]:
    """A problem for each predicted label that gold never uses."""
    return [
        Problem(ProblemKind.UNKNOWN_LABEL, detail=f"{label}: {plural(count, 'span')}")
        for label, count in _unknown_types(alignment).most_common()
    ]


def unique_names(files: Sequence[SpanFile]) -> list[str]:
    """A name for each system, by which a report can tell two files of one name apart."""
    names: list[str] = []
    for file in files:
        name, number = file.name or "system", 2
        while (candidate := name if name not in names else f"{name} ({number})") in names:
            number += 1
        names.append(candidate)
    return names


def _unknown_types(alignment: Alignment) -> Counter[str]:
    known = gold_types(alignment)
    return Counter({label: count for label, count in predicted_types(alignment).items() if label not in known})


def _origin(file: SpanFile) -> dict[str, Any]:
    return {"name": file.name, "format": file.format, "sha256": file.sha256}
