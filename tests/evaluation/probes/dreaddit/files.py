"""Dreaddit-like files, written by tests."""

import csv
import io
from pathlib import Path

COLUMNS = ("subreddit", "post_id", "sentence_range", "text", "id", "label", "confidence")
STRESSED = "I can't sleep and I am scared of losing the flat, number {}"
CALM = "We had a quiet walk and a nice dinner, number {}"


def make_rows(count: int, start: int = 0) -> list[dict[str, str]]:
    return [
        {
            "subreddit": ("anxiety", "ptsd")[at % 2], "post_id": f"p{at}", "id": str(at), "confidence": "0.8",
            "sentence_range": "(15, 20)" if at % 2 else "[15, 20]",
            "text": (STRESSED if at % 3 else CALM).format(at), "label": "1" if at % 3 else "0",
        }
        for at in range(start, start + count)
    ]  # fmt: skip


def write_csv(path: Path, rows: list[dict[str, str]], columns=COLUMNS, encoding: str = "utf-8") -> Path:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(text.getvalue().encode(encoding))
    return path
