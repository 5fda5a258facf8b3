"""What an evaluator's browser sees: a real Chromium with a cold cache, on the real server."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

FLAGS = [
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
    "--disable-gpu", "--disable-dev-shm-usage", *(["--no-sandbox"] if os.getuid() == 0 else []),
]  # fmt: skip
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
STEPS = 100  # about this many to the end of the reading pane

# Usable: styles and scripts are loaded, the scripts have laid out the blocks, and a comment and a field are visible.
WATCH = """
  window.bench = { tasks: [], usable: 0 };
  new PerformanceObserver((list) => {
    for (const task of list.getEntries()) bench.tasks.push(task.duration);
  }).observe({ type: "longtask", buffered: true });
  const onScreen = (selector) => document.querySelector(selector)?.checkVisibility();
  const look = () => {
    const begun = document.documentElement?.classList.contains("scripted");
    const there = begun && onScreen("#comments .comment") && onScreen("#answers .rating label:not(.no-script)");
    if (there) bench.usable = performance.now(); else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
"""
SCROLL = """async (steps) => {
  const pane = document.getElementById("reading"), pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const settled = () => !document.querySelector("#comments .waiting[data-near]");
  bench.tasks = [];
  const step = Math.max(pane.clientHeight * 0.8, pane.scrollHeight / steps);
  for (let n = 0; n < steps * 3 && pane.scrollTop + pane.clientHeight < pane.scrollHeight - 2; n += 1) {
    pane.scrollBy(0, step);
    await pause(60);
    for (let waited = 0; waited < 100 && !settled(); waited += 1) await pause(10);
  }
  const blocks = [...document.querySelectorAll("#comments .block")];
  return { longest: Math.max(0, ...bench.tasks), ended: !blocks.at(-1).classList.contains("waiting"),
    nodes: document.querySelectorAll("*").length };
}"""
SAVE = """async (level) => {
  const line = document.getElementById("save-state"), began = performance.now();
  document.querySelector(`[name=sex-hardness][value="${level}"]`).click();
  if (line.dataset.save !== "saving") throw new Error(`not saving: ${line.textContent}`);
  while (line.dataset.save !== "saved") {
    if (performance.now() - began > 20000) throw new Error(`never saved: ${line.textContent}`);
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - began;
}"""
ANSWER = """async () => {
  for (const [name, value] of [["value", "male"], ["hardness", "2"], ["certainty", "4"]])
    document.querySelector(`[name=sex-${name}][value="${value}"]`).click();
  const next = `/assignments/${document.getElementById("workspace").dataset.assignment}/next/`;
  const began = performance.now(), line = document.getElementById("save-state");
  const came = () => performance.getEntriesByType("resource");
  const ready = () => came().some((one) => one.name.endsWith(next) && one.responseEnd);
  while (!ready() || line.dataset.save !== "saved") {
    if (performance.now() - began > 20000) throw new Error(`not ready: ${ready()}, ${line.textContent}`);
    await new Promise((done) => setTimeout(done, 20));
  }
  await new Promise((done) => setTimeout(done, 200));
}"""
SUBMIT = """async () => {
  const name = () => document.querySelector("#workspace h1").textContent, before = name(), began = performance.now();
  document.querySelector(".label-bar [data-do=submit]").click();
  while (name() === before) {
    if (performance.now() - began > 20000) throw new Error(document.querySelector("#messages")?.textContent);
    await new Promise(requestAnimationFrame);
  }
  await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""


@dataclass(frozen=True, slots=True)
class Opened:
    """One cold load, in milliseconds and bytes over the wire; `after` is what the scripts fetched later."""

    usable: float
    page: int
    after: int
    longest: float


@dataclass(frozen=True, slots=True)
class Scrolled:
    longest: float
    heap: float  # megabytes
    nodes: int


@contextmanager
def chromium(*flags: str) -> Iterator[Browser]:
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"  # playwright runs an event loop in this process
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_executable(), args=[*FLAGS, *flags])
        yield browser
        browser.close()


def _executable() -> str:
    """The browser that CHROMIUM names, or the first installed one, as `bin/test` takes it."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "chromium")


@contextmanager
def cold_page(browser: Browser, url: str, cookies: dict[str, str]) -> Iterator[tuple[Page, Any, dict[str, int]]]:
    """A page in a fresh browser context, its DevTools session, and the bytes received by URL."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    site = "/".join(url.split("/")[:3])  # a deeper URL would limit the cookies to its path
    context.add_cookies([{"name": name, "value": value, "url": site} for name, value in cookies.items()])
    context.add_init_script(WATCH)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    wire = context.new_cdp_session(page)
    yield page, wire, _bytes(wire)
    context.close()
    assert not problems, problems


def open_cold(browser: Browser, url: str, cookies: dict[str, str], *, scroll: bool) -> tuple[Opened, Scrolled | None]:
    with cold_page(browser, url, cookies) as (page, wire, came):
        page.goto(url)
        page.wait_for_function("bench.usable > 0")
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(300)
        seen = page.evaluate("[bench.usable, Math.max(0, ...bench.tasks)]")
        after = sum(size for address, size in came.items() if _is_after(address))
        opened = Opened(seen[0], sum(came.values()) - after, after, seen[1])
        return opened, _scroll(page, wire) if scroll else None


def label_on(browser: Browser, url: str, cookies: dict[str, str], times: int) -> tuple[list[float], list[float]]:
    """Milliseconds for saving one field, and from a click on submit until the next profile is shown."""
    with cold_page(browser, url, cookies) as (page, _, _):
        page.goto(url)
        page.wait_for_function("bench.usable > 0")
        page.evaluate(ANSWER)
        saved = [page.evaluate(SAVE, 1 + (n + 2) % 5) for n in range(times)]
        submitted = []
        for _ in range(times):
            page.evaluate(ANSWER)
            submitted.append(page.evaluate(SUBMIT))
        return saved, submitted


def _scroll(page: Page, wire: Any) -> Scrolled:
    seen = page.evaluate(SCROLL, STEPS)
    assert seen["ended"], "the end of the comments was not reached"
    wire.send("HeapProfiler.collectGarbage")
    wire.send("Performance.enable")
    metrics = {one["name"]: one["value"] for one in wire.send("Performance.getMetrics")["metrics"]}
    return Scrolled(seen["longest"], metrics["JSHeapUsedSize"] / 1e6, seen["nodes"])


def _bytes(wire: Any) -> dict[str, int]:
    """Bytes by URL, filled in while the page loads: headers and bodies as sent, compressed."""
    names: dict[str, str] = {}
    came: dict[str, int] = {}

    def finished(said: dict[str, Any]) -> None:
        name = names.get(said["requestId"], "")
        came[name] = came.get(name, 0) + int(said["encodedDataLength"])

    wire.on("Network.requestWillBeSent", lambda said: names.update({said["requestId"]: said["request"]["url"]}))
    wire.on("Network.loadingFinished", finished)
    wire.send("Network.enable")
    return came


def _is_after(address: str) -> bool:
    """Whether scripts fetch it after the page has loaded: the next profile, more comments, counts, rules."""
    return any(part in address for part in ("/next/", "/comments/", "/presidio/", "/cards/"))
