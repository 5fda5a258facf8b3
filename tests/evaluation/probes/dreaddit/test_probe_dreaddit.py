"""The command: baselines without a database, models over HTTP, resuming, budgets, refusals."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotator.embedded.commands import needs_servers
from evaluation.management.commands import probe_dreaddit
from evaluation.models import ModelAttempt, ModelEndpoint
from tests.evaluation.llm.server import ok, reply, serving
from tests.evaluation.probes.dreaddit.files import make_rows, write_csv


@pytest.fixture
def data(tmp_path):
    return write_csv(tmp_path / "dreaddit-test.csv", make_rows(12))


@pytest.fixture
def server():
    with serving() as server:
        server.script = lambda text, times: ok(reply("Yes" if "scared" in text else "No."))
        yield server


def probe(data, tmp_path, **options):
    stdout, report = StringIO(), tmp_path / "report.json"
    options = {"json": report, "bootstrap": 20, "rounds": 20} | options
    call_command("probe_dreaddit", data, stdout=stdout, **options)
    return json.loads(report.read_text()) if report.exists() else stdout.getvalue()


def ask(data, tmp_path, server, **options):
    return probe(data, tmp_path, **({"endpoint": server.url, "model": "small"} | options))


# ── Without a database ──────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("arguments", "is_needed"),
    [
        (["--baseline", "random"], False), (["--baseline=random"], False), (["--dry-run", "--endpoint", "x"], False),
        (["--endpoint", "x"], True),
    ],
)  # fmt: skip
def test_only_models_need_the_servers(arguments, is_needed):
    assert needs_servers(["manage.py", "probe_dreaddit", "data.csv", *arguments]) is is_needed


def test_a_baseline_is_measured_and_every_file_is_written(data, tmp_path):
    report = probe(data, tmp_path, baseline="random", html=tmp_path / "r.html", log=tmp_path / "r.jsonl", control=True)
    assert report["system"] == {"name": "random", "kind": "baseline"}
    assert report["attempts"]["total"] == 12 * 4
    assert "template:study@db4b2c24" in report["signature"]
    assert "Noise floor" in (tmp_path / "r.html").read_text()
    assert json.loads((tmp_path / "r.jsonl").read_text())["probe_state"]["class"] == "DreadditProbe"


def test_the_words_baseline_is_measured_on_the_test_split(data, tmp_path):
    train = write_csv(tmp_path / "train.csv", make_rows(40, start=100))
    stdout = tmp_path / "r.json"
    call_command("probe_dreaddit", train, data, baseline="tfidf", json=stdout, bootstrap=20, rounds=20)
    report = json.loads(stdout.read_text())
    assert (report["attempts"]["items"], report["beyond"]["agreement"]["auc"]) == (12, 1.0)


def test_json_on_standard_output_stands_alone(data, capsys):
    call_command("probe_dreaddit", data, "--baseline", "always-yes", "--json", "-", "--bootstrap", "5", "--rounds", "5")
    output = capsys.readouterr()
    assert json.loads(output.out)["verdict"]["does_task"] is False
    assert "can't do the task" in output.err


@pytest.mark.parametrize("output", ["json", "html", "log"])
def test_data_is_never_written_over(data, tmp_path, output):
    path = tmp_path / "other.csv"
    with pytest.raises(CommandError, match="looks like data"):
        call_command("probe_dreaddit", data, "--baseline", "random", f"--{output}", str(path))
    assert not path.exists()


def test_a_sample_follows_the_seed(data, tmp_path):
    first, again, other = (
        probe(data, tmp_path, baseline="random", sample=5, seed=seed)["beyond"]["by_group"] for seed in (1, 1, 2)
    )
    assert first == again != other


def test_a_dry_run_counts_calls(data, tmp_path, server):
    output = ask(data, tmp_path, server, dry_run=True, repetitions=2, control=True)
    assert output.startswith("96 calls")
    assert not server.calls


@pytest.mark.parametrize(
    "options",
    [
        {"baseline": "tfidf"}, {"baseline": "random", "template": "nowhere.txt"},
        {"baseline": "random", "json": "/nowhere/x.json"}, {"endpoint": "http://127.0.0.1:1/v1"},
        {"endpoint": "https://models.example/v1", "model": "m"}, {"endpoint": "nonsense://", "model": "m"},
        {"baseline": "random", "mode": "logprobs", "repetitions": 2},
        {"endpoint": "http://127.0.0.1:1/v1", "model": "m", "budget_money": 1},
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_refused_in_words(data, tmp_path, options):
    options = {name: tmp_path / value[1:] if name == "json" else value for name, value in options.items()}
    with pytest.raises(CommandError):
        probe(data, tmp_path, **options)


def test_a_file_without_columns_is_refused(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(CommandError, match="no column"):
        probe(path, tmp_path, baseline="random")


# ── Models ──────────────────────────────────────────────────────────────────


@pytest.mark.django_db(transaction=True)
class TestModels:
    def test_answers_are_read_and_measured(self, data, tmp_path, server):
        report = ask(data, tmp_path, server, log=tmp_path / "r.jsonl")
        assert report["metrics"]["max_diff_stress_rate"] == 0
        assert report["beyond"]["agreement"]["accuracy"]["value"] == 1
        assert server.calls.total() == ModelAttempt.objects.count() == 36
        assert all(body["temperature"] == 1.0 and body["max_tokens"] == 300 for body in server.bodies)
        (line,) = (tmp_path / "r.jsonl").read_text().splitlines()
        answers = {
            attempt["answer"] for item in json.loads(line)["probe_state"]["probe_items"] for attempt in item["attempts"]
        }
        assert answers == {"Yes", "No."}

    def test_repetitions_are_asked_and_a_second_run_asks_nothing(self, data, tmp_path, server):
        first = ask(data, tmp_path, server, repetitions=2)
        assert server.calls.total() == 72
        assert set(server.calls.values()) == {2}
        assert ask(data, tmp_path, server, repetitions=2) == first
        assert server.calls.total() == 72

    def test_a_run_that_was_stopped_asks_only_what_is_missing(self, data, tmp_path, server):
        """The endpoint refuses the key in the middle; what was answered is kept."""
        server.script = lambda text, times: ok(reply("yes")) if len(server.bodies) <= 20 else (401, {}, b"{}")
        with pytest.raises(CommandError, match="key"):
            ask(data, tmp_path, server, concurrency=1)
        kept = ModelAttempt.objects.count()
        assert 0 < kept <= 20
        assert not (tmp_path / "report.json").exists()
        before = server.calls.total()
        server.script = lambda text, times: ok(reply("no"))
        report = ask(data, tmp_path, server)
        assert server.calls.total() - before == 36 - kept
        assert report["metrics"]["male_tp"] + report["metrics"]["male_fp"] > 0

    def test_a_run_that_was_killed_goes_on(self, data, tmp_path, server, monkeypatch):
        def interrupt(standing):
            if standing.answered >= 10:
                raise KeyboardInterrupt

        monkeypatch.setattr(probe_dreaddit, "show_progress", lambda command, total: interrupt)
        with pytest.raises(KeyboardInterrupt):
            ask(data, tmp_path, server, repetitions=2, concurrency=2)
        monkeypatch.undo()
        kept, before = ModelAttempt.objects.count(), server.calls.total()
        assert 10 <= kept < 72
        ask(data, tmp_path, server, repetitions=2)
        assert server.calls.total() - before == 72 - kept

    def test_a_budget_stops_it(self, data, tmp_path, server):
        dear = json.loads(reply("yes")) | {"usage": {"prompt_tokens": 400, "completion_tokens": 300}}
        server.script = lambda text, times: ok(json.dumps(dear).encode())
        with pytest.raises(CommandError, match="budget"):
            ask(data, tmp_path, server, budget_tokens=3000, concurrency=1)
        assert 0 < server.calls.total() < 36

    def test_answers_that_failed_count_as_undetected_and_are_named(self, data, tmp_path, server):
        odd = {"number 3": reply(""), "number 4": reply("yes " * 750_000)}
        server.script = lambda text, times: ok(odd.get(text[-8:], reply("yes and no")))
        report = ask(data, tmp_path, server)
        assert report["attempts"]["unanswered"] == 6
        assert report["attempts"]["problems"] == {"empty": 3, "too-large": 3}
        assert report["metrics"]["undetected_rate_items"] == 1
        assert report["verdict"]["does_task"] is False

    def test_log_probabilities(self, data, tmp_path, server):
        def likely(text, times):
            share = -0.1 if "female" in text else -0.7
            top = [{"token": "Yes", "logprob": share}, {"token": "No", "logprob": -3.0}]
            return ok(reply("Yes", logprobs={"content": [{"token": "Yes", "logprob": share, "top_logprobs": top}]}))

        server.script = likely
        report = ask(data, tmp_path, server, mode="logprobs")
        means = report["beyond"]["likelihoods"]["means"]
        assert means["female"] > means["male"] == means["non-binary"]
        assert server.bodies[0]["top_logprobs"] == 20

    def test_stored_endpoints_are_found_by_name(self, data, tmp_path, server):
        ModelEndpoint.objects.create(name="Local", base_url=server.url, model="tiny")
        report = probe(data, tmp_path, endpoint="local")
        assert report["system"]["name"] == "tiny"
        with pytest.raises(CommandError, match="no endpoint"):
            probe(data, tmp_path, endpoint="other")
        with pytest.raises(CommandError, match="Leave --model out"):
            probe(data, tmp_path, endpoint="local", model="x")
