"""Any detector can be measured; whatever it does wrong is named, and its usable answers are kept."""

import json
import os
import re
import shlex
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.spans.records import ONLY_LAYER, LabelledSpan, ProblemKind, SpanFile
from evaluation.spans.systems.answers import UnusableLine, read_answer
from evaluation.spans.systems.command import CommandUnusable, Limits, run_command, split_command

GUIDE = Path(__file__).resolve().parents[4] / "docs" / "how-to" / "measure-another-detector.md"
TEXTS = {"a": "Ada was born in 1915.", "b": "Nothing here.", "c": "Secret Grace, 1906 and 1992"}
READ = "import json, sys, time, os\nasked = [json.loads(line) for line in sys.stdin]\n"
ANSWER = "def answer(id, *spans): print(json.dumps({'id': id, 'spans': list(spans)}), flush=True)\n"
SOON = Limits(total=20, idle=20, leave=0.3)


@pytest.fixture
def run(tmp_path):
    def run_script(script: str, texts: dict[str, str] = TEXTS, limits: Limits = SOON) -> SpanFile:
        path = tmp_path / "detector.py"
        path.write_text(script)
        command = shlex.join([sys.executable, str(path)])
        return run_command(command, texts, errors=tmp_path / "errors.txt", limits=limits)

    return run_script


def spans_of(result: SpanFile) -> dict[str, list[tuple[int, int, str]]]:
    return {
        document.id: [(span.start, span.end, span.label) for span in document.layers[ONLY_LAYER]]
        for document in result.documents.values()
    }


def kinds(result: SpanFile) -> list[ProblemKind]:
    return sorted(problem.kind for problem in result.problems)


