"""The results file: one JSON object a line, written as they come, so that a stopped race can be continued."""

import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

Figures = dict[str, list[float]]  # by measure: one value for each round


@dataclass(frozen=True, slots=True)
class Entrant:
    """One column of the table."""

    key: str  # with its version: other versions have other results
    name: str
    kind: str  # the tool
    ours: bool = False  # Telltale as in this checkout


@dataclass(frozen=True, slots=True)
class Race:
    """What is being compared, and on what machine: written each time the command starts."""

    entrants: list[Entrant]
    machine: dict[str, str]

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Race":
        return cls([Entrant(**entrant) for entrant in value["entrants"]], value["machine"])


@dataclass(frozen=True, slots=True)
class Results:
    file: Path

    def begin_race(self, race: Race) -> None:
        self._write(race=asdict(race))

    def begin_round(self, key: str, number: int) -> None:
        """What an earlier attempt at this round has left no longer counts."""
        self._write(key=key, round=number, began=True)

    def add(self, key: str, number: int, what: str, value: float, **details: Any) -> None:
        self._write(key=key, round=number, what=what, value=round(value, 4), **details)
        noted = f" {details}" if details else ""
        print(f"{time.strftime('%H:%M:%S')}  {number}  {key:<24} {what:<44} {value:>10.3f}{noted[:200]}", flush=True)

    def complete(self, key: str, number: int) -> None:
        self._write(key=key, round=number, complete=True)

    def fail(self, key: str, number: int, error: str) -> None:
        self._write(key=key, round=number, failed=error)

    def _write(self, **line: Any) -> None:
        stamp = {"at": time.strftime("%Y-%m-%d %H:%M:%S"), "load": round(os.getloadavg()[0], 1)}
        with self.file.open("a") as out:
            out.write(json.dumps(line | stamp) + "\n")

    # ── Reading ──────────────────────────────────────────────────────────────
    def lines(self) -> Iterator[dict[str, Any]]:
        if self.file.exists():
            yield from map(json.loads, self.file.read_text().splitlines())

    def last_race(self) -> Race | None:
        races = [line["race"] for line in self.lines() if "race" in line]
        return Race.from_json(races[-1]) if races else None

    def is_complete(self, key: str, number: int) -> bool:
        return any(line.get("complete") and (line["key"], line["round"]) == (key, number) for line in self.lines())

    def figures(self, key: str) -> Figures:
        """The values of all rounds, from the last attempt at each."""
        rounds: dict[int, dict[str, list[float]]] = {}
        for line in self.lines():
            if line.get("key") != key:
                continue
            if line.get("began"):
                rounds[line["round"]] = {}
            elif "what" in line:
                rounds[line["round"]].setdefault(line["what"], []).append(line["value"])
        merged: Figures = {}
        for _, values in sorted(rounds.items()):
            for what, several in values.items():
                merged.setdefault(what, []).extend(several)
        return merged

    def failures(self, key: str) -> list[str]:
        """The errors of rounds that no later attempt completed."""
        return [
            line["failed"]
            for line in self.lines()
            if line.get("key") == key and "failed" in line and not self.is_complete(key, line["round"])
        ]
