"""Evidence: the spans of comments that support a judgement."""

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch of a comment, `[start, end)` in code points, and its text, to verify it."""

    comment: int
    start: int
    end: int
    text: str

    @property
    def json(self) -> str:
        return json.dumps(self.as_json(), ensure_ascii=False)

    def as_json(self) -> dict[str, Any]:
        return {"comment": self.comment, "start": self.start, "end": self.end, "text": self.text}
