"""Label Studio, as its package sets it up: SQLite, one process."""

import json
import re
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
from tests.benchmarks.peers.workload import PROFILES, TYPES, Profile, Span, as_text

VERSION = "1.23.2"
OWNER, PASSWORD = "race@example.org", "race-pass-1"
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
SPANS_MODEL = "race"

PAGE = LabellingPage(
    ready="""(() => {
      const text = [...document.querySelectorAll('[class*="richtext"]')]
        .some((box) => box.checkVisibility() && box.textContent.length > 100);
      const submit = document.querySelector('button[aria-label="Submit current annotation"]');
      return text && submit && submit.checkVisibility() && !submit.disabled;
    })()""",
    marker="""[...document.querySelectorAll('[class*="richtext"]')].find((box) => box.textContent.length > 100)
      .textContent.slice(0, 150)""",
    fill="""() => {
      const labels = [...document.querySelectorAll("label, span")];
      const male = labels.find((label) => label.textContent.trim().startsWith("male") && label.querySelector("input"));
      male.querySelector("input").click();
    }""",
    button='button[aria-label="Submit current annotation"]',
)


def config() -> str:
    """The form: three attributes with their ratings. It has no attribute more than is filled in."""
    rows = "".join(_attribute(name) for name in ATTRIBUTES)
    labels = "".join(f'<Label value="{name}"/>' for name in TYPES)
    return (
        f'<View><Labels name="found" toName="text">{labels}</Labels><Text name="text" value="$text"/>{rows}'
        '<Choices name="required_subreddit" toName="text" choice="multiple">'
        '<Choice value="subreddit was required"/></Choices></View>'
    )


def _attribute(name: str) -> str:
    choices = '<Choice value="male"/><Choice value="female"/>'
    field = (
        f'<Choices name="{name}" toName="text" choice="single">{choices}</Choices>'
        if name == "sex"
        else f'<TextArea name="{name}" toName="text" maxSubmissions="1"/>'
    )
    ratings = (f'<Rating name="{name}_{rating}" toName="text" maxRating="5"/>' for rating in ("hardness", "certainty"))
    return f'<Header value="{name}"/>{field}{"".join(ratings)}'


def form() -> list[dict[str, Any]]:
    """The filled-in form, as the page posts it."""

    def result(name: str, kind: str, value: dict[str, Any]) -> dict[str, Any]:
        return {"from_name": name, "to_name": "text", "type": kind, "value": value}

    ratings = [
        result(f"{name}_{scale}", "rating", {"rating": step})
        for name in ATTRIBUTES
        for scale, step in (("hardness", HARDNESS), ("certainty", CERTAINTY))
    ]
    return [
        result("location", "textarea", {"text": [ANSWERS["location"]]}),
        result("age", "textarea", {"text": [ANSWERS["age"]]}),
        result("sex", "choices", {"choices": [ANSWERS["sex"]]}),
        *ratings,
    ]


@dataclass(slots=True)
class LabelStudioClient:
    """The label stream: post an annotation, ask for the next task, and what the page asks for besides."""

    line: Connection
    project: int
    tab: int
    spare: list[int]  # tasks that nobody is handed during the race
    task: dict[str, Any] = field(default_factory=dict)
    acknowledged: set[str] = field(default_factory=set)

    def open_next(self) -> None:
        filters = {"conjunction": "and", "items": []}
        selected = {"all": False, "included": []}
        body = {"ordering": [], "selectedItems": selected, "filters": filters, "project": str(self.project)}
        path = f"/api/dm/actions?id=next_task&tabID={self.tab}&project={self.project}"
        self.task = json.loads(self.line.post_json(path, body))
        self.line.get(f"/api/label_links?project={self.project}&expand=label")
        if len(self.task["data"]["text"]) < 100:
            raise Refused("a task without its text")

    def cycle(self) -> None:
        if not self.task:
            self.open_next()
        predictions = self.task.get("predictions") or [{"result": []}]
        self._submit(self.task["id"], predictions[0]["result"])
        self.open_next()

    def submit_only(self) -> None:
        self._submit(self.spare.pop(), [])

    def _submit(self, task: int, spans: list[Any]) -> None:
        body = {"result": spans + form(), "lead_time": 3, "draft_id": 0, "project": self.project}
        answer = self.line.post_json(f"/api/tasks/{task}/annotations?project={self.project}", body)
        self.acknowledged.add(str(json.loads(answer)["id"]))


