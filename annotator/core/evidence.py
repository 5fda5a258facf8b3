"""Evidence: the spans of comments that support a judgement."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from profiles.spans import Span


@dataclass(frozen=True, slots=True)
class EvidenceSpan(Span):
    """A span of a comment, given by primary key, and the span's text, to verify it."""

    comment: int
    text: str

    @property
    def json(self) -> str:
        return json.dumps(self.as_json(), ensure_ascii=False)

    def as_json(self) -> dict[str, Any]:
        return {"comment": self.comment, "start": self.start, "end": self.end, "text": self.text}


def distinct_evidence(spans: Iterable[EvidenceSpan]) -> list[EvidenceSpan]:
    """Each span once, by comment and position."""
    return sorted(set(spans), key=lambda span: (span.comment, span.start, span.end))
