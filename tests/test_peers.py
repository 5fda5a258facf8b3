"""The race between labelling tools: its workload, what it reads of exports, its results file, table and goals."""

import json

import pytest

from tests.benchmarks.labelling_load import NothingLeft
from tests.benchmarks.peers import measures
from tests.benchmarks.peers.clients import ANSWERS, lost, submit_until, work_together
from tests.benchmarks.peers.goals import goals
from tests.benchmarks.peers.results import Entrant, Race, Results
from tests.benchmarks.peers.table import best_of_others, table, value
from tests.benchmarks.peers.tools.gradio import completed, filled, whole_lines
from tests.benchmarks.peers.tools.label_studio import form, whole_annotations
from tests.benchmarks.peers.tools.potato import whole_rows
from tests.benchmarks.peers.tools.telltale import dump_lines, whole_profiles
from tests.benchmarks.peers.workload import (
    as_text,
    clean,
    few_spans,
    load_workload,
    make_profiles,
    many_spans,
)

OURS = Entrant("telltale aaaaaaa", "Telltale", "telltale", ours=True)
FORMER = Entrant("telltale 18ad50f", "Telltale `18ad50f`", "telltale")
POTATO = Entrant("potato 2", "Potato", "potato")
GRADIO = Entrant("gradio 6", "Gradio", "gradio")
FIGURES = {
    OURS: {"cold until usable, 40 comments": [0.6, 0.5], "8 clients: whole form, submit, next": [40.0, 44.0]},
    FORMER: {"cold until usable, 40 comments": [0.4], "8 clients: whole form, submit, next": [16.0]},
    POTATO: {"cold until usable, 40 comments": [1.2, 1.0], "8 clients: whole form, submit, next": [4.0]},
    GRADIO: {"8 clients: whole form, submit, next": [20.0, 22.0]},
}


# ── Workload ────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def profiles():
    return make_profiles(["Howdy from Houston, y'all.", "He's 27; she isn't (yet)."])


def test_the_workload_has_the_promised_sizes(profiles):
    assert [len(profile.comments) for profile in profiles] == [40] * 1000 + [5000] * 2
    spans = [sum(len(comment.spans) for comment in profile.comments) for profile in profiles]
    assert spans == [20] * 1001 + [2500]
    assert (few_spans(profiles), many_spans(profiles)) == (profiles[1000], profiles[1001])


def test_the_workload_is_the_same_every_time(profiles, tmp_path):
    texts = tmp_path / "texts.txt"
    texts.write_text("<Howdy  from Houston, y'all.\nshort\nHe's 27; she isn't (yet).\n")
    written = load_workload(tmp_path / "workload.jsonl", texts)
    assert written == profiles
    assert load_workload(tmp_path / "workload.jsonl", None) == profiles
    texts.write_text("Other texts make another workload.")
    assert load_workload(tmp_path / "workload.jsonl", texts) != profiles


def test_comments_have_ids_of_their_own(profiles):
    ids = [json.loads(line)["id"] for line in dump_lines(profiles)]
    assert len(set(ids)) == len(ids) == 50_000


def test_texts_are_plain():
    assert clean(["a <b> & naïve\ttext\n of mine", "short"]) == ["a b na ve text of mine"]


def test_spans_keep_their_words_in_one_text(profiles):
    profile = profiles[0]
    text, spans = as_text(profile)
    words = [comment.body[span.start : span.end] for comment in profile.comments for span in comment.spans]
    assert [text[span.start : span.end] for span in spans] == words
    assert all(word.isalnum() for word in words)


# ── What was acknowledged, and what was exported ────────────────────────────


class Person:
    """A client whose server refuses every third form."""

    def __init__(self):
        self.acknowledged, self.calls = set(), 0

    def open_next(self):
        """Nothing to open."""

    def cycle(self):
        self.calls += 1
        if self.calls % 3 == 0:
            raise OSError("refused")
        self.acknowledged.add(f"{id(self)}/{self.calls}")

    def submit_only(self):
        self.cycle()


def test_only_confirmed_forms_count_as_cycles():
    people = [Person(), Person()]
    phase = work_together(people, 60)  # it ends with the twentieth error
    assert len(phase.cycles) == sum(len(person.acknowledged) for person in people)
    assert set(phase.errors) == {"OSError: refused"}


def test_a_phase_ends_when_no_profile_is_left():
    class LastPerson(Person):
        def cycle(self):
            raise NothingLeft("GET /assignments/1/next/")

    phase = work_together([Person(), LastPerson()], 60)
    assert phase.seconds < 30
    assert "NothingLeft" not in " ".join(phase.errors)


def test_submits_until_there_are_enough():
    person = Person()
    errors = submit_until([person], 5)
    assert len(person.acknowledged) == 5
    assert errors == ["OSError: refused"] * 2


def test_what_an_export_lacks_is_lost():
    assert lost({"a", "b", "c"}, {"b", "z"}) == 2
    assert lost({"a"}, {"a", "b"}) == 0


def test_only_whole_judgements_of_telltale_count():
    answers = {name: {"value": text} for name, text in ANSWERS.items()}
    lines = [
        json.dumps({"pseudonym": "whole", "judgements": [{"answers": answers}]}),
        json.dumps({"pseudonym": "partial", "judgements": [{"answers": answers | {"age": {"value": ""}}}]}),
        json.dumps({"pseudonym": "none", "judgements": []}),
    ]
    assert whole_profiles(lines) == {"whole"}


