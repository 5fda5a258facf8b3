"""Run any detector as a command: documents go to its standard input, answers come from its standard output.

A thread writes the documents while this one reads, so neither side waits for the other. Standard error goes to a file.
"""

import json
import os
import select
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO

from evaluation.spans.records import ONLY_LAYER, Document, LabelledSpan, Problem, ProblemKind, SpanFile
from evaluation.spans.systems.answers import UnusableLine, read_answer

FORMAT = "command"
NOT_A_COMMAND = "--command can't be split into words: {reason}. Quote it as you would in a shell."
NOT_FOUND = "The command “{name}” can't be started: {reason}. Give its full path, or check that it is executable."
UNANSWERED = "The detector gave no answer."
ANSWERED_TWICE = "Line {line} answers a second time. The first answer is kept."
ENDED = "The detector ended with status {status}."
KILLED = "The detector was ended by signal {signal}."
TOO_LONG = "The detector was stopped: it was not done after {seconds:g} seconds (--time-limit)."
SILENT = "The detector was stopped: {seconds:g} seconds passed without a new answer (--idle-limit)."
NO_LINE_END = "The detector was stopped: it wrote {size:,} bytes without ending the line."
TOO_MUCH_NONSENSE = "The detector was stopped: {count:,} of its lines could not be used."
WROTE_ERRORS = "The detector wrote {size:,} bytes to standard error. They are in {file}."
CHUNK = 1 << 16

ShowProgress = Callable[[int, int], None]


class CommandUnusable(Exception):
    """The detector could not be started."""


class Stopped(Exception):
    """The detector was stopped before its end. The message says why."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a detector may take, in seconds, and how much it may write that is of no use."""

    total: float = 24 * 3600.0
    idle: float = 600.0
    leave: float = 10.0  # to end after the last answer, or after closing its output
    line: int = 64 << 20
    unusable: int = 1000


def run_command(
    command: str,
    texts: Mapping[str, str],
    *,
    errors: Path,
    limits: Limits | None = None,
    show: ShowProgress = lambda done, total: None,
) -> SpanFile:
    """Let the command answer for all texts, by id. `errors` is the file for its standard error.

    Whatever the detector does wrong becomes a problem; its usable answers are kept. Raises CommandUnusable.
    """
    run = _Run(split_command(command), texts, limits or Limits(), show)
    run.work(errors)
    run.report_errors(errors)
    return SpanFile(run.documents(), FORMAT, "", problems=tuple(run.problems), details={"command": command})


