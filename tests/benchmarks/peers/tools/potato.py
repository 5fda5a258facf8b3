"""Potato, which reads its data when it starts."""

import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.benchmarks.peers.browser import LabellingPage
from tests.benchmarks.peers.clients import ANSWERS, ATTRIBUTES, CERTAINTY, HARDNESS, Client, Connection, Refused
from tests.benchmarks.peers.install import install_package
from tests.benchmarks.peers.results import Entrant
from tests.benchmarks.peers.tools.base import Tool, Visit
from tests.benchmarks.peers.workload import PROFILES, TYPES, Profile, as_text

VERSION = "2.12.1"

PAGE = LabellingPage(
    ready="""race.visible("#text-content") && document.getElementById("text-content").textContent.length > 100
      && race.visible("input[type=radio]") && !document.getElementById("next-btn").disabled
      && !document.body.innerText.includes("Loading annotation interface")""",
    marker="document.getElementById('instance_id').value || document.getElementById('instance_id').textContent",
    fill="""() => {
      const set = (name, value) => {
        const box = document.querySelector(`textarea[name^="${name}"], input[type=text][name^="${name}"]`);
        box.value = value;
        for (const kind of ["input", "change"]) box.dispatchEvent(new Event(kind, { bubbles: true }));
      };
      set("location:::", "Houston, Texas");
      set("age:::", "27");
      document.querySelector('input[type=radio][name^="sex"][value="male"]').click();
      for (const name of ["location", "sex", "age"])
        for (const scale of ["hardness", "certainty"])
          document.querySelectorAll(`input[type=radio][name^="${name}_${scale}"]`)[2].click();
    }""",
    button="#next-btn",
)


def schemes() -> list[dict[str, Any]]:
    likert = {"annotation_type": "likert", "size": 5, "min_label": "1", "max_label": "5"}
    return [
        {"annotation_type": "span", "name": "found", "description": "Found", "labels": list(TYPES)},
        {"annotation_type": "text", "name": "location", "description": "Location"},
        {"annotation_type": "radio", "name": "sex", "description": "Sex", "labels": ["male", "female"]},
        {"annotation_type": "text", "name": "age", "description": "Age"},
        *(
            likert | {"name": f"{name}_{scale}", "description": f"{name}: {scale}"}
            for name in ATTRIBUTES
            for scale in ("hardness", "certainty")
        ),
        {"annotation_type": "multiselect", "name": "required", "description": "Subreddit required", "labels": ["yes"]},
    ]


def config(port: int) -> dict[str, Any]:
    limits = {"max_annotations_per_user": 2000, "max_annotations_per_item": 100, "alert_time_each_instance": 10_000_000}
    people = {"require_password": False, "user_config": {"allow_all_users": True, "users": []}}
    spans = {"enabled": True, "field": "predictions", "allow_modification": True}
    files = {"task_dir": ".", "data_files": ["data.jsonl"], "output_annotation_dir": "out/", "site_dir": "default"}
    return files | people | limits | {
        "annotation_task_name": "race", "item_properties": {"id_key": "id", "text_key": "text"}, "port": port,
        "assignment_strategy": "fixed_order", "persist_sessions": False, "pre_annotation": spans,
        "annotation_schemes": schemes(),
    }  # fmt: skip


def form() -> dict[str, str]:
    ratings = {
        f"{name}_{scale}:{step}": str(step)
        for name in ATTRIBUTES
        for scale, step in (("hardness", HARDNESS), ("certainty", CERTAINTY))
    }
    return {"location:text_box": ANSWERS["location"], "sex:male": "male", "age:text_box": ANSWERS["age"]} | ratings