@dataclass
class LabelStudio(Tool):
    owner: Connection | None = None
    projects: dict[str, int] = field(default_factory=dict)

    page = PAGE

    @property
    def entrant(self) -> Entrant:
        return Entrant(f"label_studio {VERSION}", f"Label Studio {VERSION}", "label_studio")

    def install(self) -> None:
        install_package(self.folder, f"label-studio=={VERSION}")

    @property
    def start_path(self) -> str:
        return "/user/login"

    def command(self) -> tuple[list[str | Path], dict[str, str]]:
        program = self.folder / ".venv" / "bin" / "label-studio"
        options = ["-b", "-p", str(self.port), "--username", OWNER, "--password", PASSWORD]
        env = {
            "LABEL_STUDIO_BASE_DATA_DIR": str(self.home), "COLLECT_ANALYTICS": "false", "LATEST_VERSION_CHECK": "false",
            "SENTRY_DSN": "", "FRONTEND_SENTRY_DSN": "",
        }  # fmt: skip
        return [program, "start", "--data-dir", self.home, *options], env

    # ── Import ───────────────────────────────────────────────────────────────
    def load(self) -> float:
        self.owner = self._sign_in(OWNER, new=False)
        self.projects["all"], seconds = self._make_project("race", self.workload)
        for profile in self.workload[PROFILES:]:
            self.projects[profile.name], _ = self._make_project(profile.name, [profile])
        self.projects["queue"], _ = self._make_project("queue", self.workload[:100])
        return seconds

    def _make_project(self, title: str, profiles: Sequence[Profile]) -> tuple[int, float]:
        """A project with its tasks, and the seconds that the import of the tasks took."""
        owner = self._owner()
        fields = {"title": title, "label_config": config(), "sampling": "Sequential sampling", "maximum_annotations": 1}
        project = int(json.loads(owner.post_json("/api/projects/", fields | {"show_collab_predictions": True}))["id"])
        tasks = [_task(profile) for profile in profiles]
        began = time.monotonic()
        answer = json.loads(owner.post_json(f"/api/projects/{project}/import", tasks))
        seconds = time.monotonic() - began
        assert answer["task_count"] == len(tasks), answer
        shown = {"model_version": SPANS_MODEL, "evaluate_predictions_automatically": False}
        owner.send("PATCH", f"/api/projects/{project}/", json.dumps(shown), "application/json")
        return project, seconds

    def _owner(self) -> Connection:
        assert self.owner
        return self.owner

    def _sign_in(self, name: str, *, new: bool) -> Connection:
        line, path = Connection(self.port), "/user/signup" if new else "/user/login"
        token = TOKEN.search(line.get(path).decode())
        assert token, "no form to sign in with"
        line.headers["Referer"] = self.site + path
        survey = {"allow_newsletters": "false", "how_find_us": "Other", "elaborate": ""}
        fields = {"csrfmiddlewaretoken": token[1], "email": name, "password": PASSWORD}
        line.post_form(path, fields | survey)
        line.get("/api/current-user/whoami")
        line.headers["X-CSRFToken"] = line.cookies.get("csrftoken", "")
        return line

    # ── Pages and clients ────────────────────────────────────────────────────
    def _visit(self, project: str) -> Visit:
        return f"/projects/{self.projects[project]}/data?labeling=1", self._owner().cookies

    def open_giant(self, profile: Profile) -> Visit:
        return self._visit(profile.name)

    def open_ordinary(self) -> Visit:
        return self._visit("all")

    def open_first(self) -> Visit:
        return self._visit("queue")

    def clients(self, count: int, *, pool: str) -> Sequence[Client]:
        project = self.projects["all"]
        tab = json.loads(self._owner().get(f"/api/dm/views?project={project}"))[0]["id"]
        tasks = json.loads(self._owner().get(f"/api/tasks?project={project}&page_size=2000&fields=task_only"))["tasks"]
        spare = sorted(task["id"] for task in tasks)[PROFILES // 2 : PROFILES]
        lines = [self._sign_in(f"{pool}{number}@example.org", new=True) for number in range(count)]
        return [LabelStudioClient(line, project, tab, spare[at::count]) for at, line in enumerate(lines)]

    # ── Export ───────────────────────────────────────────────────────────────
    def export(self) -> tuple[float, set[str]]:
        """Over HTTP, which is how it exports: its command does the same in a process that starts anew."""
        began = time.monotonic()
        path = f"/api/projects/{self.projects['all']}/export?exportType=JSON&download_all_tasks=false"
        answer = self._owner().get(path)
        return time.monotonic() - began, whole_annotations(answer.decode())


def _task(profile: Profile) -> dict[str, Any]:
    text, spans = as_text(profile)
    prediction = {"model_version": SPANS_MODEL, "result": [_region(at, span) for at, span in enumerate(spans)]}
    return {"data": {"text": text, "name": profile.name}, "predictions": [prediction]}


def _region(at: int, span: Span) -> dict[str, Any]:
    value = {"start": span.start, "end": span.end, "labels": [span.type]}
    return {"from_name": "found", "to_name": "text", "type": "labels", "id": f"r{at}", "value": value}


def whole_annotations(export: str) -> set[str]:
    """Ids of exported annotations that have all three answers."""
    annotations = [annotation for task in json.loads(export) for annotation in task["annotations"]]
    return {str(annotation["id"]) for annotation in annotations if _is_whole(annotation["result"])}


def _is_whole(results: list[dict[str, Any]]) -> bool:
    values = {result["from_name"]: result["value"] for result in results}
    wanted = {"location": {"text": [ANSWERS["location"]]}, "age": {"text": [ANSWERS["age"]]}}
    wanted["sex"] = {"choices": [ANSWERS["sex"]]}
    return all(wanted[name].items() <= values.get(name, {}).items() for name in wanted)
