"""Copies of a process behave like new programs: they keep nothing of it open, and end with it."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from annotator.embedded.locks import acquire, is_held
from tests.annotator.embedded.installation import kill, wait_until

BEGIN = """
import json, os, signal, sys, time
from pathlib import Path
from annotator.embedded.fork import start_copy, start_module
from annotator.embedded.locks import acquire
folder = Path(sys.argv[1])
"""
DESCRIBE = """
in_use = acquire(folder / "users.lock", shared=True)
signal.signal(signal.SIGTERM, print)
def describe():
    files = {os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")}
    print(json.dumps({
        "files": sorted(Path(file).name for file in files if file.startswith(str(folder))),
        "name": Path("/proc/self/comm").read_text().strip(),
        "leads its session": os.getsid(0) == os.getpid(),
        "ends on request": signal.getsignal(signal.SIGTERM) == signal.SIG_DFL,
    }))
print(start_copy(describe, name="telltale-test", log=folder / "log", lock=folder / "copy.lock").wait())
"""
FAIL = """
try:
    print(start_copy(lambda: 1 / 0, name="telltale-test", log=folder / "log").wait())
except ZeroDivisionError:
    print("the caller went on in the copy")
"""
WAIT = """
start_copy(lambda: time.sleep(300), name="telltale-test", lock=folder / "copy.lock")
print("started", flush=True)
time.sleep(300)
"""
RUN_MODULE = """
(folder / "in.json").write_text('{"a": 1}')
command = ["json.tool", "--compact", str(folder / "in.json")]
print(start_module(command, name="telltale-test", log=folder / "log").wait())
"""
STOP = """
copy = start_copy(lambda: time.sleep(300), name="telltale-test")
copy.send_signal(signal.SIGKILL)
print(copy.wait(timeout=60), copy.poll())
"""


def run(code: str, folder: Path) -> str:
    command = [sys.executable, "-c", BEGIN + code, str(folder)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_a_copy_keeps_nothing_open_but_its_log_and_its_lock(tmp_path):
    assert run(DESCRIBE, tmp_path) == "0"
    assert json.loads((tmp_path / "log").read_text()) == {
        "files": ["copy.lock", "log"],
        "name": "telltale-test",
        "leads its session": True,
        "ends on request": True,
    }


def test_a_failure_ends_the_copy_and_nothing_else_runs_in_it(tmp_path):
    assert run(FAIL, tmp_path) == "1"
    assert "ZeroDivisionError" in (tmp_path / "log").read_text()


def test_a_module_runs_as_with_python_m(tmp_path):
    assert run(RUN_MODULE, tmp_path) == "0"
    assert (tmp_path / "log").read_text() == '{"a":1}\n'


def test_a_killed_copy_tells_by_what(tmp_path):
    assert run(STOP, tmp_path) == f"-{signal.SIGKILL:d} -{signal.SIGKILL:d}"


def test_a_copy_is_killed_with_its_parent(tmp_path):
    parent = subprocess.Popen([sys.executable, "-c", BEGIN + WAIT, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert parent.stdout
    assert parent.stdout.readline() == "started\n"
    assert is_held(tmp_path / "copy.lock")
    kill(parent.pid)
    parent.wait()
    wait_until(lambda: not is_held(tmp_path / "copy.lock"))
    parent.stdout.close()


def test_a_copy_waits_for_its_predecessor(tmp_path):
    held = acquire(tmp_path / "copy.lock")
    assert held is not None
    code = "import annotator.embedded.process as process\nprocess.PREDECESSOR_SECONDS = 0.1\n" + DESCRIBE
    with pytest.raises(subprocess.CalledProcessError) as refused:
        run(code, tmp_path)
    assert "StillRunning" in refused.value.stderr
