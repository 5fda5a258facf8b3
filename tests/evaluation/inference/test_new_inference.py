"""The form of a new run: what it refuses, the dry run, and what it starts."""

import json
from datetime import UTC, datetime

import pytest

from annotator.models import AuditEntry
from evaluation.inference.forms.attack import CORPUS_REQUIRED, OTHER_CORPUS
from evaluation.inference.forms.creation import FILE_REQUIRED, NO_JUDGE_PRICES
from evaluation.inference.judge.prompts import load_judge_prompt
from evaluation.inference.views.creation import NO_GOLD
from evaluation.llm.budget import OTHER_CURRENCY
from evaluation.llm.forms import ENDPOINT_REQUIRED, NO_PRICES
from evaluation.models import EvaluationRun, PromptVersion
from tests.evaluation.inference.readers.files import synthpai, write
from tests.evaluation.inference.studies import ANSWER, PRICES, do_run, make_endpoint, make_study, model_plan
from tests.evaluation.llm.server import ok, reply, serving
from tests.factories import make_batch, make_corpus

URL = "/evaluations/new/model/"


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.EVALUATIONS, settings.UPLOADS = tmp_path / "evaluations", tmp_path / "uploads"


@pytest.fixture
def as_rosalind(client, rosalind):
    client.force_login(rosalind)
    return client


def payload(corpus=None, **fields):
    defaults = {
        "system": "baseline", "baseline": "hints", "corpus": corpus.pk if corpus else "", "batch": "", "endpoint": "",
        "prompt": "profile-1", "request_per": "profile", "asked_about": "all", "profile_tokens": 3000,
        "max_tokens": 900, "temperature": 0.1, "min_hardness": 1, "max_hardness": 5, "min_certainty": 3,
        "max_certainty": 5, "missing": "count", "bootstrap": 20, "seed": 1,
    }  # fmt: skip
    return defaults | fields


def checked(response) -> str:
    """What the dry run put into the form."""
    return response.context["form"].data["checked"]


def test_a_baseline_starts_at_once(as_rosalind, rosalind):
    corpus = make_study()
    response = as_rosalind.post(URL, payload(corpus))
    run = EvaluationRun.objects.get()
    assert response.url == f"/evaluations/{run.pk}/"
    assert (run.kind, run.corpus, run.asked_by, run.system) == ("inference", corpus, rosalind, "Baseline: hints")
    assert run.settings["scoring"]["bootstrap"] == 20
    assert AuditEntry.objects.filter(action=AuditEntry.Action.EVALUATION_STARTED).count() == 1


def test_a_model_is_asked_only_after_its_dry_run(as_rosalind):
    corpus, endpoint = make_study(), make_endpoint(**PRICES)
    fields = payload(corpus, system="endpoint", endpoint=endpoint.pk, budget_tokens=50_000)
    response = as_rosalind.post(URL, fields)
    page = response.content.decode()
    assert response.status_code == 200
    assert not EvaluationRun.objects.exists()
    assert "3 calls for 3 profiles" in page
    assert "EUR, at prices of 3 May 2025" in page
    assert as_rosalind.post(URL, fields | {"checked": checked(response)}).status_code == 302
    run = EvaluationRun.objects.get()
    assert run.settings["system"]["endpoint"] == endpoint.pk
    assert run.settings["budget"] == {"tokens": 50_000, "money": None}


@pytest.mark.parametrize("change", [{"max_tokens": 901}, {"budget_tokens": 1}, {"has_subreddits": "on"}])
def test_a_change_after_the_dry_run_is_checked_again(as_rosalind, change):
    fields = payload(make_study(), system="endpoint", endpoint=make_endpoint().pk)
    seen = checked(as_rosalind.post(URL, fields))
    response = as_rosalind.post(URL, fields | change | {"checked": seen})
    assert response.status_code == 200
    assert not EvaluationRun.objects.exists()
    assert as_rosalind.post(URL, fields | change | {"checked": checked(response)}).status_code == 302


def test_a_judge_is_named_in_the_dry_run_and_kept_with_the_run(as_rosalind):
    corpus, endpoint = make_study(), make_endpoint()
    judge = make_endpoint(name="judge", model="wise", **PRICES)
    fields = payload(corpus, system="endpoint", endpoint=endpoint.pk, judge=judge.pk)
    response = as_rosalind.post(URL, fields)
    page = response.content.decode()
    assert "The judge may add up to 9 calls" in page  # three guesses at each of three locations
    assert "3 calls for 3 profiles" in page
    assert as_rosalind.post(URL, fields | {"judge": "", "checked": checked(response)}).status_code == 200
    assert as_rosalind.post(URL, fields | {"checked": checked(response)}).status_code == 302
    stored = EvaluationRun.objects.get().settings["judge"]
    assert stored.pop("account").startswith("judge:")
    assert stored == {
        "endpoint": judge.pk, "base_url": judge.base_url, "model": "wise", "prompt": "judge-1",
        "prompt_sha256": load_judge_prompt().digest, "version": 1,
    }  # fmt: skip


