"""Detection rests between two batches while others wait for the same processor."""

import subprocess
import sys
import time

import pytest

from profiles.detection import pace
from profiles.detection.pace import LONGEST_REST, WAITED, Pacer, rest_after

# Beside a process that never waits for anything, on one processor: a tenth of a second of work, then a rest.
CODE = """
import os, sys, time
from profiles.detection.pace import Pacer
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
parent, other = os.getpid(), os.fork()
while other == 0 and os.getppid() == parent:
    pass
os.nice(int(sys.argv[1]))
pacer, began = Pacer(), time.process_time()
while time.process_time() - began < 0.1:
    pass
began = time.monotonic()
pacer.rest_if_others_wait()
print(time.monotonic() - began)
os.kill(other, 9)
"""


def rest_beside_others(niceness: int) -> float:
    run = subprocess.run([sys.executable, "-c", CODE, str(niceness)], capture_output=True, text=True, check=True)
    return float(run.stdout)


@pytest.mark.skipif(not WAITED.exists(), reason="this kernel does not count how long a process waits")
def test_a_process_of_low_priority_rests_while_others_wait():
    assert 0.1 < rest_beside_others(niceness=10) < LONGEST_REST + 0.5


def test_a_process_of_normal_priority_never_rests():
    assert rest_beside_others(niceness=0) < 0.1


@pytest.mark.parametrize(
    ("ran", "waited", "rest"), [(1.0, 0.0, 0.0), (0.1, 0.11, 0.0), (0.1, 0.18, 0.9), (0.1, 5.0, LONGEST_REST)]
)
def test_the_rest_grows_with_the_wait_up_to_a_limit(ran, waited, rest):
    assert rest_after(ran, waited) == pytest.approx(rest)


def test_without_counts_there_are_no_rests(monkeypatch, tmp_path):
    monkeypatch.setattr(pace, "WAITED", tmp_path / "missing")
    monkeypatch.setattr(pace.os, "getpriority", lambda *_: 5)
    began = time.monotonic()
    Pacer().rest_if_others_wait()
    assert time.monotonic() - began < 0.1