def split_command(command: str) -> list[str]:
    """Split as a shell does, but start no shell. Raises CommandUnusable."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise CommandUnusable(NOT_A_COMMAND.format(reason=str(error).rstrip(".").lower())) from None
    if not words:
        raise CommandUnusable(NOT_A_COMMAND.format(reason="it is empty"))
    if shutil.which(words[0]) is None:
        raise CommandUnusable(NOT_FOUND.format(name=words[0], reason="there is no such program"))
    return words


class _Run:
    """One run of a detector, and what has come of it so far."""

    def __init__(self, words: list[str], texts: Mapping[str, str], limits: Limits, show: ShowProgress) -> None:
        self.words, self.texts, self.limits, self.show = words, texts, limits, show
        self.lengths = {document: len(text) for document, text in texts.items()}
        self.answers: dict[str, tuple[LabelledSpan, ...]] = {}
        self.problems: list[Problem] = []
        self.began = self.answered = time.monotonic()
        self.unusable = 0

    def work(self, errors: Path) -> None:
        with open(errors, "wb", opener=_open_private) as error_file:
            process = self._start(error_file)
            try:
                self._read_all(process)
                self._wait(process)
            except Stopped as reason:
                self.problems.append(Problem(ProblemKind.DETECTOR, detail=str(reason)))
            finally:
                _end(process)
                self._feeder.join(self.limits.leave)

    def _start(self, errors: IO[bytes]) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(self.words, stdin=pipe, stdout=pipe, stderr=errors, start_new_session=True)
        except OSError as error:
            raise CommandUnusable(NOT_FOUND.format(name=self.words[0], reason=error.strerror)) from None
        self._feeder = Thread(target=_feed, args=(_pipe(process.stdin), self.texts), daemon=True)
        self._feeder.start()
        return process

    def _read_all(self, process: subprocess.Popen[bytes]) -> None:
        for number, line in enumerate(self._lines(process), 1):
            if line.strip():
                self._take(line, number)

    def _lines(self, process: subprocess.Popen[bytes]) -> Iterator[bytes]:
        """Lines until the detector closes its output, is out of time, or has answered all and had time to leave."""
        pending = bytearray()
        while data := self._read(process):
            pending += data
            if b"\n" in data:
                *lines, rest = bytes(pending).split(b"\n")
                pending = bytearray(rest)
                yield from lines
            if len(pending) > self.limits.line:
                raise Stopped(NO_LINE_END.format(size=self.limits.line))
        yield bytes(pending)

    def _read(self, process: subprocess.Popen[bytes]) -> bytes:
        output = _pipe(process.stdout)
        ready, _, _ = select.select([output], [], [], self._seconds_left())
        if ready:
            return os.read(output.fileno(), CHUNK)
        if self._is_complete:
            return b""
        raise Stopped(self._why_late())

    @property
    def _is_complete(self) -> bool:
        return len(self.answers) == len(self.texts)

    def _seconds_left(self) -> float:
        idle = self.limits.leave if self._is_complete else self.limits.idle
        until = min(self.began + self.limits.total, self.answered + idle)
        left = until - time.monotonic()
        if left <= 0 and not self._is_complete:
            raise Stopped(self._why_late())
        return max(left, 0.0)

    def _why_late(self) -> str:
        if time.monotonic() - self.began >= self.limits.total:
            return TOO_LONG.format(seconds=self.limits.total)
        return SILENT.format(seconds=self.limits.idle)

    def _take(self, line: bytes, number: int) -> None:
        try:
            answer = read_answer(line, number, self.lengths)
            if answer.document in self.answers:
                raise UnusableLine(ProblemKind.DOCUMENT_REPEATED, ANSWERED_TWICE.format(line=number))
        except UnusableLine as error:
            self._set_aside(error)
            return
        self.answers[answer.document] = answer.spans
        self.problems += answer.problems
        self.answered = time.monotonic()
        self.show(len(self.answers), len(self.texts))

    def _set_aside(self, error: UnusableLine) -> None:
        self.problems.append(Problem(error.kind, detail=str(error)))
        self.unusable += 1
        if self.unusable >= self.limits.unusable:
            raise Stopped(TOO_MUCH_NONSENSE.format(count=self.unusable))

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        """Give a detector that has closed its output, or answered all, time to end."""
        try:
            status = process.wait(self.limits.leave)
        except subprocess.TimeoutExpired:
            return  # it has said all that it has to say
        if status:
            message = ENDED.format(status=status) if status > 0 else KILLED.format(signal=-status)
            self.problems.append(Problem(ProblemKind.DETECTOR, detail=message))

    def report_errors(self, errors: Path) -> None:
        """Name the file with what the detector wrote to standard error, or remove it if that is nothing."""
        size = errors.stat().st_size
        if size:
            message = WROTE_ERRORS.format(size=size, file=errors.name)
            self.problems.append(Problem(ProblemKind.DETECTOR, detail=message))
        else:
            errors.unlink()

    def documents(self) -> dict[str, Document]:
        """The documents with an answer, in the order of the texts. The others become problems."""
        unanswered = [document for document in self.texts if document not in self.answers]
        self.problems += [Problem(ProblemKind.NOT_ANALYSED, document, UNANSWERED) for document in unanswered]
        return {
            document: Document(document, {ONLY_LAYER: self.answers[document]})
            for document in self.texts
            if document in self.answers
        }


def _feed(stdin: IO[bytes], texts: Mapping[str, str]) -> None:
    """Write all documents and close. A detector that stops reading is not a failure of ours."""
    with suppress(OSError, ValueError), stdin:
        for document, text in texts.items():
            stdin.write(json.dumps({"id": document, "text": text}).encode() + b"\n")
            stdin.flush()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the detector with everything that it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    _pipe(process.stdout).close()


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise ValueError("The process was started without this pipe.")
    return stream


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
