"""Workers give way to people: they and their children have a lower priority, in their session and as a session."""

import os
import subprocess
import sys

import pytest

from annotator.embedded.process import AUTOGROUP, NICENESS

CODE = """
import os, subprocess, sys
from pathlib import Path
from annotator.embedded.process import AUTOGROUP, give_way
give_way()
child = subprocess.run([sys.executable, "-c", "import os; print(os.nice(0))"], capture_output=True, text=True)
print(os.nice(0), child.stdout.strip(), *(AUTOGROUP.read_text().split()[-1:] if AUTOGROUP.exists() else []))
"""


def priorities(*, own_session: bool) -> list[str]:
    run = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, check=True, start_new_session=own_session
    )
    return run.stdout.split()


def test_a_worker_and_its_children_give_way():
    assert priorities(own_session=True)[:2] == [str(min(os.nice(0) + NICENESS, 19))] * 2  # 19 is the most


@pytest.mark.skipif(not AUTOGROUP.exists(), reason="this kernel shares the processor between processes only")
def test_the_session_of_a_worker_gives_way():
    assert priorities(own_session=True)[2] == str(NICENESS)


@pytest.mark.skipif(not AUTOGROUP.exists(), reason="this kernel shares the processor between processes only")
def test_a_session_that_others_share_keeps_its_priority():
    before = AUTOGROUP.read_text().split()[-1:]  # nothing, where the session has no share of its own
    assert priorities(own_session=False)[2:] == before


def test_celery_workers_give_way(monkeypatch):
    from annotator.config import celery

    calls = []
    monkeypatch.setattr(celery, "give_way", lambda: calls.append(True))
    celery.let_people_go_first()
    assert calls
