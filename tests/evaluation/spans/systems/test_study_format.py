"""The study's own shape: detections with their texts, and the text with masks."""

import json

import pytest

from evaluation.spans.records import ONLY_LAYER, Document, LabelledSpan, SpanFile
from evaluation.spans.systems.study_format import mask, write_study_format

TEXT = "Ada Lovelace lived in London."


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([], TEXT),
        ([(0, 12, "PERSON"), (22, 28, "LOCATION")], "<PERSON> lived in <LOCATION>."),
        ([(22, 28, "LOCATION"), (0, 12, "PERSON")], "<PERSON> lived in <LOCATION>."),
        ([(0, 3, "FIRST"), (0, 12, "PERSON")], "<PERSON> lived in London."),
        ([(0, 5, "FIRST"), (4, 12, "LAST")], "<LAST> lived in London."),
        ([(0, 3, "FIRST"), (3, 12, "LAST")], "<FIRST><LAST> lived in London."),
        ([(0, len(TEXT), "ALL")], "<ALL>"),
    ],
)
def test_masks_each_character_once(spans, expected):
    assert mask(TEXT, [LabelledSpan(*span) for span in spans]) == expected


def test_writes_the_fields_of_the_study(tmp_path):
    gold = Document("a", {"first": (LabelledSpan(0, 12, "PERSON"),), "second": ()}, TEXT)
    predicted = Document("a", {ONLY_LAYER: (LabelledSpan(22, 28, "LOCATION", 0.85),)})
    write_study_format(tmp_path / "out.json", SpanFile({"a": predicted}, "", ""), SpanFile({"a": gold}, "", ""))
    assert json.loads((tmp_path / "out.json").read_text()) == [
        {
            "doc_id": "a",
            "text": TEXT,
            "annotations": [
                {
                    "start_offset": 0,
                    "end_offset": 12,
                    "entity_type": "PERSON",
                    "span_text": "Ada Lovelace",
                    "annotator": "first",
                }
            ],
            "presidio_anonymized_text": "Ada Lovelace lived in <LOCATION>.",
            "presidio_detected_pii": [{"label": "LOCATION", "text": "London", "start": 22, "end": 28}],
        }
    ]
