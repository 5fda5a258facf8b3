"""A task for Inspect: `inspect eval tasks/inspect_telltale.py --model MODEL`. This file travels with the dataset."""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from datasets import load_dataset
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Target, accuracy, grouped, scorer, stderr
from inspect_ai.solver import TaskState, generate
from telltale_gold import is_right, questions

FOLDER = Path(__file__).resolve().parents[1]


@task
def telltale_gold(split: str = "test") -> Task:
    return Task(dataset=MemoryDataset(samples(split)), solver=generate(), scorer=simple())


def samples(split: str) -> list[Sample]:
    kept = ("attribute", "status", "hardness")
    return [
        Sample(id=row["id"], input=row["prompt"], target=row["value"], metadata={name: row[name] for name in kept})
        for record in load_dataset(str(FOLDER), split=split)
        for row in questions(record)
    ]


@scorer(metrics=[grouped(accuracy(), "attribute"), stderr()])
def simple() -> Any:
    async def score(state: TaskState, target: Target) -> Score:
        answer = state.output.completion
        return Score(value=is_right(state.metadata["attribute"], answer, target.text), answer=answer)

    return score
