"""What can be told of the files before a run begins. Large files are left to the worker, which says the same."""

from dataclasses import replace
from pathlib import Path

from annotator.core.formatting import plural
from evaluation.spans.readers import Side, UnreadableSpans, read_spans
from evaluation.spans.records import SpanFile

MAX_BYTES_AT_ONCE = 30_000_000  # takes a second or two
NO_TEXTS = (
    "“{name}” has no texts, so Presidio has nothing to read. Choose a gold file with texts, or upload predictions."
)
NO_SPANS = "“{name}” has no usable span: {problems}. Check its offsets, or whether it is the right file."
NOTHING_SHARED = "“{name}” and the gold file have no document in common. Check the ids of the documents."


class InputRefused(Exception):
    """A file can't be used. `field` is the one of the form that it came from."""

    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field = field


def read_gold(path: Path, name: str) -> SpanFile:
    """Raises InputRefused if nothing can be scored against it."""
    gold = _read(path, name, "gold", Side.GOLD)
    if not any(document.all_spans for document in gold.documents.values()):
        problems = plural(len(gold.problems), "problem was found", "problems were found")
        raise InputRefused("gold", NO_SPANS.format(name=name, problems=problems))
    return gold


def read_predictions(path: Path, name: str, gold: SpanFile) -> SpanFile:
    """Raises InputRefused if no document is in the gold file."""
    texts = {document.id: document.text for document in gold.documents.values() if document.text is not None}
    predictions = _read(path, name, "predictions", Side.PREDICTIONS, texts)
    if not gold.documents.keys() & predictions.documents.keys():
        raise InputRefused("predictions", NOTHING_SHARED.format(name=name))
    return predictions


def check_texts(gold: SpanFile) -> None:
    if not gold.has_texts:
        raise InputRefused("gold", NO_TEXTS.format(name=gold.name))


def check_files(gold: tuple[Path, str], predictions: list[tuple[Path, str]]) -> None:
    """Read the files if they are small enough. Raises InputRefused."""
    if sum(path.stat().st_size for path, _ in [gold, *predictions]) > MAX_BYTES_AT_ONCE:
        return
    documents = read_gold(*gold)
    if not predictions:
        check_texts(documents)
    for path, name in predictions:
        read_predictions(path, name, documents)


def _read(path: Path, name: str, field: str, side: Side, texts: dict[str, str] | None = None) -> SpanFile:
    try:
        return replace(read_spans(path, texts=texts, side=side), name=Path(name).stem)
    except UnreadableSpans as error:
        raise InputRefused(field, f"{name}: {error}") from error
