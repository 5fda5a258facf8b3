"""The form of a new run over defences: what it refuses, the dry run, files that wait, and what it starts."""

import json
import threading

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection

from annotator.models import AuditEntry, GoldRecord
from evaluation.defences.checks import NO_EVIDENCE, NO_GOLD
from evaluation.defences.forms import HELD_LOST, NO_DEFENCE, OTHER_RUN
from evaluation.defences.plans import KEYS, NEEDS_MODEL
from evaluation.defences.services import start_defence_run
from evaluation.inference.forms.attack import CORPUS_REQUIRED
from evaluation.llm.forms import ENDPOINT_REQUIRED, NO_PRICES
from evaluation.models import EvaluationRun
from evaluation.runs.services import cancel_run
from profiles.jobs.states import State, state_of
from profiles.models import DetectionRun
from tests.annotator.comments.marks import make_run
from tests.evaluation.defences.studies import make_study, rules_plan
from tests.evaluation.inference.studies import PRICES, finish, make_endpoint
from tests.factories import make_corpus, make_profile

URL = "/evaluations/new/defence/"


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS, settings.UPLOADS = tmp_path / "evaluations", tmp_path / "uploads"


@pytest.fixture
def as_rosalind(client, rosalind):
    client.force_login(rosalind)
    return client


def payload(corpus=None, **fields):
    defaults = {
        "system": "baseline", "baseline": "rules", "corpus": corpus.pk if corpus else "", "batch": "", "endpoint": "",
        "defences": ["detections-tag", "random-tag"], "detection": "", "prompt": "profile-1",
        "request_per": "profile", "asked_about": "all", "profile_tokens": 3000, "max_tokens": 900, "temperature": 0.1,
        "bootstrap": 20, "seed": 7,
    }  # fmt: skip
    return defaults | fields


def spans_file(corpus, text="Houston", label="CITY", name="other.jsonl"):
    """Another detector's spans: every comment by its name, and the place of a word in it."""
    lines = []
    for profile in corpus.profiles.order_by("pk"):
        body = profile.comments.get().body
        start = body.index(text)
        span = {"start": start, "end": start + len(text), "label": label}
        lines.append(json.dumps({"id": f"{profile.pseudonym}/1", "spans": [span]}))
    return SimpleUploadedFile(name, "\n".join(lines).encode())


def table(contents=b"age,count\n18-30,50\n31-60,7\n", name="norway.csv"):
    return SimpleUploadedFile(name, contents)


def hidden(response) -> dict[str, str]:
    """What the dry run put into the form."""
    data = response.context["form"].data
    return {name: data[name] for name in ("checked", "held_detections", "held_population") if data.get(name)}


def uploads(tmp_path) -> list[str]:
    return [path.name for path in (tmp_path / "uploads").glob("*")]


def test_the_page_offers_every_defence_and_is_reached_from_the_list(as_rosalind):
    page = as_rosalind.get(URL).content.decode()
    assert all(f'value="{key}"' in page for key in KEYS)
    assert URL in as_rosalind.get("/evaluations/").content.decode()


def test_a_baseline_starts_at_once(as_rosalind, rosalind):
    corpus, detection = make_study()
    response = as_rosalind.post(URL, payload(corpus))
    run = EvaluationRun.objects.get()
    assert response.url == f"/evaluations/{run.pk}/"
    assert (run.kind, run.corpus, run.asked_by, run.system) == ("defence", corpus, rosalind, "Baseline: rules")
    assert [recipe["method"] for recipe in run.settings["defences"]] == ["none", "detections", "random"]
    assert (run.settings["detection"], run.settings["scoring"]["seed"]) == (detection.pk, 7)
    assert AuditEntry.objects.filter(action=AuditEntry.Action.EVALUATION_STARTED).count() == 1


def test_a_model_is_asked_only_after_its_dry_run(as_rosalind):
    corpus, _ = make_study()
    fields = payload(
        corpus, system="endpoint", endpoint=make_endpoint(**PRICES).pk, defences=["detections-tag", "rewrite-1"],
        budget_tokens=50_000,
    )  # fmt: skip
    response = as_rosalind.post(URL, fields)
    page = response.content.decode()
    assert response.status_code == 200
    assert not EvaluationRun.objects.exists()
    assert "Rewritten by the model, 1 round: " in page
    assert "EUR, at prices of 3 May 2025" in page
    assert 'value="rewrite-1" checked' in page
    again = as_rosalind.post(URL, fields | {"defences": ["detections-tag"]} | hidden(response))
    assert again.status_code == 200  # something else was chosen, so it is worked out again
    assert as_rosalind.post(URL, fields | hidden(response)).status_code == 302
    run = EvaluationRun.objects.get()
    assert run.settings["budget"] == {"tokens": 50_000, "money": None}
    assert run.settings["account"].startswith("infer:")


def test_files_wait_for_the_start(as_rosalind, tmp_path):
    corpus, _ = make_study()
    fields = payload(corpus, system="endpoint", endpoint=make_endpoint().pk)
    response = as_rosalind.post(URL, fields | {"detections_file": spans_file(corpus), "population": table()})
    page = response.content.decode()
    assert "Already uploaded: other.jsonl" in page
    assert "Already uploaded: norway.csv" in page
    assert "3 spans in 3 comments" in page
    assert len(uploads(tmp_path)) == 2
    assert as_rosalind.post(URL, fields | hidden(response)).status_code == 302
    run = EvaluationRun.objects.get()
    assert run.settings["detector_file"]["name"] == "other.jsonl"
    assert run.settings["population"].startswith("age,count")
    assert uploads(tmp_path) == []


