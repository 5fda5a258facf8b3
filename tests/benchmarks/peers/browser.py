"""A real Chromium that resolves no other host than 127.0.0.1: cold page loads, and submits until the next profile."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Error, Page

LOOPBACK_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"
USABLE_WITHIN, NEXT_WITHIN, IDLE_WITHIN = 90.0, 60.0, 5.0  # seconds
REST = 1.0  # seconds between the last answer and the click: a person needs longer

# Usable: what `ready` says, looked at in every animation frame. A marker names the profile that is shown.
WATCH = """(() => {
  if (window.top !== window || window.race) return;
  const safely = (look, otherwise) => { try { return look(); } catch { return otherwise; } };
  const now = () => performance.timeOrigin + performance.now();
  const visible = (selector) => [...document.querySelectorAll(selector)].some((element) => element.checkVisibility());
  const race = window.race = {
    usable: 0, visible, now,
    ready: () => safely(() => %(ready)s, false), marker: () => safely(() => String(%(marker)s), ""),
  };
  const look = () => {
    if (race.ready()) {
      race.usable ||= performance.now();
      const before = sessionStorage.getItem("race.before"), shown = race.marker();
      if (before !== null && shown && shown !== before && !sessionStorage.getItem("race.shown"))
        requestAnimationFrame(() => sessionStorage.setItem("race.shown", now()));
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();"""
CLICK = """(selector) => {
  const button = [...document.querySelectorAll(selector)].find((it) => it.checkVisibility() && !it.disabled);
  if (!button) throw new Error("no button");
  sessionStorage.removeItem("race.shown");
  sessionStorage.setItem("race.before", race.marker());
  sessionStorage.setItem("race.clicked", race.now());
  button.click();
}"""
SHOWN = "Number(sessionStorage.getItem('race.shown') || 0) - Number(sessionStorage.getItem('race.clicked'))"


@dataclass(frozen=True, slots=True)
class LabellingPage:
    """JavaScript expressions about a tool's page, and how to fill in its form."""

    ready: str
    marker: str
    fill: str
    button: str
    saved: str = "true"


@dataclass(frozen=True, slots=True)
class Cold:
    usable: float  # seconds
    bytes: int  # until the network is idle


class Chromium:
    def __init__(self, browser: Browser, page: LabellingPage, site: str, pictures: Path) -> None:
        self.browser, self.page, self.site, self.pictures = browser, page, site, pictures
        self.script = WATCH % {"ready": page.ready, "marker": page.marker}

    @contextmanager
    def visit(self, path: str, cookies: dict[str, str]) -> Iterator[tuple[Page, list[int]]]:
        """A page in a context with an empty cache, and the sizes of all responses."""
        context = self.browser.new_context(viewport={"width": 1280, "height": 800})
        context.add_cookies([{"name": name, "value": value, "url": self.site} for name, value in cookies.items()])
        context.add_init_script(self.script)
        page, sizes = context.new_page(), []
        wire = context.new_cdp_session(page)
        wire.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
        wire.send("Network.enable")
        try:
            page.goto(self.site + path, wait_until="commit", timeout=USABLE_WITHIN * 1000)
            yield page, sizes
        except (TimeoutError, Error):
            page.screenshot(path=self.pictures / "failed.png")
            raise
        finally:
            context.close()

    def open_cold(self, path: str, cookies: dict[str, str], picture: str = "") -> Cold:
        with self.visit(path, cookies) as (page, sizes):
            wait_until(page, "race.usable > 0", USABLE_WITHIN)
            usable = page.evaluate("race.usable") / 1000
            _wait_for_idle(page)
            if picture:
                page.screenshot(path=self.pictures / f"{picture}.png")
            return Cold(usable, sum(sizes))

    def submit(self, path: str, cookies: dict[str, str], times: int, picture: str = "") -> list[float]:
        """Seconds from a click until another profile is usable. The first one isn't counted."""
        with self.visit(path, cookies) as (page, _):
            wait_until(page, "race.usable > 0", USABLE_WITHIN)
            seconds = [self._submit_once(page, picture) for _ in range(times + 1)]
            return seconds[1:]

    def _submit_once(self, page: Page, picture: str) -> float:
        page.wait_for_timeout(REST * 1000)
        page.evaluate(self.page.fill)
        wait_until(page, self.page.saved, NEXT_WITHIN)
        page.wait_for_timeout(REST * 1000)
        if picture:
            page.screenshot(path=self.pictures / f"{picture}.png")
        page.evaluate(CLICK, self.page.button)
        wait_until(page, f"{SHOWN} > 0", NEXT_WITHIN)
        return float(page.evaluate(SHOWN)) / 1000


def wait_until(page: Page, expression: str, seconds: float) -> None:
    """Ask from outside: a strict content policy forbids the page to evaluate text by itself."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if _holds(page, expression):
            return
        page.wait_for_timeout(30)
    raise TimeoutError(expression)


def _holds(page: Page, expression: str) -> bool:
    try:
        return bool(page.evaluate(f"() => Boolean({expression})"))
    except Error:  # between two documents
        return False


def _wait_for_idle(page: Page) -> None:
    """Some pages never are."""
    with suppress(Error):
        page.wait_for_load_state("networkidle", timeout=IDLE_WITHIN * 1000)
    page.wait_for_timeout(300)
