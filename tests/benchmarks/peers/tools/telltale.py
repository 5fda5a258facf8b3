"""Telltale: this checkout, and others that have it in their own way."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.benchmarks.labelling_load import Seat
from tests.benchmarks.peers.browser import LabellingPage
from tests.benchmarks.peers.clients import ANSWERS, CERTAINTY, HARDNESS, Client
from tests.benchmarks.peers.install import PROJECT, clone_checkout, commit_of
from tests.benchmarks.peers.results import Entrant
from tests.benchmarks.peers.servers import Server
from tests.benchmarks.peers.tools.base import Tool, Visit
from tests.benchmarks.peers.workload import Profile, few_spans

SITE_COMMANDS = Path(__file__).with_name("telltale_site.py")
INGEST = ("ingest_dumps", "ingest")  # the first of these commands that a checkout has
DETECTION_STARTS_WITHIN, LOADED = 300.0, 10.0  # seconds; seconds of CPU, in which two workers load their models
CORPUS = "race"

PAGE = LabellingPage(
    ready="""document.documentElement.classList.contains("scripted") && race.visible("#comments .comment")
      && race.visible("#answers .rating label:not(.no-script), #answers input[type=radio]")
      && !document.querySelector(".label-bar [data-do=submit]").disabled""",
    marker="document.querySelector('#workspace, #seat').dataset.assignment",
    fill="""() => {
      const set = (name, value) => {
        const box = document.querySelector(`[name="${name}"]`);
        box.value = value;
        for (const kind of ["input", "change"]) box.dispatchEvent(new Event(kind, { bubbles: true }));
      };
      const pick = (name, value) => document.querySelector(`[name="${name}"][value="${value}"]`).click();
      set("location-value", "Houston, Texas");
      set("age-value", "27");
      pick("sex-value", "male");
      for (const name of ["location", "sex", "age"]) { pick(`${name}-hardness`, "2"); pick(`${name}-certainty`, "4"); }
    }""",
    saved="document.getElementById('save-state').dataset.save === 'saved'",
    button=".label-bar [data-do=submit]",
)


@dataclass(slots=True)
class TelltaleClient:
    """What the page's script sends: the next profile ahead of time, each card when it changes, then the submit."""

    seat: Seat
    pseudonyms: dict[str, str]
    acknowledged: set[str] = field(default_factory=set)

    def open_next(self) -> None:
        self.seat.prepare()

    def cycle(self) -> None:
        prepared, current = self.seat.prepare(), self.seat.at
        for attribute, value in ANSWERS.items():
            self.seat.save(attribute, value, HARDNESS, CERTAINTY)
        self.seat.submit(prepared)
        self.acknowledged.add(self.pseudonyms[str(current)])

    def submit_only(self) -> None:
        self.cycle()


@dataclass
class Telltale(Tool):
    checkout: Path = PROJECT
    seeded: dict[str, Any] = field(default_factory=dict)

    page = PAGE
    detects = True

    @cached_property
    def commit(self) -> str:
        return commit_of(self.checkout)

    @property
    def entrant(self) -> Entrant:
        return Entrant(f"telltale {self.commit}", f"Telltale `{self.commit}`", "telltale", self.checkout == PROJECT)

    @property
    def folder_name(self) -> str:
        return f"telltale-{self.commit}"

    def install(self) -> None:
        clone_checkout(self.checkout, self.folder)

    @property
    def start_path(self) -> str:
        return "/account/login/"

    def command(self) -> tuple[list[str | Path], dict[str, str]]:
        return [self.folder / "bin" / "up", "--port", str(self.port)], self._env()

    def _env(self) -> dict[str, str]:
        return {"TELLTALE_HOME": str(self.home / "data")}

    def _manage(self, *words: str | Path) -> str:
        return self.run(self.folder / "bin" / "manage", *words, env=self._env())

    def _site(self, command: str) -> Any:
        env = {"PYTHONPATH": str(self.folder), "DJANGO_SETTINGS_MODULE": "annotator.config.settings"}
        python = self.folder / ".venv" / "bin" / "python"
        workload = self.scratch / "workload.jsonl"
        answer = self.run(python, "-P", SITE_COMMANDS, command, workload, env=self._env() | env)
        return json.loads(answer.splitlines()[-1])

    # ── Import ───────────────────────────────────────────────────────────────
    def load(self) -> float:
        dump = self.home / "race.ndjson"
        dump.write_text("\n".join(dump_lines(self.workload)) + "\n")
        commands = self.folder / "annotator" / "management" / "commands"
        ingest = next(name for name in INGEST if (commands / f"{name}.py").exists())
        began = time.monotonic()
        self._manage(ingest, dump, "--corpus", CORPUS, "--subreddits", "all", "--keep-bots")
        seconds = time.monotonic() - began
        counts = self._site("spans")
        comments = sum(len(profile.comments) for profile in self.workload)
        assert (counts["profiles"], counts["comments"]) == (len(self.workload), comments), counts
        assert counts["spans"] == counts["expected"], counts
        self.seeded = self._site("seed")
        return seconds + float(counts["seconds"])

    @contextmanager
    def detection(self, server: Server) -> Iterator[None]:
        """Presidio, which the import has started; cancelled afterwards."""
        until, before = time.monotonic() + DETECTION_STARTS_WITHIN, server.cpu()
        while server.cpu() < before + LOADED:
            assert time.monotonic() < until, "detection did not start"
            time.sleep(0.2)
        yield
        assert self._site("rest"), "detection ended too early"

    # ── Pages and clients ────────────────────────────────────────────────────
    def _visit(self, name: str) -> Visit:
        at, cookies = self.seeded["visits"][name]
        return f"/assignments/{at}/", cookies

    def open_giant(self, profile: Profile) -> Visit:
        return self._visit("few" if profile is few_spans(self.workload) else "many")

    def open_ordinary(self) -> Visit:
        return self._visit("ordinary")

    def open_first(self) -> Visit:
        return self._visit("queue")

    def clients(self, count: int, *, pool: str) -> Sequence[Client]:
        seats, pseudonyms = self.seeded["pools"][pool]["seats"], self.seeded["pools"][pool]["pseudonyms"]
        return [TelltaleClient(Seat(self.port, cookies, at), pseudonyms) for at, cookies in seats[:count]]

    # ── Export ───────────────────────────────────────────────────────────────
    def prepare_export(self) -> None:
        self._manage("close_batch", "race idle", "--withdraw")

    def export(self) -> tuple[float, set[str]]:
        out, began = self.home / "gold.jsonl", time.monotonic()
        self._manage("export_gold", "--corpus", CORPUS, "--batch", "race idle", "--out", out)
        return time.monotonic() - began, whole_profiles(out.read_text().splitlines())


def dump_lines(profiles: Sequence[Profile]) -> Iterator[str]:
    for profile in profiles:
        for c in profile.comments:
            fields = {"author": profile.name, "subreddit": c.subreddit, "id": c.id, "created_utc": c.created}
            yield json.dumps(fields | {"body": c.body})


def whole_profiles(lines: Sequence[str]) -> set[str]:
    """Pseudonyms of exported profiles with a judgement that has all three answers."""
    rows = map(json.loads, lines)
    return {row["pseudonym"] for row in rows if any(_is_whole(judgement) for judgement in row["judgements"])}


def _is_whole(judgement: dict[str, Any]) -> bool:
    return all(judgement["answers"][attribute]["value"] for attribute in ANSWERS)