def test_only_whole_annotations_of_label_studio_count():
    partial = [result for result in form() if result["from_name"] != "sex"]
    annotations = [{"id": 7, "result": form()}, {"id": 8, "result": partial}, {"id": 9, "result": []}]
    assert whole_annotations(json.dumps([{"annotations": annotations}, {"annotations": []}])) == {"7"}


def test_only_whole_rows_of_potato_count():
    row = {"user_id": "idle0", "instance_id": "p0001", "labels": dict(ANSWERS)}
    lines = [json.dumps(row), json.dumps(row | {"instance_id": "p0002", "labels": {"age": "27"}})]
    assert whole_rows(lines) == {"idle0/p0001"}


def test_only_whole_answers_of_gradio_count():
    answers = {name: {"value": text} for name, text in ANSWERS.items()}
    token, nobody = {"occupation": {"value": "token"}}, {"occupation": {"value": ""}}
    lines = [{"answers": answers | token}, {"answers": answers | nobody}]
    lines.append({"answers": answers | {"age": {"value": "28"}, "occupation": {"value": "other"}}})
    assert whole_lines([json.dumps(line) for line in lines]) == {"token"}


def test_gradio_gets_all_fields_of_its_page():
    fields = filled(["{}", *[""] * 32], "token")
    assert len(fields) == 33
    assert fields[1:4] == ["Houston, Texas", 2, 4]
    assert (fields[5], fields[9], fields[13]) == ("male", "27", "token")


def test_gradio_answers_in_a_stream_of_events():
    done = {"msg": "process_completed", "success": True, "output": {"data": ["text", 1]}}
    events = [{"msg": "estimation"}, {"msg": "process_starts"}, done, {"msg": "close_stream"}]
    assert completed("\n\n".join(f"data: {json.dumps(event)}" for event in events)) == ["text", 1]


# ── Results ─────────────────────────────────────────────────────────────────


@pytest.fixture
def results(tmp_path):
    return Results(tmp_path / "results.jsonl")


def test_a_repeated_round_replaces_what_was_left_of_it(results):
    results.begin_round("potato 2", 1)
    results.add("potato 2", 1, "first start", 9)
    results.begin_round("potato 2", 1)
    results.add("potato 2", 1, "first start", 4)
    results.complete("potato 2", 1)
    results.begin_round("potato 2", 2)
    results.add("potato 2", 2, "first start", 5)
    assert results.figures("potato 2") == {"first start": [4, 5]}
    assert results.is_complete("potato 2", 1)
    assert not results.is_complete("potato 2", 2)
    assert results.figures("potato 3") == {}


def test_a_failure_counts_until_the_round_is_complete(results):
    results.begin_round("potato 2", 1)
    results.fail("potato 2", 1, "TimeoutError")
    assert results.failures("potato 2") == ["TimeoutError"]
    results.complete("potato 2", 1)
    assert results.failures("potato 2") == []


def test_the_last_race_says_what_is_compared(results):
    assert results.last_race() is None
    results.begin_race(Race([OURS], {"cores": "2"}))
    results.begin_race(Race([OURS, POTATO], {"cores": "4"}))
    assert results.last_race() == Race([OURS, POTATO], {"cores": "4"})


# ── Table and goals ─────────────────────────────────────────────────────────


def test_the_best_round_counts_and_the_worst_count():
    assert value(measures.COLD, FIGURES[OURS]) == 0.5
    assert value(measures.RATE, FIGURES[OURS]) == 44
    assert value(measures.LOST, {measures.LOST.name: [0, 1, 2]}) == 3
    assert value(measures.COLD, {}) is None


def test_other_checkouts_are_not_other_tools():
    assert best_of_others(measures.COLD, FIGURES) == 1
    assert best_of_others(measures.RATE, FIGURES) == 22


def test_the_table_shows_every_tool_and_both_ratios():
    race = Race([OURS, FORMER, POTATO, GRADIO], dict.fromkeys("date cores processor memory system python".split(), "x"))
    text = table(race, FIGURES, ["Potato: TimeoutError"])
    assert "| cold until usable, 40 comments | 0.50 s | 0.40 s | 1.00 s | – | 2.00 | 0.80 |" in text
    assert "| 8 clients: whole form, submit, next | 44.0/s | 16.0/s | 4.0/s | 22.0/s | 2.00 | 2.75 |" in text
    assert "Failed: Potato: TimeoutError" in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in rows} == {8}


def test_goals_are_ratios_in_the_same_run():
    bars = {bar.what: bar for bar in goals(FIGURES)}
    cold = bars["cold until usable, 40 comments: times better than Potato"]
    assert (cold.ratio, cold.at_least, cold.met) == (2, 1.5, True)
    rate = bars["8 clients: whole form, submit, next: times better than the best other tool"]
    assert (rate.ratio, rate.met) == (2, True)
    assert bars["8 clients: whole form, submit, next: times better than 18ad50f"].ratio == 2.75


def test_a_loss_misses_its_goal():
    bars = {bar.what: bar for bar in goals({OURS: {measures.LOST.name: [0, 1], measures.ERRORS.name: [0, 0]}})}
    assert not bars["acknowledged submissions that it lacks, count"].met
    assert bars["errors of the clients, count"].met


def test_what_was_not_measured_has_no_goal():
    assert goals({OURS: {}, POTATO: {}}) == []
