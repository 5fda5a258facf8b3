"""Damaged, hostile and huge files: the good part is kept, and the rest has a reason that quotes nothing."""

import gzip
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans.readers import FORMAT_TITLES, UnreadableSpans, contents, read_spans
from evaluation.spans.records import ProblemKind
from tests.evaluation.spans.readers.files import TEXT, kinds, read_bytes, read_json, read_text, spans_of

SPANS = [{"start": 0, "end": 3, "label": "PERSON"}]
LINES = [json.dumps({"id": key, "text": TEXT, "spans": SPANS}) for key in "abc"]
TAB = [
    {"doc_id": key, "text": TEXT, "annotations": {"x": {"entity_mentions": [
        {"start_offset": 0, "end_offset": 3, "entity_type": "PERSON"}
    ]}}} for key in "abc"
]  # fmt: skip
DEEP = "[" * 50_000 + "]" * 50_000


@pytest.mark.parametrize(
    "data",
    [b"", b" \n\n", b"\xef\xbb\xbf", bytes(100), b"hello", b"<xml/>", b"a,b\n1,2\n", b"[]", b"{}", b"7", b'"x"', b"[7]",
     b"{", b"[", b"[{", b'{"a"', b"\x1f\x8b", b"\x1f\x8bxxxxxxxxxxxxxxxx", b"PK\x03\x04", b"PK\x03\x04" + bytes(100),
     b"\x78\x9c", b"\x78\x9cxx", b'[{"name": "x"}]', b"\xff\xfe", b"\xff\xfea", b"\x80\x81", DEEP.encode(),
     b'{"a": ' * 50_000, b'[{"text": "x"}]', b'{"id": "a", "spans": 7}', b'{"title": "x", "tags": []}'],
)  # fmt: skip
def test_what_cannot_be_read_at_all_is_refused_in_a_sentence(tmp_path, data):
    for side in ("gold", "predictions"):
        with pytest.raises(UnreadableSpans) as refused:
            read_bytes(tmp_path, data, side=side)
        assert str(refused.value).endswith(".")


@pytest.mark.parametrize("form", FORMAT_TITLES)
@pytest.mark.parametrize(
    "data", [b"{}", b"[1]", b"{" * 99, b"x O", b"PK\x03\x04", b"\x78\x9cversion", b"[[]]", DEEP.encode()]
)
def test_a_named_format_never_fails_otherwise(tmp_path, form, data):
    try:
        file = read_bytes(tmp_path, data, format=form)
    except UnreadableSpans:
        return
    assert file.format == form


def test_a_missing_file_and_an_unknown_format_are_refused(tmp_path):
    with pytest.raises(UnreadableSpans, match="can't be opened"):
        read_spans(tmp_path / "none.json")
    with pytest.raises(UnreadableSpans, match="can't be opened"):
        read_spans(tmp_path)
    with pytest.raises(UnreadableSpans, match="Choose one of: telltale, tab"):
        read_text(tmp_path, LINES[0], format="klingon")


# ── Encodings ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_unicode_with_its_mark_is_read(tmp_path, encoding):
    text = json.dumps({"id": "a", "text": "Zoë 😀", "spans": []}, ensure_ascii=False)
    mark = "\ufeff" if encoding == "utf-16-le" else ""
    assert read_bytes(tmp_path, (mark + text).encode(encoding)).documents["a"].text == "Zoë 😀"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_mark_and_other_line_ends_do_not_harm_lines(tmp_path, end):
    assert list(read_bytes(tmp_path, end.join(LINES).encode("utf-8-sig")).documents) == ["a", "b", "c"]


@pytest.mark.parametrize("text", ['{"id": "Zoë", "spans": []}', '[{"id": "Zoë", "spans": []}]', "Zoë B-PER\nmet O\n"])
def test_latin_1_is_named(tmp_path, text):
    with pytest.raises(UnreadableSpans, match="not UTF-8"):
        read_bytes(tmp_path, text.encode("latin-1"))


@pytest.mark.parametrize(("join", "frame"), [("\n", "%s"), (",\n", "[%s]")])
def test_one_broken_byte_costs_one_document(tmp_path, join, frame):
    data = (frame % join.join(LINES)).encode().replace(b'"b", "text": "Ada', b'"b", "text": "Ad\xe4', 1)
    file = read_bytes(tmp_path, data)
    assert list(file.documents) == ["a", "c"]
    assert file.problems[0].detail.endswith("It is not UTF-8.")


# ── Damage ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("indent", [None, 1])
def test_a_truncated_list_keeps_its_whole_documents(tmp_path, indent):
    text = json.dumps(TAB, indent=indent)
    file = read_text(tmp_path, text[: text.index('"c"') + 10])
    assert list(file.documents) == ["a", "b"]
    assert kinds(file) == {ProblemKind.UNREADABLE: 1}
    assert "the file ends in the middle" in file.problems[0].detail


@pytest.mark.parametrize("indent", [None, 1])
def test_a_truncated_object_keeps_its_whole_documents(tmp_path, indent):
    text = json.dumps({key: [[0, 3, "PERSON"]] for key in "abc"}, indent=indent)
    file = read_text(tmp_path, text[:-12])
    assert list(file.documents) == ["a", "b"]


