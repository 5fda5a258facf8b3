"""What every tool in the race can do. A round starts from an empty data folder."""

import shutil
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from tests.benchmarks.peers.browser import LabellingPage
from tests.benchmarks.peers.clients import Client
from tests.benchmarks.peers.results import Entrant
from tests.benchmarks.peers.servers import Server, tool_env
from tests.benchmarks.peers.workload import ORDINARY, Profile
from tests.benchmarks.start import free_port

Visit = tuple[str, dict[str, str]]  # a path, and the cookies of somebody who may open it


@dataclass
class Tool(ABC):
    scratch: Path
    workload: Sequence[Profile]
    port: int = field(default_factory=free_port)

    page: ClassVar[LabellingPage]
    detects: ClassVar[bool] = False

    @property
    @abstractmethod
    def entrant(self) -> Entrant: ...

    @abstractmethod
    def install(self) -> None:
        """Install it into an environment of its own, if it isn't there."""

    @abstractmethod
    def command(self) -> tuple[list[str | Path], dict[str, str]]:
        """What starts the server, and its environment variables."""

    @abstractmethod
    def load(self) -> float | None:
        """Import the workload, and return the seconds. None: the start has done it."""

    @abstractmethod
    def open_giant(self, profile: Profile) -> Visit: ...

    @abstractmethod
    def open_ordinary(self) -> Visit: ...

    @abstractmethod
    def open_first(self) -> Visit:
        """A queue of ordinary profiles for one person with a browser."""

    @abstractmethod
    def clients(self, count: int, *, pool: str) -> Sequence[Client]:
        """People who share a pool of ordinary profiles, each with the first one open."""

    def prepare_export(self) -> None:  # noqa: B027 most tools need nothing
        """What a person does before: close a batch, say."""

    @abstractmethod
    def export(self) -> tuple[float | None, set[str]]:
        """Export by command: its seconds, if there is one, and keys of whole submissions to the pool "idle"."""

    @contextmanager
    def detection(self, server: Server) -> Iterator[None]:
        """Presidio at work, for a tool that has it."""
        yield

    # ── Shared ───────────────────────────────────────────────────────────────
    @property
    def folder_name(self) -> str:
        return self.entrant.kind

    @property
    def folder(self) -> Path:
        return self.scratch / "tools" / self.folder_name

    @property
    def home(self) -> Path:
        return self.scratch / "homes" / self.folder_name

    @property
    def log(self) -> Path:
        return self.scratch / "logs" / f"{self.folder_name}.log"

    @property
    def site(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def start_path(self) -> str:
        return "/"

    def clear(self) -> None:
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir(parents=True)
        self.log.parent.mkdir(parents=True, exist_ok=True)

    def start(self) -> Server:
        command, env = self.command()
        return Server(command, home=self.home, log=self.log, env=env)

    def run(self, *command: str | Path, env: dict[str, str] | None = None, text: str | None = None) -> str:
        """Run a command of the tool. Return its output; its errors go to the log."""
        with self.log.open("ab") as log:
            process = subprocess.run(
                list(map(str, command)), cwd=self.home, env=tool_env(self.home) | (env or {}), input=text, text=True,
                stdout=subprocess.PIPE, stderr=log, check=True,
            )  # fmt: skip
        return process.stdout

    def installed_megabytes(self) -> float:
        return installed_megabytes(self.folder)


def installed_megabytes(folder: Path) -> float:
    """Of all files, without the history of a clone. Hard links count once."""
    output = subprocess.run(["du", "-sk", "--exclude=.git", folder], capture_output=True, text=True, check=True).stdout
    return int(output.split()[0]) / 1024


def ordinary(profiles: Sequence[Profile]) -> list[Profile]:
    return [profile for profile in profiles if len(profile.comments) == ORDINARY]
