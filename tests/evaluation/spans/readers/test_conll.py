"""CoNLL: every tagging scheme gives the same spans, and offsets fit the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans.readers.conll import chunks
from evaluation.spans.records import ProblemKind
from tests.evaluation.spans.readers.files import TEXT, kinds, read_text, spans_of

IOB2 = "Ada B-PER\nmet O\nBo B-PER\nin O\nParis B-LOC\n. O\n"


@pytest.mark.parametrize(
    ("tags", "spans"),
    [
        ("I-PER I-PER O I-LOC", [("PER", 0, 1), ("LOC", 3, 3)]),  # IOB1
        ("I-PER B-PER I-PER", [("PER", 0, 0), ("PER", 1, 2)]),
        ("I-PER I-LOC", [("PER", 0, 0), ("LOC", 1, 1)]),
        ("B-PER I-PER B-PER O", [("PER", 0, 1), ("PER", 2, 2)]),  # IOB2
        ("B-PER I-PER E-PER S-LOC", [("PER", 0, 2), ("LOC", 3, 3)]),  # BIOES
        ("B-PER L-PER U-LOC U-LOC", [("PER", 0, 1), ("LOC", 2, 2), ("LOC", 3, 3)]),  # BILOU
        ("S-PER I-PER", [("PER", 0, 0), ("PER", 1, 1)]),
        ("E-PER E-PER", [("PER", 0, 0), ("PER", 1, 1)]),
        ("B I O B", [("", 0, 1), ("", 3, 3)]),
        ("O O", []),
    ],
)
def test_tags_become_spans(tags, spans):
    assert list(chunks(tags.split())) == spans


@given(st.lists(st.tuples(st.sampled_from(["PER", "LOC"]), st.integers(1, 3), st.integers(0, 2))))
def test_all_schemes_mean_the_same(plan):
    """Runs of a label with a length, each followed by some O; neighbours of the same label need a B in IOB1."""
    iob1, iob2, bioes, spans = [], [], [], []
    for label, length, gap in plan:
        start = len(iob2)
        touches = bool(spans) and spans[-1] == (label, spans[-1][1], start - 1)
        inside = [f"I-{label}"] * (length - 1)
        iob1 += [f"{'B' if touches else 'I'}-{label}", *inside, *"O" * gap]
        iob2 += [f"B-{label}", *inside, *"O" * gap]
        bioes += ([f"S-{label}"] if length == 1 else [f"B-{label}", *inside[1:], f"E-{label}"]) + ["O"] * gap
        spans.append((label, start, start + length - 1))
    assert [list(chunks(tags)) for tags in (iob1, iob2, bioes)] == [spans] * 3


def test_tokens_are_joined_by_spaces_and_sentences_by_line_breaks(tmp_path):
    file = read_text(tmp_path, "Ada B-PER\nsang O\n\nBo B-PER\n")
    assert (file.format, file.documents["1"].text) == ("conll", "Ada sang\nBo")
    assert spans_of(file, "1") == [(0, 3, "PER"), (9, 11, "PER")]


def test_a_sentence_ends_a_span(tmp_path):
    assert spans_of(read_text(tmp_path, "Ada B-PER\n\nBo I-PER\n"), "1") == [(0, 3, "PER"), (4, 6, "PER")]


def test_documents_are_named_or_numbered(tmp_path):
    text = "-DOCSTART- -X- O O\n\nAda NNP I-NP B-PER\n\n-DOCSTART- (case-7) O\n\nBo NNP I-NP O\n-DOCSTART- O\nX Y Z O\n"
    assert list(read_text(tmp_path, text).documents) == ["1", "case-7", "3"]


def test_tabs_part_columns_that_hold_spaces(tmp_path):
    file = read_text(tmp_path, "# sent_id = 1\nNew York\tB-LOC\r\n# O\tO\r\n")
    assert (file.documents["1"].text, spans_of(file, "1")) == ("New York # O", [(0, 8, "LOC")])


def test_given_texts_set_the_offsets(tmp_path):
    file = read_text(tmp_path, f"-DOCSTART- (a) O\n{IOB2}", texts={"a": TEXT, "b": ""})
    assert (spans_of(file), file.documents["a"].text) == ([(0, 3, "PER"), (8, 10, "PER"), (14, 19, "LOC")], TEXT)


def test_numbered_documents_take_the_given_texts_in_order(tmp_path):
    file = read_text(tmp_path, f"-DOCSTART- O\n{IOB2}\n-DOCSTART- O\nBo B-PER\n", texts={"a": TEXT, "b": "  Bo"})
    assert (spans_of(file), spans_of(file, "b")) == ([(0, 3, "PER"), (8, 10, "PER"), (14, 19, "LOC")], [(2, 4, "PER")])


def test_treebank_brackets_are_found_in_a_text(tmp_path):
    file = read_text(tmp_path, "-LRB- O\nAda B-PER\n-RRB- O\n", texts={"1": "(Ada)"})
    assert spans_of(file, "1") == [(1, 4, "PER")]


def test_spans_whose_tokens_are_elsewhere_are_set_aside(tmp_path):
    file = read_text(tmp_path, "Ada B-PER\nEve B-PER\nParis B-LOC\n", texts={"1": TEXT})
    assert spans_of(file, "1") == [(0, 3, "PER"), (14, 19, "LOC")]
    assert kinds(file) == {ProblemKind.UNREADABLE: 1}


def test_a_line_without_tag_is_reported_and_its_token_kept(tmp_path):
    file = read_text(tmp_path, IOB2 * 5 + "Eve\nAda B-PER\n")
    assert spans_of(file, "1")[-1][1] == len(file.documents["1"].text or "")
    assert file.problems[0].detail.startswith("Line 31 ")
