"""Processes that are started again when they end."""

import subprocess
import sys

import pytest

from annotator.embedded import restarts
from annotator.embedded.locks import is_held
from annotator.embedded.process import StillRunning, start, stop
from annotator.embedded.restarts import CALM, FIRST_PAUSE, LONGEST_PAUSE, Service


class Clock:
    now = 1000.0

    def monotonic(self) -> float:
        return self.now


class FakeProcess:
    returncode: int | None = None

    def poll(self) -> int | None:
        return self.returncode


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(restarts, "time", clock)
    return clock


def tend(service: Service) -> list[str]:
    lines: list[str] = []
    service.tend(lines.append)
    return lines


def end(service: Service) -> None:
    service.process.returncode = -9


def test_leaves_a_running_process_alone(clock):
    service = Service("The worker", FakeProcess)
    process = service.process
    assert tend(service) == []
    assert service.process is process


def test_starts_an_ended_process_again_after_a_pause_and_says_so_once(clock):
    service = Service("The worker", FakeProcess)
    process = service.process
    end(service)
    [line] = tend(service)
    assert "The worker" in line
    assert "-9" in line
    assert tend(service) == []
    assert service.process is process
    clock.now += FIRST_PAUSE
    assert len(tend(service)) == 1
    assert service.process is not process


def test_pauses_double_up_to_a_limit_and_are_short_again_after_a_calm_time(clock):
    service, pauses = Service("The worker", FakeProcess), []
    for _ in range(9):
        end(service)
        tend(service)
        pauses.append(service.restart_at - clock.now)
        clock.now = service.restart_at
        tend(service)
    assert pauses[:4] == [FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE, 8 * FIRST_PAUSE]
    assert pauses[-1] == LONGEST_PAUSE
    clock.now += CALM + 1
    tend(service)
    end(service)
    tend(service)
    assert service.restart_at - clock.now == FIRST_PAUSE


def test_tries_again_later_while_its_predecessor_is_there(clock):
    service = Service("The worker", FakeProcess)
    end(service)
    tend(service)
    service.launch = refuse
    clock.now += FIRST_PAUSE
    assert "fuser" in tend(service)[0]
    assert service.restart_at == clock.now + 2 * FIRST_PAUSE


def refuse() -> "subprocess.Popen[bytes]":
    raise StillRunning("fuser")


def test_a_lock_is_held_until_the_last_process_of_the_family_ends(tmp_path):
    """A parent that is killed leaves a child; the successor waits for it."""
    lock = tmp_path / "web.lock"
    grandchild = "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1.5)'], close_fds=False)"
    code = f"import subprocess, sys, time; {grandchild}; print(flush=True); time.sleep(60)"
    family = start([sys.executable, "-c", code], log=tmp_path / "log", lock=lock)
    while not (tmp_path / "log").read_text():
        assert family.poll() is None
    stop(family)
    assert is_held(lock)
    start([sys.executable, "-c", ""], log=None, lock=lock).wait()
    assert not is_held(lock)