@pytest.mark.parametrize("damage", ["{'x'}", DEEP, '{"a": "\x00"}', "nonsense", '{"a": 1,}', "[1, 2"])
def test_damage_in_the_middle_costs_little(tmp_path, damage):
    lines = read_text(tmp_path, "\n".join([LINES[0], damage, LINES[2]]))
    assert (list(lines.documents), kinds(lines)) == (["a", "c"], {ProblemKind.UNREADABLE: 1})
    if damage != "[1, 2":  # an open bracket takes the rest of a list with it
        items = read_text(tmp_path, f"[{LINES[0]}, {damage}, {LINES[2]}]")
        assert (list(items.documents), kinds(items)) == (["a", "c"], {ProblemKind.UNREADABLE: 1})


def test_records_of_other_kinds_are_set_aside(tmp_path):
    file = read_json(tmp_path, [*TAB, 7, None, "x", [], {}, {"doc_id": "d"}, {"doc_id": True, "annotations": {}}])
    assert list(file.documents) == ["a", "b", "c"]
    assert kinds(file) == {ProblemKind.UNREADABLE: 7}


def test_an_unstorable_character_keeps_its_place(tmp_path):
    file = read_text(
        tmp_path, '{"id": "a", "text": "\\u0000\\ud83d Bo", "spans": [{"start": 3, "end": 5, "text": "Bo"}]}'
    )
    assert (file.documents["a"].text, spans_of(file)) == ("\ufffd\ufffd Bo", [(3, 5, "")])


def test_reasons_quote_nothing(tmp_path):
    secret = "Xanthippe"
    spans: list[Any] = [
        {"start": 0, "end": 99, "label": secret, "text": secret}, {"start": 1, "end": 4, "label": "X", "text": secret},
        {"start": secret, "end": secret}, secret, {"start": 0, "end": 0, "text": secret}, {"start": 3, "end": 5},
    ]  # fmt: skip
    record = json.dumps({"id": "a", "text": f"{TEXT} {secret}"[:20], "spans": spans})
    file = read_text(tmp_path, f'{record}\n{{{secret}}}\n{{"id": ["{secret}"], "spans": []}}\n"{secret}"\n')
    assert len(file.problems) >= 7
    assert secret not in repr(file.problems)


# ── Size ────────────────────────────────────────────────────────────────────


def test_gzip_is_unpacked(tmp_path):
    packed = gzip.compress("\n".join(LINES).encode())
    assert list(read_bytes(tmp_path, packed).documents) == ["a", "b", "c"]


def test_gzip_that_is_larger_than_memory_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(contents, "MAX_BYTES", 1000)
    with pytest.raises(UnreadableSpans, match="larger"):
        read_bytes(tmp_path, gzip.compress(b" " * 100_000))


@pytest.mark.parametrize("size", [100_000, pytest.param(10_000_000, marks=pytest.mark.long)])
def test_a_large_document_with_many_spans_takes_seconds(tmp_path, size):
    """10 MB of text that isn't ASCII, and 100,000 spans: all in bytes, then all lost, then all twice."""
    text = "Zoë sang. " * (size // 10)
    starts = [at * 11 // 10 for at in range(0, size, 100)]
    spans = [{"start": start, "end": start + 4, "label": "X", "text": "Zoë"} for start in starts]
    started = time.perf_counter()
    file = read_json(tmp_path, [{"id": "a", "text": text, "spans": spans}])
    assert kinds(file) == {ProblemKind.OFFSETS_CONVERTED: 1}
    wrong = [{**span, "text": "nowhere"} for span in spans]
    lost = read_json(tmp_path, [{"id": "a", "text": text, "spans": wrong}, {"id": "b", "spans": spans + spans}])
    assert kinds(lost).keys() == {ProblemKind.TEXT_DIFFERS, ProblemKind.OUT_OF_RANGE, ProblemKind.DUPLICATE}
    assert time.perf_counter() - started < 60


# ── Anything ────────────────────────────────────────────────────────────────

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["id", "doc_id", "text", "spans", "annotations", "entity_mentions", "label", "labels", "data",
                         "start", "end", "result", "value", "profile", "comment", "presidio_detected_pii", "results",
                         "entity_type", "start_offset", "end_offset", "predictions", "annotator", "x"]),
        inner, max_size=5,
    ),
    max_leaves=25,
)  # fmt: skip


@given(value=VALUES, form=st.sampled_from([None, *FORMAT_TITLES]), side=st.sampled_from(["gold", "predictions"]))
def test_no_json_makes_it_fail(tmp_path_factory, value, form, side):
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps(value))
    try:
        file = read_spans(path, format=form, side=side, texts={"x": TEXT})
    except UnreadableSpans:
        return
    assert all(span.start < span.end for document in file.documents.values() for span in document.all_spans)


@given(st.integers(0, 400), st.binary(max_size=4), st.sampled_from(["lines", "list", "tab"]))
def test_no_damage_makes_it_fail(tmp_path_factory, place, damage, kind):
    whole = {"lines": "\n".join(LINES), "list": f"[{','.join(LINES)}]", "tab": json.dumps(TAB)}[kind].encode()
    path = tmp_path_factory.getbasetemp() / "damaged.json"
    path.write_bytes(whole[:place] + damage + whole[place + len(damage) :])
    try:
        file = read_spans(path)
    except UnreadableSpans:
        return
    assert len(file.documents) <= 4