@dataclass(slots=True)
class PotatoClient:
    """A move to the next profile is a whole page and what its script asks for then. Styles and scripts are cached."""

    line: Connection
    name: str
    names: list[str]
    at: int
    acknowledged: set[str] = field(default_factory=set)

    def open_next(self) -> None:
        self.line.post_json("/annotate", {"action": "next_instance", "instance_id": self.names[self.at]})
        self.at = (self.at + 1) % len(self.names)
        current = self.names[self.at]
        if current.encode() not in self.line.get("/annotate"):
            raise Refused(f"{self.name} is not at {current}")
        for path in ("colors", f"spans/{current}", f"keyword_highlights/{current}"):
            self.line.get(f"/api/{path}")
        self.line.get("/pocket/api/routing")

    def cycle(self) -> None:
        self._submit()
        self.open_next()

    def submit_only(self) -> None:
        self._submit()
        self.line.post_json("/annotate", {"action": "next_instance", "instance_id": self.names[self.at]})
        self.at = (self.at + 1) % len(self.names)

    def _submit(self) -> None:
        body = {"instance_id": self.names[self.at], "annotations": form(), "span_annotations": []}
        answer = json.loads(self.line.post_json("/updateinstance", body))
        if answer.get("status") not in ("ok", "success"):
            raise Refused(f"{answer}")
        self.acknowledged.add(f"{self.name}/{self.names[self.at]}")


@dataclass
class Potato(Tool):
    page = PAGE

    @property
    def entrant(self) -> Entrant:
        return Entrant(f"potato {VERSION}", f"Potato {VERSION}", "potato")

    def install(self) -> None:
        install_package(self.folder, f"potato-annotation=={VERSION}")

    def clear(self) -> None:
        super().clear()
        (self.home / "config.yaml").write_text(json.dumps(config(self.port)))  # JSON is YAML
        (self.home / "data.jsonl").write_text("\n".join(_item(profile) for profile in self.workload) + "\n")

    def command(self) -> tuple[list[str | Path], dict[str, str]]:
        return [self.folder / ".venv" / "bin" / "potato", "start", "config.yaml", "-p", str(self.port)], {}

    def load(self) -> None:
        return None

    # ── Pages and clients ────────────────────────────────────────────────────
    def _client(self, name: str, at: int = 0) -> PotatoClient:
        line = Connection(self.port)
        line.post_form("/auth", {"email": name, "pass": "", "action": "login"})
        names = [profile.name for profile in self.workload[:PROFILES]]
        line.get(f"/annotate?instance_id={names[at]}")
        return PotatoClient(line, name, names, at)

    def open_giant(self, profile: Profile) -> Visit:
        return f"/annotate?instance_id={profile.name}", self._client("reader").line.cookies

    def open_ordinary(self) -> Visit:
        return f"/annotate?instance_id={self.workload[0].name}", self._client("reader").line.cookies

    def open_first(self) -> Visit:
        return "/annotate", self._client("clerk").line.cookies

    def clients(self, count: int, *, pool: str) -> Sequence[Client]:
        return [self._client(f"{pool}{number}", number * PROFILES // count) for number in range(count)]

    # ── Export ───────────────────────────────────────────────────────────────
    def export(self) -> tuple[float, set[str]]:
        out = self.home / "export"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        python, began = self.folder / ".venv" / "bin" / "python", time.monotonic()
        self.run(python, "-m", "potato.export", "-c", "config.yaml", "-f", "jsonl", "-o", out)
        seconds = time.monotonic() - began
        lines = [line for file in out.rglob("*.jsonl") for line in file.read_text().splitlines()]
        return seconds, whole_rows(lines)


def _item(profile: Profile) -> str:
    text, spans = as_text(profile, between=" ")
    predictions = {"found": [{"start": span.start, "end": span.end, "label": span.type} for span in spans]}
    return json.dumps({"id": profile.name, "text": text.strip(), "predictions": predictions})


def whole_rows(lines: Sequence[str]) -> set[str]:
    """Person and profile of exported rows that have all three answers."""
    rows = map(json.loads, lines)
    return {f"{row['user_id']}/{row['instance_id']}" for row in rows if _is_whole(json.dumps(row))}


def _is_whole(row: str) -> bool:
    return all(json.dumps(ANSWERS[name]) in row for name in ATTRIBUTES)