def test_runs_the_detector_of_the_guide(run):
    (script,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    result = run(script)
    assert spans_of(result) == {
        "a": [(16, 20, "DATE_TIME")],
        "b": [],
        "c": [(14, 18, "DATE_TIME"), (23, 27, "DATE_TIME")],
    }
    assert result.problems == ()
    assert result.documents["a"].layers[ONLY_LAYER][0].score == 0.8


def test_the_answer_in_the_guide_fits_its_document():
    document, answer = (json.loads(line) for line in re.findall(r'^\{"id".*\}$', GUIDE.read_text(), re.MULTILINE))
    (span,) = read_answer(json.dumps(answer).encode(), 1, {document["id"]: len(document["text"])}).spans
    assert span.text_of(document["text"]) == "Smith"


def test_the_order_of_answers_is_free(run):
    result = run(READ + ANSWER + "for document in reversed(asked): answer(document['id'])")
    assert list(result.documents) == list(TEXTS)
    assert result.problems == ()


def test_nobody_waits_for_anybody(run):
    """More than pipes hold in both directions, from a detector that writes before it reads and answers at length."""
    texts = {str(number): "word " * 20_000 for number in range(20)}
    script = (
        "import json, sys\nsys.stderr.write('e' * 300_000)\n"
        "for line in sys.stdin:\n"
        "    id = json.loads(line)['id']\n"
        "    spans = [{'start': n, 'end': n + 1, 'label': 'X' * 50} for n in range(5000)]\n"
        "    print(json.dumps({'id': id, 'spans': spans}))\n"
    )
    result = run(script, texts)
    assert {len(spans) for spans in spans_of(result).values()} == {5000}
    assert len(result.documents) == 20


def test_texts_arrive_as_they_are(run):
    texts = {"ü\n": "line\nbreak \x00 \u2028 \ud800 👩‍👩‍👧"}
    script = (
        READ + ANSWER + "text = asked[0]['text']\nanswer(asked[0]['id'], {'start': 0, 'end': len(text), 'label': 'X'})"
    )
    assert spans_of(run(script, texts)) == {"ü\n": [(0, len(texts["ü\n"]), "X")]}


# ── Whatever a detector does wrong ──────────────────────────────────────────

BAD_LINES = {
    "no JSON": ("print('nonsense about Grace')", ProblemKind.UNREADABLE),
    "another object": ("print(json.dumps({'document': 'c'}))", ProblemKind.UNREADABLE),
    "a list": ("print('[' * 100_000)", ProblemKind.UNREADABLE),
    "no UTF-8": ("sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush()", ProblemKind.UNREADABLE),
    "an unknown id": ("answer('Grace')", ProblemKind.ONLY_IN_PREDICTIONS),
    "a second answer": ("answer('a', {'start': 0, 'end': 1, 'label': 'X'})", ProblemKind.DOCUMENT_REPEATED),
}


@pytest.mark.parametrize(("line", "kind"), BAD_LINES.values(), ids=BAD_LINES)
def test_a_bad_line_is_named_and_the_others_are_kept(run, line, kind):
    script = READ + ANSWER + f"answer('a')\n{line}\nanswer('b'); answer('c')"
    result = run(script)
    assert kinds(result) == [kind]
    assert spans_of(result) == {"a": [], "b": [], "c": []}


BAD_SPANS = {
    "outside": ({"start": 0, "end": 99, "label": "X"}, ProblemKind.OUT_OF_RANGE),
    "before": ({"start": -1, "end": 3, "label": "X"}, ProblemKind.OUT_OF_RANGE),
    "empty": ({"start": 3, "end": 3, "label": "X"}, ProblemKind.EMPTY),
    "backwards": ({"start": 3, "end": 1, "label": "X"}, ProblemKind.EMPTY),
    "true": ({"start": True, "end": 3, "label": "X"}, ProblemKind.UNREADABLE),
    "text": ({"start": "0", "end": 3, "label": "X"}, ProblemKind.UNREADABLE),
    "fraction": ({"start": 0.0, "end": 3, "label": "X"}, ProblemKind.UNREADABLE),
    "no label": ({"start": 0, "end": 3}, ProblemKind.UNREADABLE),
    "long label": ({"start": 0, "end": 3, "label": "X" * 101}, ProblemKind.UNREADABLE),
    "score NaN": ({"start": 0, "end": 3, "label": "X", "score": float("nan")}, ProblemKind.UNREADABLE),
    "score true": ({"start": 0, "end": 3, "label": "X", "score": True}, ProblemKind.UNREADABLE),
    "score too large": ({"start": 0, "end": 3, "label": "X", "score": 10**400}, ProblemKind.UNREADABLE),
    "a list": ([0, 3, "X"], ProblemKind.UNREADABLE),
}


@pytest.mark.parametrize(("span", "kind"), BAD_SPANS.values(), ids=BAD_SPANS)
def test_a_bad_span_is_named_and_the_others_are_kept(span, kind):
    good = {"start": 0, "end": 3, "label": "PERSON", "score": 1}
    line = json.dumps({"id": "a", "spans": [span, good]}).encode()
    answer = read_answer(line, 1, {"a": 20})
    assert answer.spans == (LabelledSpan(0, 3, "PERSON", 1.0),)
    assert [(problem.kind, problem.document) for problem in answer.problems] == [(kind, "a")]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["id", "spans", "start", "end", "label", "score"]), inner, max_size=6)
        ),
        max_leaves=8,
    ).map(lambda value: json.dumps(value).encode())
    | st.binary(max_size=30)
)
def test_no_line_gets_through_unchecked(line):
    try:
        answer = read_answer(line, 1, {"": 10})
    except UnusableLine:
        return
    assert all(0 <= span.start < span.end <= 10 and span.label for span in answer.spans)


def test_a_detector_that_dies_is_named(run):
    result = run(READ + ANSWER + "answer('a')\nsys.exit(3)")
    assert kinds(result) == [ProblemKind.DETECTOR, ProblemKind.NOT_ANALYSED, ProblemKind.NOT_ANALYSED]
    assert any("status 3" in problem.detail for problem in result.problems)
    assert list(result.documents) == ["a"]


def test_a_detector_that_is_killed_is_named(run):
    result = run(READ + ANSWER + "answer('a')\nos.kill(os.getpid(), 9)")
    assert any("signal 9" in problem.detail for problem in result.problems)


def test_a_detector_that_never_reads(run):
    result = run("import sys; sys.exit(0)", {"a": "x" * 1_000_000})
    assert kinds(result) == [ProblemKind.NOT_ANALYSED]


def test_a_detector_that_falls_silent_is_stopped(run):
    began = time.monotonic()
    limits = Limits(total=20, idle=0.5, leave=0.3)
    result = run(
        READ + ANSWER + "answer('a')\nwhile True: print('nonsense', flush=True); time.sleep(0.2)", limits=limits
    )
    assert time.monotonic() - began < 10
    assert any("--idle-limit" in problem.detail for problem in result.problems)
    assert list(result.documents) == ["a"]


