"""One round of one tool, from an empty data folder to its export. Every figure is written as soon as it is known."""

from dataclasses import dataclass
from statistics import median

from playwright.sync_api import Browser

from tests.benchmarks.labelling_browser import chromium
from tests.benchmarks.labelling_compare import calibration
from tests.benchmarks.peers import measures
from tests.benchmarks.peers.browser import LOOPBACK_ONLY, Chromium
from tests.benchmarks.peers.clients import Client, lost, open_repeatedly, submit_until, work_together
from tests.benchmarks.peers.measures import Measure
from tests.benchmarks.peers.results import Results
from tests.benchmarks.peers.servers import Server
from tests.benchmarks.peers.tools.base import Tool, Visit
from tests.benchmarks.peers.workload import few_spans, many_spans

CLIENTS, TO_EXPORT = 8, 330
WARM_UP, OPENED = 2.0, 30
COLD_TIMES, SUBMITS = 3, 6
SETTLES_WITHIN = 12  # times the seconds of a phase: the demo study is detected meanwhile
SLOW = 5.0  # seconds: a giant that takes longer is opened once


@dataclass(frozen=True, slots=True)
class Round:
    tool: Tool
    number: int
    results: Results
    seconds: float  # of each phase with clients

    def run(self) -> None:
        key = self.tool.entrant.key
        self.results.begin_round(key, self.number)
        self._starts()
        with self.tool.start() as server:
            self._add(measures.LATER_START, server.wait_for(self.tool.site + self.tool.start_path))
            server.settle(SETTLES_WITHIN * self.seconds)
            self._add(measures.MEMORY_IDLE, server.memory()[0])
            self._import(server)
            self._browse()
            clients = self._load(server)
            megabytes, processes = server.memory()
            self._add(measures.MEMORY_AFTER, megabytes)
            self._add(measures.PROCESSES, processes)
            self._export(clients)
        self._add(measures.SIZE, self.tool.installed_megabytes())
        self.results.complete(key, self.number)

    def _add(self, measure: Measure, value: float, **details: object) -> None:
        self.results.add(self.tool.entrant.key, self.number, measure.name, value, **details)

    def _calibrate(self, phase: str) -> None:
        self.results.add(self.tool.entrant.key, self.number, measures.LOOP, calibration(), before=phase)

    # ── Phases ───────────────────────────────────────────────────────────────
    def _starts(self) -> None:
        self._calibrate("starts")
        self.tool.clear()
        with self.tool.start() as server:
            self._add(measures.FIRST_START, server.wait_for(self.tool.site + self.tool.start_path))
            server.settle(SETTLES_WITHIN * self.seconds)

    def _import(self, server: Server) -> None:
        self._calibrate("import")
        seconds = self.tool.load()
        if seconds is not None:
            self._add(measures.IMPORT, seconds)
        if self.tool.detects:
            clients = self.tool.clients(CLIENTS, pool="busy")
            with self.tool.detection(server):
                work_together(clients, WARM_UP)
                phase = work_together(clients, self.seconds)
            self._add(measures.RATE_BESIDE, phase.rate)
            self._add_errors(phase.errors)
        server.settle(SETTLES_WITHIN * self.seconds)

    def _browse(self) -> None:
        self._calibrate("browser")
        with chromium(LOOPBACK_ONLY) as browser:
            window = self._window(browser)
            self._cold(window, self.tool.open_ordinary(), "ordinary", measures.COLD)
            self._cold(window, self.tool.open_giant(few_spans(self.tool.workload)), "few", measures.GIANT_FEW)
            self._cold(window, self.tool.open_giant(many_spans(self.tool.workload)), "many", measures.GIANT_MANY)
            seconds = window.submit(*self.tool.open_first(), SUBMITS, "filled")
            self._add(measures.SUBMIT, median(seconds) * 1000, all=_rounded(seconds))

    def _window(self, browser: Browser) -> Chromium:
        pictures = self.tool.scratch / "pictures" / self.tool.folder_name
        pictures.mkdir(parents=True, exist_ok=True)
        return Chromium(browser, self.tool.page, self.tool.site, pictures)

    def _cold(self, window: Chromium, visit: Visit, picture: str, measure: Measure) -> None:
        opened = [window.open_cold(*visit, picture)]
        times = COLD_TIMES if measure is measures.COLD else 1
        opened += [window.open_cold(*visit) for _ in range(times) if opened[0].usable < SLOW]
        usable = [cold.usable for cold in (opened[1:] if measure is measures.COLD and opened[1:] else opened)]
        self._add(measure, median(usable) if measure is measures.COLD else min(usable), all=_rounded(usable))
        if measure is measures.COLD:
            self._add(measures.COLD_BYTES, opened[-1].bytes / 1000)

    def _load(self, server: Server) -> list[Client]:
        self._calibrate("clients")
        clients = list(self.tool.clients(CLIENTS, pool="idle"))
        opened = open_repeatedly(clients[0], OPENED)
        self._add(measures.OPEN_NEXT, median(opened) * 1000)
        work_together(clients, WARM_UP)
        before = server.cpu()
        phase = work_together(clients, self.seconds)
        self._add(measures.RATE, phase.rate, cycle_ms=round(phase.middle * 1000))
        self._add(measures.CPU, (server.cpu() - before) / max(1, len(phase.cycles)) * 1000)
        self._add_errors(phase.errors + submit_until(clients, TO_EXPORT))
        return clients

    def _export(self, clients: list[Client]) -> None:
        self._calibrate("export")
        acknowledged = {key for client in clients for key in client.acknowledged}
        self.tool.prepare_export()
        for measure in (measures.EXPORT_FIRST, measures.EXPORT):
            seconds, exported = self.tool.export()
            if seconds is not None:
                self._add(measure, seconds)
        self._add(measures.EXPORTED, len(exported))
        self._add(measures.LOST, lost(acknowledged, exported), acknowledged=len(acknowledged))

    def _add_errors(self, errors: list[str]) -> None:
        self._add(measures.ERRORS, len(errors), first=errors[:3])


def _rounded(seconds: list[float]) -> list[float]:
    return [round(value, 3) for value in seconds]
