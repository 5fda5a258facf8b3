"""A labelling page in Gradio, which stands in for the original study's. See `gradio_page.py`."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.benchmarks.peers.browser import LabellingPage
from tests.benchmarks.peers.clients import ANSWERS, CERTAINTY, HARDNESS, Client, Connection, Refused
from tests.benchmarks.peers.install import install_package
from tests.benchmarks.peers.results import Entrant
from tests.benchmarks.peers.tools.base import Tool, Visit
from tests.benchmarks.peers.workload import Profile

VERSION = "6.31.0"
PAGE_SCRIPT = Path(__file__).with_name("gradio_page.py")
NEXT, LOAD = 0, 1  # how the page's own script numbers its functions
RECORD, LOCATION, SEX, AGE, OCCUPATION = 4, 5, 9, 13, 17  # where they are in what the functions give

PAGE = LabellingPage(
    ready="""document.querySelector("#comments textarea").value.length > 100 && race.visible("#comments textarea")
      && race.visible("#sex input[type=radio]") && race.visible("#next")""",
    marker="document.querySelector('#comments textarea').value.slice(0, 150)",
    fill="""() => {
      const set = (selector, value) => {
        const box = document.querySelector(selector);
        box.value = value;
        box.dispatchEvent(new Event("input", { bubbles: true }));
      };
      set("#location textarea, #location input[type=text]", "Houston, Texas");
      set("#age textarea, #age input[type=text]", "27");
      document.querySelector('#sex input[value="male"]').click();
      for (const name of ["location", "sex", "age"])
        for (const box of document.querySelectorAll(`#${name} input[type=range]`)) {
          box.value = "3";
          box.dispatchEvent(new Event("input", { bubbles: true }));
        }
    }""",
    button="#next",
)


@dataclass(slots=True)
class GradioClient:
    """A click on Next: the call is put into a queue, and its result comes in a stream of events."""

    line: Connection
    shown: list[Any] = field(default_factory=list)
    acknowledged: set[str] = field(default_factory=set)
    session: str = field(default_factory=lambda: uuid4().hex[:11])

    def open_next(self) -> None:
        """The page has no other way than Next, which saves the form even if it's empty."""
        self.shown = self._call(NEXT, self._fields())

    def cycle(self) -> None:
        token = uuid4().hex
        self.shown = self._call(NEXT, filled(self._fields(), token))
        self.acknowledged.add(token)

    def submit_only(self) -> None:
        self.cycle()

    def _fields(self) -> list[Any]:
        """The record and the fields that the page shows."""
        self.shown = self.shown or self._call(LOAD, [])
        return self.shown[RECORD:]

    def _call(self, function: int, data: list[Any]) -> list[Any]:
        body = {"data": data, "event_data": None, "fn_index": function, "trigger_id": 0, "session_hash": self.session}
        self.line.post_json("/gradio_api/queue/join?", body)
        shown = completed(self.line.get(f"/gradio_api/queue/data?session_hash={self.session}").decode())
        if len(shown[0]) < 100:
            raise Refused("a profile without comments")
        return shown


def filled(fields: Sequence[Any], token: str) -> list[Any]:
    """The record and all fields, with three attributes filled in. The token tells submissions apart."""
    values = list(fields)
    for at, value in ((LOCATION, ANSWERS["location"]), (SEX, ANSWERS["sex"]), (AGE, ANSWERS["age"])):
        values[at - RECORD : at - RECORD + 3] = [value, HARDNESS, CERTAINTY]
    values[OCCUPATION - RECORD] = token
    return values


def completed(events: str) -> list[Any]:
    """The result of a call, from its stream of events."""
    for line in events.splitlines():
        event = json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else {}
        if event.get("msg") == "process_completed":
            if not event["success"]:
                raise Refused(f"{event['output']}")
            return list(event["output"]["data"])
    raise Refused(f"no result in {events[:200]!r}")


@dataclass
class Gradio(Tool):
    page = PAGE

    @property
    def entrant(self) -> Entrant:
        return Entrant(f"gradio {VERSION}", f"Gradio {VERSION} page (stand-in)", "gradio")

    def install(self) -> None:
        install_package(self.folder, f"gradio=={VERSION}")

    @property
    def answers(self) -> Path:
        return self.home / "answers.jsonl"

    def clear(self) -> None:
        super().clear()
        (self.home / "profiles.jsonl").write_text("\n".join(map(_line, self.workload)) + "\n")

    def command(self) -> tuple[list[str | Path], dict[str, str]]:
        python = self.folder / ".venv" / "bin" / "python"
        env = {"GRADIO_ANALYTICS_ENABLED": "False", "HF_HUB_OFFLINE": "1"}
        return [python, "-P", PAGE_SCRIPT, self.home / "profiles.jsonl", self.answers, str(self.port)], env

    def load(self) -> None:
        return None

    def open_giant(self, profile: Profile) -> Visit:
        return f"/?profile={profile.name}", {}

    def open_ordinary(self) -> Visit:
        return f"/?profile={self.workload[0].name}", {}

    def open_first(self) -> Visit:
        return "/", {}

    def clients(self, count: int, *, pool: str) -> Sequence[Client]:
        return [GradioClient(Connection(self.port)) for _ in range(count)]

    def export(self) -> tuple[None, set[str]]:
        """There is nothing to export: its file is what others export."""
        return None, whole_lines(self.answers.read_text().splitlines())


def _line(profile: Profile) -> str:
    comments = [
        {"subreddit": c.subreddit, "written": f"{datetime.fromtimestamp(c.created, UTC):%Y-%m-%d}", "body": c.body}
        for c in profile.comments
    ]
    return json.dumps({"name": profile.name, "comments": comments})


def whole_lines(lines: Sequence[str]) -> set[str]:
    """Tokens of answers that have all three values."""
    rows = [json.loads(line)["answers"] for line in lines]
    whole = [row for row in rows if all(row[name]["value"] == value for name, value in ANSWERS.items())]
    return {row["occupation"]["value"] for row in whole} - {""}