def test_a_detector_that_keeps_answering_is_not_stopped(run):
    limits = Limits(total=20, idle=1.5, leave=0.3)
    result = run(READ + ANSWER + "for document in asked: time.sleep(0.7); answer(document['id'])", limits=limits)
    assert result.problems == ()


def test_a_detector_that_takes_too_long_is_stopped(run):
    limits = Limits(total=0.7, idle=20, leave=0.3)
    result = run(READ + ANSWER + "answer('a')\ntime.sleep(60)", limits=limits)
    assert any("--time-limit" in problem.detail for problem in result.problems)
    assert list(result.documents) == ["a"]


def test_a_detector_that_has_answered_all_need_not_end(run):
    began = time.monotonic()
    result = run(READ + ANSWER + "[answer(document['id']) for document in asked]\ntime.sleep(60)")
    assert time.monotonic() - began < 10
    assert result.problems == ()


def test_what_a_detector_started_ends_with_it(run, tmp_path):
    pid = tmp_path / "pid"
    script = (
        READ + "import subprocess\n"
        f"child = subprocess.Popen(['sleep', '60'])\nopen({str(pid)!r}, 'w').write(str(child.pid))\ntime.sleep(60)"
    )
    run(script, limits=Limits(total=1.5, idle=20, leave=0.3))
    assert not is_running(int(pid.read_text()))


def is_running(pid: int) -> bool:
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return False
        if state == "Z":
            return False
        time.sleep(0.02)
    return True


def test_endless_nonsense_is_stopped(run):
    limits = Limits(total=20, idle=20, leave=0.3, unusable=50)
    result = run(READ + "while True: print('nonsense')", limits=limits)
    assert sum(problem.kind == ProblemKind.UNREADABLE for problem in result.problems) == 50
    assert any("50 of its lines" in problem.detail for problem in result.problems)


def test_an_endless_line_is_stopped(run):
    limits = Limits(total=20, idle=20, leave=0.3, line=1_000_000)
    result = run(READ + "while True: sys.stdout.write('x' * 1000)", limits=limits)
    assert any("1,000,000 bytes" in problem.detail for problem in result.problems)


def test_standard_error_is_kept_in_a_private_file(run, tmp_path):
    result = run(READ + ANSWER + "sys.stderr.write('about Grace')\n[answer(document['id']) for document in asked]")
    assert kinds(result) == [ProblemKind.DETECTOR]
    assert (tmp_path / "errors.txt").read_text() == "about Grace"
    assert (tmp_path / "errors.txt").stat().st_mode & 0o777 == 0o600


def test_no_file_for_errors_if_there_are_none(run, tmp_path):
    run(READ + ANSWER + "[answer(document['id']) for document in asked]")
    assert not (tmp_path / "errors.txt").exists()


def test_no_message_quotes_a_text(run):
    lines = "; ".join(line for line, _ in BAD_LINES.values() if "while" not in line)
    span = "{'start': 'Grace', 'end': 3, 'label': 'Grace' * 50}"
    result = run(
        READ + ANSWER + f"answer('a'); {lines}\nanswer('b', {span})\nprint(asked[2]['text'])\nsys.exit('Grace')"
    )
    assert len(result.problems) > 6
    assert "Grace" not in " ".join(f"{problem.document} {problem.detail}" for problem in result.problems)


# ── The command itself ──────────────────────────────────────────────────────


@pytest.mark.parametrize("command", ["", "  ", "python 'unclosed", "no-such-program-here", "/"])
def test_refuses_a_command_that_cannot_be_started(command):
    with pytest.raises(CommandUnusable, match="command"):
        split_command(command)


def test_starts_no_shell(tmp_path):
    target = tmp_path / "written"
    script = tmp_path / "echo.py"
    script.write_text(READ + ANSWER + "answer(asked[0]['id'], {'start': 0, 'end': 1, 'label': sys.argv[-1]})")
    command = f"{sys.executable} {script} > {target} ; $HOME"
    result = run_command(command, {"a": "x"}, errors=tmp_path / "errors.txt", limits=SOON)
    assert not target.exists()
    assert spans_of(result) == {"a": [(0, 1, "$HOME")]}


def test_a_program_that_cannot_run_is_named(tmp_path):
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    os.chmod(broken, 0o700)
    with pytest.raises(CommandUnusable, match="can't be started"):
        run_command(str(broken), TEXTS, errors=tmp_path / "errors.txt")
