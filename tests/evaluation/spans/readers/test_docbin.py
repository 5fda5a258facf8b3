"""spaCy's DocBin, written by spaCy itself."""

import pytest
import spacy
from spacy.tokens import Doc, DocBin

from evaluation.spans.readers import UnreadableSpans
from tests.evaluation.spans.readers.files import read_bytes, spans_of

NLP = spacy.blank("en")


def document(*entities: tuple[int, int, str], text: str = "Ada met Bo in Paris. 😀 Zoë") -> Doc:
    doc = NLP(text)
    doc.ents = [doc.char_span(*entity) for entity in entities]
    return doc


def packed(*docs: Doc) -> bytes:
    return DocBin(docs=docs, store_user_data=True, attrs=["ENT_IOB", "ENT_TYPE"]).to_bytes()


def test_entities_are_read_with_their_text(tmp_path):
    file = read_bytes(tmp_path, packed(document((0, 3, "PERSON"), (23, 26, "PERSON")), document()))
    assert (file.format, list(file.documents), file.has_texts) == ("docbin", ["1", "2"], True)
    assert spans_of(file, "1") == [(0, 3, "PERSON"), (23, 26, "PERSON")]


def test_user_data_may_name_the_document(tmp_path):
    doc = document((0, 3, "PERSON"))
    doc.user_data["doc_id"] = "case-7"
    assert list(read_bytes(tmp_path, packed(doc)).documents) == ["case-7"]


def test_without_entities_span_groups_are_read(tmp_path):
    doc = document()
    doc.spans["sc"] = [doc.char_span(0, 3, "PERSON"), doc.char_span(0, 7, "OTHER")]
    assert spans_of(read_bytes(tmp_path, packed(doc)), "1") == [(0, 3, "PERSON"), (0, 7, "OTHER")]


def test_a_truncated_or_damaged_one_is_refused(tmp_path):
    data = packed(*[document((0, 3, "PERSON"))] * 30)
    for broken in (data[: len(data) // 2], data[:-4], data[:100] + bytes(40) + data[140:]):
        with pytest.raises(UnreadableSpans, match="DocBin"):
            read_bytes(tmp_path, broken)