def test_files_that_wait_are_found_only_by_who_uploaded_them(as_rosalind, client, grace):
    corpus, _ = make_study()
    fields = payload(corpus, system="endpoint", endpoint=make_endpoint().pk)
    seen = hidden(as_rosalind.post(URL, fields | {"detections_file": spans_file(corpus)}))
    client.force_login(grace)
    response = client.post(URL, fields | seen)
    assert response.context["form"].errors["detections_file"] == [HELD_LOST]


def test_a_detectors_file_needs_no_detection_run(as_rosalind):
    corpus, detection = make_study()
    detection.delete()
    assert as_rosalind.post(URL, payload(corpus, detections_file=spans_file(corpus))).status_code == 302
    run = finish(EvaluationRun.objects.get())
    bodies = run.defended_texts.filter(defence="detections-tag").values_list("body", flat=True)
    assert len(bodies) == 3
    assert all("I live in [CITY]." in body for body in bodies)
    assert run.report["defences"][1]["title"].startswith("Detector’s file")


@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        ({"corpus": ""}, "corpus", CORPUS_REQUIRED),
        ({"defences": []}, "defences", NO_DEFENCE),
        ({"defences": ["klingon"]}, "defences", "klingon"),
        ({"defences": ["rewrite-1"]}, "defences", NEEDS_MODEL),
        ({"system": "endpoint"}, "endpoint", ENDPOINT_REQUIRED),
        ({"population": table(b"age,count\n20,5\nold,5\n")}, "population", "Line 3 of the population table"),
        ({"population": table(b"")}, "population", "empty"),
        ({"detections_file": SimpleUploadedFile("x.jsonl", b"{}")}, "detections_file", "x.jsonl"),
        (
            {"detections_file": SimpleUploadedFile("x.jsonl", b'{"id": "nobody/1", "spans": []}')},
            "detections_file",
            "none of them is a comment",
        ),
    ],
)
def test_what_is_wrong_is_said_at_its_field(as_rosalind, tmp_path, change, field, sentence):
    corpus, _ = make_study()
    response = as_rosalind.post(URL, payload(corpus) | change)
    assert response.status_code == 422
    assert sentence in str(response.context["form"].errors[field])
    assert not EvaluationRun.objects.exists()
    assert uploads(tmp_path) == []


def test_refuses_a_corpus_without_gold_without_detections_or_without_evidence(as_rosalind):
    empty = make_corpus("Empty")
    make_profile(corpus=empty)
    errors = as_rosalind.post(URL, payload(empty)).context["form"].errors
    assert "No detection run" in str(errors["detection"])
    make_run(empty)
    assert as_rosalind.post(URL, payload(empty)).context["form"].errors["defences"] == [NO_GOLD]
    corpus, _ = make_study()
    GoldRecord.objects.update(evidence=[])
    errors = as_rosalind.post(URL, payload(corpus, defences=["evidence-tag"])).context["form"].errors
    assert errors["defences"] == [NO_EVIDENCE]


def test_refuses_what_belongs_to_another_corpus_and_money_without_prices(as_rosalind):
    corpus, _ = make_study()
    other = make_run(make_corpus("Other"))
    errors = as_rosalind.post(URL, payload(corpus, detection=other.pk)).context["form"].errors
    assert errors["detection"] == [OTHER_RUN]
    fields = payload(corpus, system="endpoint", endpoint=make_endpoint().pk, budget_money="1.00")
    assert as_rosalind.post(URL, fields).context["form"].errors["budget_money"] == [NO_PRICES]


def test_the_chosen_detection_run_is_used(as_rosalind):
    corpus, detection = make_study()
    make_run(corpus, "newer")
    as_rosalind.post(URL, payload(corpus, detection=detection.pk))
    assert EvaluationRun.objects.get().settings["detection"] == detection.pk


def test_evaluators_find_no_such_page(client, ada):
    client.force_login(ada)
    assert client.get(URL).status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_detection_runs(as_rosalind, django_assert_max_num_queries):
    for number in range(6):
        make_run(make_corpus(f"Corpus {number}"), f"recipe {number}")
    assert DetectionRun.objects.count() == 6
    with django_assert_max_num_queries(12):
        as_rosalind.get(URL)


# ── Two tabs ────────────────────────────────────────────────────────────────


def test_the_same_run_is_not_started_twice(as_rosalind):
    corpus, _ = make_study()
    first, second = (as_rosalind.post(URL, payload(corpus)) for _ in range(2))
    run = EvaluationRun.objects.get()
    assert first.url == second.url == f"/evaluations/{run.pk}/"
    as_rosalind.post(URL, payload(corpus, seed=8))
    assert EvaluationRun.objects.count() == 2


def test_a_run_that_ended_can_be_started_again(as_rosalind):
    corpus, _ = make_study()
    as_rosalind.post(URL, payload(corpus))
    run = EvaluationRun.objects.get()
    cancel_run(run)
    run.refresh_from_db()
    assert state_of(run) is State.CANCELLED
    as_rosalind.post(URL, payload(corpus))
    assert EvaluationRun.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_tabs_at_the_same_moment_start_one_run():
    corpus, detection = make_study()
    plan, barrier, outcomes = rules_plan(corpus, detection), threading.Barrier(2, timeout=20), []

    def start():
        barrier.wait()
        try:
            outcomes.append(start_defence_run(plan))
        finally:
            connection.close()

    threads = [threading.Thread(target=start) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert EvaluationRun.objects.count() == 1
    assert sorted(is_new for _, is_new in outcomes) == [False, True]
