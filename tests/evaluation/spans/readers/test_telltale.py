"""Our own export: evidence is gold, Presidio's detections are predictions."""

import pytest

from annotator.exchange.formats.spans import EVIDENCE, PRESIDIO
from evaluation.spans.readers.raw import Side
from evaluation.spans.readers.telltale import SOURCES
from evaluation.spans.records import ProblemKind
from tests.evaluation.spans.readers.files import TEXT, kinds, read_lines, spans_of

SPANS = [
    {"start": 0, "end": 3, "label": "sex", "source": "evidence", "hardness": 1},
    {"start": 14, "end": 19, "label": "LOCATION", "source": "presidio", "score": 0.85, "recipe": "r1"},
]
LINE = {"profile": "mild-otter", "comment": 3, "subreddit": "x", "text": TEXT, "spans": SPANS}


def test_the_sources_are_those_of_the_export():
    assert {Side.GOLD: EVIDENCE, Side.PREDICTIONS: PRESIDIO} == SOURCES


@pytest.mark.parametrize(("side", "span"), [("gold", (0, 3, "sex")), ("predictions", (14, 19, "LOCATION"))])
def test_each_side_has_its_source(tmp_path, side, span):
    file = read_lines(tmp_path, LINE, {**LINE, "comment": 4, "spans": []}, side=side)
    assert (file.format, list(file.documents)) == ("telltale", ["mild-otter/3", "mild-otter/4"])
    assert spans_of(file, "mild-otter/3") == [span]
    assert file.details == {"recipe": "r1"}


def test_an_export_without_texts_is_read(tmp_path):
    file = read_lines(tmp_path, {key: value for key, value in LINE.items() if key != "text"})
    assert file.documents["mild-otter/3"].text is None


def test_what_is_no_span_or_no_comment_is_set_aside(tmp_path):
    file = read_lines(tmp_path, {**LINE, "spans": [7, *SPANS]}, {**LINE, "comment": None}, {"profile": "x"})
    assert spans_of(file, "mild-otter/3") == [(0, 3, "sex")]
    assert kinds(file) == {ProblemKind.UNREADABLE: 3}
