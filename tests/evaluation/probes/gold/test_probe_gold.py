"""Does a stated gender change what a model infers? Codes, prompts, and the command over HTTP."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation.inference.prompts import load_prompt
from evaluation.inference.records import Label, Prediction
from evaluation.models import ModelAttempt
from evaluation.probes.gold import ATTRIBUTES
from evaluation.probes.gold.codes import code_guess, count_changes, first_guess, means_the_same
from evaluation.probes.gold.measurement import GoldItem, GuessTable, measure_gold
from evaluation.probes.gold.questions import build_gold_questions
from evaluation.probes.records import Attempt, Code, Variant
from evaluation.probes.report import NothingToMeasure
from evaluation.probes.settings import ProbeSettings
from profiles.attributes import Attribute
from tests.annotator.gold.records import make_gold
from tests.evaluation.llm.server import ok, reply, serving
from tests.factories import make_corpus, make_profile

HOUSTON = "houston / texas / united states"


@pytest.mark.parametrize(
    ("guesses", "code"),
    [
        (("Houston, USA",), Code.YES), (("Boston", "Houston"), Code.NO), (("United States",), Code.NO),
        (("unknown",), Code.NO), ((), Code.UNDETECTED), (("–", "Houston"), Code.YES),
    ],
)  # fmt: skip
def test_guesses_are_right_wrong_or_none(guesses, code):
    assert code_guess(first_guess(Prediction(guesses), "location"), "location", HOUSTON) is code
    assert first_guess(None, "location") is None


def test_guesses_that_mean_the_same_are_no_change():
    assert means_the_same("Houston", "Houston, Texas", "location")
    assert not means_the_same("Houston", "Boston", "location")
    assert means_the_same("", "", "age")
    assert not means_the_same("", "30", "age")
    table = [[["30", "31"], ["50", "50"], [None, None]]]
    assert count_changes(table, "age") == {"between": 1.0, "within": 0.0}
    assert count_changes([], "age") == {"between": None, "within": None}


def test_a_gender_is_one_more_sentence():
    variants = (Variant("female"), Variant("control", is_control=True))
    questions = build_gold_questions([7], lambda profile: [], variants, load_prompt(), ProbeSettings(repetitions=2))
    requests = [request for _, request in questions]
    stated, control = requests[0].messages, requests[2].messages
    assert stated[0] == control[0]
    assert stated[1][1] == f"The author is female.\n\n{control[1][1]}"
    assert len({request.digest("m", "u") for request in requests}) == 4
    assert {request.profile_id for request in requests} == {7}


def measured(gap: bool, profiles: int = 40):
    items = [GoldItem(f"p{at}", {"age": Label("30", 2, 4), "sex": Label("Male", 1, 5)}) for at in range(profiles)]
    table = GuessTable({
        Attempt(at, column, 0): {"age": "70" if gap and column == 2 else "30"}
        for at in range(profiles) for column in range(3)
    })  # fmt: skip
    settings = ProbeSettings(bootstrap=20, rounds=50)
    return measure_gold(items, table, settings, system="small", corpus="Study", prompt="profile-1@x")


def test_a_gap_is_found_and_no_gap_is_not():
    (row,) = measured(gap=True)["summary"]
    assert (row["attribute"], row["max_diff_correct_rate"], row["guesses"]["between"]) == (
        "age",
        1,
        pytest.approx(2 / 3),
    )
    assert row["p_holm"] < 0.05
    (row,) = measured(gap=False)["summary"]
    assert (row["max_diff_correct_rate"], row["p_holm"], row["guesses"]["between"]) == (0, 1, 0)


def test_the_report_is_plain_json_without_texts():
    report = measured(gap=True)
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    assert report["attributes"]["age"]["beyond"]["disclosures"]["counts"] == {"male": 40}


def test_nothing_to_measure():
    with pytest.raises(NothingToMeasure):
        measure_gold([GoldItem("p", {})], GuessTable(), ProbeSettings(), system="m", corpus="c", prompt="p")


def test_sex_is_not_asked_about():
    assert "sex" not in ATTRIBUTES


@pytest.mark.django_db(transaction=True)
class TestCommand:
    @pytest.fixture
    def corpus(self):
        corpus = make_corpus("Study")
        for at in range(3):
            profile = make_profile(f"I moved to Houston {at}", corpus=corpus)
            make_gold(Attribute.LOCATION, HOUSTON, profile=profile)
        return corpus

    @pytest.fixture
    def server(self):
        with serving() as server:
            server.script = lambda text, times: ok(
                reply(json.dumps({"location": {"guesses": ["Boston" if "is female" in text else "Houston"]}}))
            )
            yield server

    def probe(self, server, tmp_path, **options):
        stdout, out = StringIO(), tmp_path / "report.json"
        options = {"corpus": "Study", "endpoint": server.url, "model": "m", "json": out, "bootstrap": 5} | options
        call_command("probe_gold", stdout=stdout, **options)
        return json.loads(out.read_text()) if out.exists() else stdout.getvalue()

    def test_answers_are_kept_with_their_profiles_and_asked_once(self, corpus, server, tmp_path):
        report = self.probe(server, tmp_path, html=tmp_path / "report.html")
        (row,) = report["summary"]
        page = (tmp_path / "report.html").read_text()
        assert "What a stated gender changes" in page
        assert "I moved" not in page
        assert row["rates"] == {"male": 1, "female": 0, "non-binary": 1}
        assert ModelAttempt.objects.filter(profile__isnull=False).count() == server.calls.total() == 9
        assert self.probe(server, tmp_path) == report
        assert server.calls.total() == 9
        assert not any(profile.pseudonym in json.dumps(server.bodies) for profile in corpus.profiles.all())

    def test_a_dry_run_asks_nothing(self, corpus, server, tmp_path):
        assert self.probe(server, tmp_path, dry_run=True, control=True, repetitions=2).startswith("24 calls")
        assert not server.calls

    def test_an_endpoint_that_fails_writes_nothing(self, corpus, server, tmp_path):
        server.script = lambda text, times: (401, {}, b"{}")
        with pytest.raises(CommandError, match="key"):
            self.probe(server, tmp_path)
        assert not (tmp_path / "report.json").exists()

    @pytest.mark.parametrize("options", [{"corpus": "Nope"}, {"batch": "Nope"}, {"model": ""}])
    def test_what_cannot_be_done_is_refused(self, corpus, server, tmp_path, options):
        with pytest.raises(CommandError):
            self.probe(server, tmp_path, **options)
        assert not server.calls

    def test_a_corpus_without_gold_is_refused(self, server, tmp_path):
        make_corpus("Study")
        with pytest.raises(CommandError, match="gold"):
            self.probe(server, tmp_path)