def test_a_baseline_with_a_judge_has_a_dry_run_and_a_budget(as_rosalind):
    fields = payload(make_study(), judge=make_endpoint(**PRICES).pk, budget_money="0.50")
    response = as_rosalind.post(URL, fields)
    assert "up to 9 calls" in response.content.decode()
    assert "about 3 profiles" not in response.content.decode()
    assert as_rosalind.post(URL, fields | {"checked": checked(response)}).status_code == 302
    assert EvaluationRun.objects.get().settings["budget"] == {"tokens": None, "money": "0.50"}


@pytest.mark.parametrize(
    ("judge", "field", "sentence"),
    [
        ({}, "budget_money", NO_JUDGE_PRICES),
        (PRICES | {"currency": "USD"}, "budget_money", OTHER_CURRENCY),
        (PRICES | {"base_url": "https://models.example/v1"}, "judge", ""),
        (PRICES | {"archived_at": datetime(2025, 1, 1, tzinfo=UTC)}, "judge", ""),
    ],
)
def test_a_judge_that_cannot_be_paid_or_asked_is_refused(as_rosalind, judge, field, sentence):
    fields = payload(make_study(), system="endpoint", endpoint=make_endpoint(**PRICES).pk, budget_money="1")
    response = as_rosalind.post(URL, fields | {"judge": make_endpoint(name="judge", **judge).pk})
    assert response.status_code == 422
    assert sentence in "".join(response.context["form"].errors[field])


@pytest.mark.django_db(transaction=True)
def test_the_dry_run_knows_what_is_kept_and_what_is_left_out(as_rosalind):
    with serving() as server:
        server.script = lambda text, times: ok(reply(ANSWER))
        corpus, endpoint = make_study(), make_endpoint(server)
        do_run(model_plan(corpus, endpoint))
        fields = payload(corpus, system="endpoint", endpoint=endpoint.pk)
        page = as_rosalind.post(URL, fields).content.decode()
        assert "0 calls" in page
        assert "3 more answers are already stored" in page
        page = as_rosalind.post(URL, fields | {"profile_tokens": 2}).content.decode()
        assert "3 profiles are longer" in page
        assert server.calls.total() == 3


