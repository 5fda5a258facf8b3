"""Made-up Dreaddit files, and runs of the probe over them."""

from pathlib import Path
from typing import Any

from evaluation.llm.budget import Limit
from evaluation.models import EvaluationInput, EvaluationRun, ModelEndpoint
from evaluation.probes.dreaddit import load_template
from evaluation.probes.plans import ProbePlan
from evaluation.probes.services import request_probe_run
from evaluation.probes.settings import ProbeSettings
from evaluation.runs.storage import InputFile
from evaluation.runs.systems import System
from tests.evaluation.inference.studies import finish
from tests.evaluation.probes.dreaddit.files import make_rows, write_csv


def make_file(folder: Path, rows: int = 4, name: str = "dreaddit-test.csv", start: int = 0) -> InputFile:
    """Every third text is calm. The name tells the split, and is not that of the file."""
    path = write_csv(folder / f"{rows}-{start}.upload", make_rows(rows, start))
    return InputFile(EvaluationInput.Role.GOLD, path, name)


def model_plan(file: InputFile, endpoint: ModelEndpoint, limit: Limit | None = None, **choices: Any) -> ProbePlan:
    settings = ProbeSettings(**{"bootstrap": 20, "rounds": 20} | choices)
    return ProbePlan(System.stored(endpoint), settings, load_template(), [file], limit=limit or Limit())


def baseline_plan(*files: InputFile, name: str = "random", **choices: Any) -> ProbePlan:
    settings = ProbeSettings(**{"bootstrap": 20, "rounds": 20} | choices)
    return ProbePlan(System.baseline(name), settings, load_template(), files)


def do_run(plan: ProbePlan, **options: Any) -> EvaluationRun:
    """Request a run and do it here."""
    return finish(request_probe_run(plan, is_queued=False, **options))
