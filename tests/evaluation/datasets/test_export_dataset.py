"""`bin/manage export_dataset`: the folder, its card, and what the real packages make of it."""

import json
import os
import subprocess
from io import StringIO
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml
from django.core.management import CommandError, call_command

from evaluation.datasets.folder import TASKS
from tests.annotator.accounts.sign_in_forms import entry
from tests.annotator.exchange.files import decide_age, make_labelled
from tests.annotator.gold.records import make_prompted
from tests.evaluation.llm.server import ok, serving

pytestmark = pytest.mark.django_db

PYTHON = os.environ.get("DATASETS_PYTHON", "")  # of an environment with datasets, inspect_ai and lm_eval
ANSWER = {
    "id": "1", "object": "chat.completion", "created": 1, "model": "small",
    "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "unknown"}}],
    "usage": {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11},
}  # fmt: skip
LOADED = """
import sys
from datasets import load_dataset
dataset = load_dataset(sys.argv[1])
split = next(iter(dataset))
row = dataset[split][0]
print(split, len(dataset[split]), row["profile"], sorted(label["attribute"] for label in row["labels"])[0])
"""


def export(folder: Path, corpus: str = "Pilot corpus", **options) -> str:
    output = StringIO()
    call_command("export_dataset", corpus=corpus, out=folder, stdout=output, **options)
    return output.getvalue()


@pytest.fixture
def corpus():
    corpus = make_labelled()
    decide_age(corpus)
    return corpus


def rows_of(folder: Path) -> list[dict]:
    return [row for path in sorted((folder / "data").iterdir()) for row in pq.read_table(path).to_pylist()]


def card_of(folder: Path) -> tuple[dict, str]:
    _, metadata, text = (folder / "README.md").read_text().split("---\n", 2)
    return yaml.safe_load(metadata), text


def test_writes_splits_and_a_card(tmp_path, corpus):
    export(tmp_path / "gold", text=True)
    (row,) = rows_of(tmp_path / "gold")
    assert len(row["labels"]) == 8
    assert sum(label["status"] == "negative" for label in row["labels"]) == 5
    assert all(comment["text"] for comment in row["comments"])
    metadata, text = card_of(tmp_path / "gold")
    (split,) = metadata["configs"][0]["data_files"]
    assert (tmp_path / "gold" / split["path"]).exists()
    assert "## Takedowns" in text
    assert sorted(path.name for path in (tmp_path / "gold" / "tasks").iterdir()) == sorted(TASKS)
    assert entry("export_started").details["dataset"] is True


def test_has_neither_names_nor_texts_unless_asked_for(tmp_path, corpus):
    export(tmp_path / "gold")
    (row,) = rows_of(tmp_path / "gold")
    assert {comment["text"] for comment in row["comments"]} == {None}
    assert not (tmp_path / "gold" / "tasks").exists()
    export(tmp_path / "with-text", text=True)
    contents = b"".join(path.read_bytes() for path in (tmp_path / "with-text").rglob("*") if path.is_file())
    assert b"tinroof" not in contents.lower()


def test_the_same_state_gives_the_same_data(tmp_path, corpus):
    for name in ("first", "second"):
        export(tmp_path / name, text=True)
    first, second = (
        [path.read_bytes() for path in sorted((tmp_path / name / "data").iterdir())] for name in ("first", "second")
    )
    assert first == second


def test_a_hostile_title_stays_text(tmp_path, corpus):
    corpus.name = 'Evil "corpus": {x}\n---\n<script>'
    corpus.save(update_fields=["name"])
    export(tmp_path / "gold", corpus=corpus.name)
    metadata, text = card_of(tmp_path / "gold")
    assert metadata["pretty_name"].startswith('Evil "corpus": {x}')
    assert "<script>" not in text


def test_refuses_and_leaves_nothing_behind(tmp_path, corpus):
    (tmp_path / "taken").mkdir()
    refusals = {"taken": {}, "empty": {"batch": "no such batch"}, "missing/gold": {}, "other": {"corpus": "no"}}
    for name, options in refusals.items():
        with pytest.raises(CommandError):
            export(tmp_path / name, **options)
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


@pytest.mark.skipif(not PYTHON, reason="DATASETS_PYTHON names no Python with datasets, inspect_ai and lm_eval")
def test_real_packages_read_it(tmp_path, corpus):
    folder = tmp_path / "gold"
    export(folder, text=True)
    (split,) = [path.stem for path in (folder / "data").iterdir()]
    assert run(folder, "-c", LOADED, folder).split()[:2] == [split, "1"]
    assert "marital_status" in inspect(folder, split)
    if split == "test":
        scored = run(folder, "-m", "lm_eval", "--include_path", "tasks", "--tasks", "telltale_gold", "--model", "dummy")
        assert "telltale_gold" in scored


def inspect(folder: Path, split: str) -> str:
    arguments = ["eval", "tasks/inspect_telltale.py", "--model", "openai-api/local/small", "-T", f"split={split}"]
    with serving() as server:
        server.script = lambda text, times: ok(json.dumps(ANSWER).encode())
        environment = {"LOCAL_BASE_URL": server.url, "LOCAL_API_KEY": "none"}
        return run(folder, "-m", "inspect_ai", *arguments, "--display", "plain", **environment)


def run(folder: Path, *arguments: object, **more: str) -> str:
    """Nothing is fetched, and nothing stays outside the test's folder."""
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(folder.parent / "hf"), "NO_COLOR": "1"}
    environment = os.environ | offline | more
    command = [PYTHON, *map(str, arguments)]
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_marks_model_prompted_answers_if_they_are_wanted(tmp_path, corpus):
    export(tmp_path / "before")
    profile = corpus.profiles.get()
    make_prompted("income", "high", profile=profile, prompted_by="gpt-nosy")
    export(tmp_path / "without")
    export(tmp_path / "with", model_prompted=True)
    before, without = (sorted((tmp_path / name / "data").iterdir()) for name in ("before", "without"))
    assert [path.read_bytes() for path in before] == [path.read_bytes() for path in without]
    labels = {label["attribute"]: label for label in rows_of(tmp_path / "with")[0]["labels"]}
    assert (labels["income"]["reached"], labels["income"]["prompted_by"]) == ("model-prompted", "gpt-nosy")
    assert labels["age"]["prompted_by"] is None
    assert "model-prompted" in card_of(tmp_path / "with")[1]
    assert "model-prompted" not in card_of(tmp_path / "without")[1]