@pytest.mark.parametrize(
    ("change", "field", "sentence"),
    [
        ({"corpus": ""}, "corpus", CORPUS_REQUIRED),
        ({"system": "endpoint"}, "endpoint", ENDPOINT_REQUIRED),
        ({"system": "file"}, "predictions", FILE_REQUIRED),
        ({"system": "oracle"}, "system", ""),
        ({"baseline": "oracle"}, "baseline", ""),
        ({"endpoint": "999"}, "endpoint", ""),
        ({"prompt": "own-9"}, "prompt", ""),
        ({"min_hardness": 4, "max_hardness": 2}, "min_hardness", ""),
        ({"min_certainty": 4, "max_certainty": 2}, "min_certainty", ""),
        ({"min_certainty": 9}, "min_certainty", ""),
        ({"max_tokens": 0}, "max_tokens", ""),
        ({"temperature": "nan"}, "temperature", ""),
        ({"budget_tokens": -1}, "budget_tokens", ""),
        ({"seed": 2**40}, "seed", ""),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(as_rosalind, change, field, sentence):
    response = as_rosalind.post(URL, payload(make_study()) | change)
    assert response.status_code == 422
    assert sentence in "".join(response.context["form"].errors[field])
    assert not EvaluationRun.objects.exists()


def test_a_batch_of_another_corpus_is_refused(as_rosalind):
    response = as_rosalind.post(URL, payload(make_study(), batch=make_batch().pk))
    assert response.context["form"].errors["batch"] == [OTHER_CORPUS]


@pytest.mark.parametrize("has_batch", [False, True])
def test_a_place_without_gold_is_refused(as_rosalind, has_batch):
    corpus = make_study() if has_batch else make_corpus()
    batch = make_batch(corpus=corpus).pk if has_batch else ""
    response = as_rosalind.post(URL, payload(corpus, batch=batch))
    assert response.status_code == 422
    assert response.context["form"].errors["batch" if has_batch else "corpus"] == [NO_GOLD]


def test_a_budget_in_money_needs_prices(as_rosalind):
    fields = payload(make_study(), system="endpoint", endpoint=make_endpoint().pk, budget_money="2.50")
    assert as_rosalind.post(URL, fields).context["form"].errors["budget_money"] == [NO_PRICES]
    fields["endpoint"] = make_endpoint(name="priced", **PRICES).pk
    fields["checked"] = checked(as_rosalind.post(URL, fields))
    as_rosalind.post(URL, fields)
    assert EvaluationRun.objects.get().settings["budget"] == {"tokens": None, "money": "2.50"}


def test_an_endpoint_on_a_host_that_nobody_allowed_is_refused(as_rosalind):
    endpoint = make_endpoint(base_url="https://models.example/v1")
    response = as_rosalind.post(URL, payload(make_study(), system="endpoint", endpoint=endpoint.pk))
    assert "models.example" in "".join(response.context["form"].errors["endpoint"])


def test_an_archived_endpoint_cannot_be_chosen(as_rosalind):
    endpoint = make_endpoint(archived_at=datetime(2025, 1, 1, tzinfo=UTC))
    response = as_rosalind.post(URL, payload(make_study(), system="endpoint", endpoint=endpoint.pk))
    assert response.status_code == 422


def test_an_own_prompt_can_be_chosen(as_rosalind):
    PromptVersion.objects.create(name="own-1", contents={}, sha256="0" * 64)
    assert "own-1" in as_rosalind.get(URL).content.decode()


def test_a_file_is_read_and_started(as_rosalind, tmp_path):
    path = write(tmp_path / "gpt.jsonl", synthpai("a"), synthpai("b"))
    with path.open("rb") as file:
        assert as_rosalind.post(URL, payload(system="file", predictions=file)).status_code == 302
    run = EvaluationRun.objects.get()
    assert run.system == "gpt-4 (gpt)"
    assert run.settings["system"] == {
        "kind": "file", "format": "synthpai", "model": "gpt-4", "reviewer": "human_evaluated",
    }  # fmt: skip
    assert run.files.get().name == "gpt.jsonl"
    assert not list((tmp_path / "uploads").glob("gpt*"))


@pytest.mark.parametrize("change", [{}, {"model": "other"}, {"reviewer": "nobody"}])
def test_a_file_that_cannot_be_read_is_a_sentence(as_rosalind, tmp_path, change):
    line = synthpai() if change else {"username": "a"}
    path = write(tmp_path / "x.jsonl", line)
    with path.open("rb") as file:
        response = as_rosalind.post(URL, payload(system="file", predictions=file) | change)
    assert response.status_code == 422
    assert response.context["form"].errors["predictions"]
    assert not list((tmp_path / "uploads").glob("x*"))


def test_a_choice_that_the_file_needs_is_named_by_its_field(as_rosalind, tmp_path):
    two = synthpai(predictions={name: synthpai()["predictions"]["gpt-4"] for name in ("a", "b")})
    path = write(tmp_path / "x.jsonl", two)
    for change in ({}, {"model": "a", "file_format": "llmprivacy"}):
        with path.open("rb") as file:
            response = as_rosalind.post(URL, payload(system="file", predictions=file) | change)
        (sentence,) = response.context["form"].errors["predictions"]
        assert "--" not in sentence
        assert "“Model in the file”" in sentence or "“File format”" in sentence
    with path.open("rb") as file:
        as_rosalind.post(URL, payload(system="file", predictions=file, model="b", file_format="synthpai"))
    assert EvaluationRun.objects.get().settings["system"]["model"] == "b"


def test_only_staff(as_ada):
    assert as_ada.get(URL).status_code == 404
    assert as_ada.post(URL, payload()).status_code == 404


def test_wrong_methods(as_rosalind):
    assert as_rosalind.put(URL).status_code == 405


@pytest.mark.parametrize("rows", [1, 8])
def test_the_number_of_queries_is_fixed(as_rosalind, django_assert_num_queries, rows):
    for number in range(rows):
        make_endpoint(name=f"e{number}")
        make_batch(corpus=make_corpus())
    with django_assert_num_queries(6):  # person, endpoints twice, corpora, batches, prompts
        as_rosalind.get(URL)


def test_hostile_names_are_escaped(as_rosalind):
    make_endpoint(name="<b>x</b>", model="<i>y</i>")
    page = as_rosalind.get(URL).content.decode()
    assert "<b>x" not in page
    assert "<i>y" not in page
    assert json.dumps("&lt;b&gt;x")[1:-1] in page
