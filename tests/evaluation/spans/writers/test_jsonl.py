"""What is written in our JSON lines is read again as it was."""

from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans.readers import read_spans
from evaluation.spans.records import Document, LabelledSpan
from evaluation.spans.writers import span_lines

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=30)
NAMES = st.text(st.characters(categories=["L", "N", "Zs"]), min_size=1, max_size=8).filter(str.strip)


@st.composite
def spans(draw: st.DrawFn, text: str) -> LabelledSpan:
    start = draw(st.integers(0, len(text) - 1))
    end = draw(st.integers(start + 1, len(text)))
    score = draw(st.none() | st.floats(0, 1))
    quote = draw(st.sampled_from(["", text[start:end]]))
    return LabelledSpan(start, end, draw(NAMES), score, quote, draw(st.sampled_from(["", "DIRECT"])), draw(NAMES))


@st.composite
def documents(draw: st.DrawFn, key: str) -> Document:
    text = draw(TEXTS)
    names = draw(st.just([""]) | st.lists(NAMES, min_size=1, max_size=3, unique=True))
    layers = {name: tuple(draw(st.lists(spans(text), max_size=4))) for name in names}
    return Document(key, layers, draw(st.sampled_from([text, None])))


@st.composite
def files(draw: st.DrawFn) -> list[Document]:
    keys = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    return [draw(documents(key)) for key in keys]


@given(files())
def test_a_round_trip_changes_nothing(tmp_path_factory, written):
    path = tmp_path_factory.getbasetemp() / "round-trip.jsonl"
    path.write_text("".join(span_lines(written)), encoding="utf-8")
    file = read_spans(path)
    assert (file.format, list(file.documents.values())) == ("jsonl", written)
    assert {problem.kind for problem in file.problems} <= {"duplicate", "overlapping"}


def test_empty_details_are_left_out():
    document = Document("a", {"": (LabelledSpan(0, 3, "X"),)})
    assert list(span_lines([document])) == ['{"id": "a", "spans": [{"start": 0, "end": 3, "label": "X"}]}\n']
