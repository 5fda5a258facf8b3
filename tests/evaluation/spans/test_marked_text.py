"""A document cut at its spans: no character is lost or moved."""

from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans.marked_text import cut

SPANS = st.lists(st.tuples(st.integers(-5, 60), st.integers(-5, 60), st.sampled_from("AB")), max_size=6)


@given(st.text(max_size=50), SPANS, SPANS)
def test_no_character_is_lost_or_moved(text, gold, predicted):
    pieces = cut(text, gold, predicted)
    assert "".join(piece.text for piece in pieces) == text
    position = 0
    for piece in pieces:
        end = position + len(piece.text)
        marked = {
            side: {label for start, stop, label in spans if 0 <= start <= position and end <= stop}
            for side, spans in (("gold", gold), ("predicted", predicted))
        }
        sides = [side for side, labels in marked.items() if labels]
        agreed = "both" if marked["gold"] & marked["predicted"] else "differs"
        assert piece.start == position
        assert piece.kind == (agreed if len(sides) == 2 else next(iter(sides), ""))
        position = end


def test_labels_stand_where_their_spans_end():
    pieces = cut("Anna Nowak", [(0, 10, "PERSON")], [(0, 4, "NAME")])
    assert [(piece.text, piece.kind, piece.labels) for piece in pieces] == [
        ("Anna", "differs", ("NAME",)), (" Nowak", "gold", ("PERSON",)),
    ]  # fmt: skip


def test_many_spans_take_no_time():
    spans = [(n, n + 2, "A") for n in range(50_000)]
    assert len(cut("x" * 50_001, spans, spans)) == 50_001  # minutes, if every piece looked at every span
