"""A small measured run: two documents, gold by two annotators, one system."""

import json
from pathlib import Path
from typing import Any

from evaluation.models import EvaluationInput, EvaluationRun
from evaluation.runs import job, services
from evaluation.runs.storage import InputFile
from tests.evaluation.runs.records import make_run

SETTINGS = {
    "scheme": "echr-study", "threshold": 0.3, "ignore": "symmetric", "missing": "count", "bootstrap": 20, "seed": 1,
    "system": {"kind": "files"},
}  # fmt: skip
TEXT = "Anna Nowak moved to Berlin in 2001 <script>."
GOLD = [
    ("d/1", TEXT, [(0, 10, "PERSON"), (20, 26, "LOC"), (30, 34, "DATETIME")]),
    ("<b>2", "In Bonn.", [(3, 7, "LOC")]),
]
FOUND = [("d/1", [(0, 4, "PERSON"), (20, 26, "DATE_TIME"), (35, 43, "<img>")])]


def gold_file(folder: Path) -> Path:
    documents = [
        {
            "doc_id": name, "text": text,
            "annotations": {
                who: {"entity_mentions": [_mention(text, number, *span) for number, span in enumerate(spans)]}
                for who in ("a", "b")
            },
        }
        for name, text, spans in GOLD
    ]  # fmt: skip
    return _write(folder / "gold.json", documents)


def prediction_file(folder: Path) -> Path:
    lines = [
        json.dumps({"id": name, "spans": [{"start": a, "end": b, "label": label} for a, b, label in spans]})
        for name, spans in FOUND
    ]
    path = folder / "output.jsonl"
    path.write_text("\n".join(lines))
    return path


def make_measured_run(folder: Path, **fields: Any) -> EvaluationRun:
    run = make_run(settings=SETTINGS, **fields)
    roles = EvaluationInput.Role
    gold = InputFile(roles.GOLD, gold_file(folder), "gold.json")
    services.store_files(run, [gold, InputFile(roles.PREDICTIONS, prediction_file(folder), "output.jsonl")])
    job.run(run.pk)
    run.refresh_from_db()
    return run


def _mention(text: str, number: int, start: int, end: int, label: str) -> dict[str, Any]:
    return {
        "entity_type": label, "entity_mention_id": f"m{number}", "start_offset": start, "end_offset": end,
        "span_text": text[start:end], "identifier_type": "DIRECT", "entity_id": f"e{number}",
    }  # fmt: skip


def _write(path: Path, contents: Any) -> Path:
    path.write_text(json.dumps(contents))
    return path
