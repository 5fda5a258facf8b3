"""Read the marked cases, and write them in TAB's format."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
CASES, PREDICTIONS = FOLDER / "cases.toml", FOLDER / "predictions.jsonl"
BRACKET = re.compile(r"\[\[(?P<head>[A-Z]+:[DQN]:[a-z_]+(?::[a-z]+)?)\||\]\]")
IDENTIFIERS = {"D": "DIRECT", "Q": "QUASI", "N": "NO_MASK"}


class BadMarkup(ValueError):
    """A mention isn't closed, or a bracket closes none."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A marked span. `annotators` is empty if everybody marked it."""

    start: int
    end: int
    label: str
    identifier: str
    entity: str
    annotators: str


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    text: str
    annotators: tuple[str, ...]
    mentions: tuple[Mention, ...]

    def as_tab(self) -> dict[str, Any]:
        layers = {name: {"entity_mentions": [*self._layer(name)]} for name in self.annotators}
        return {"doc_id": self.id, "text": self.text, "annotations": layers}

    def _layer(self, annotator: str) -> Iterator[dict[str, Any]]:
        own = [mention for mention in self.mentions if annotator in (mention.annotators or annotator)]
        for number, mention in enumerate(own, start=1):
            yield {
                "entity_type": mention.label,
                "entity_mention_id": f"{self.id}_{annotator}_{number}",
                "start_offset": mention.start,
                "end_offset": mention.end,
                "span_text": self.text[mention.start : mention.end],
                "identifier_type": mention.identifier,
                "entity_id": f"{self.id}_{mention.entity}",
            }


def load_cases() -> tuple[Case, ...]:
    data = tomllib.loads(CASES.read_text(encoding="utf-8"))
    return tuple(read_case(case["id"], case["text"], case["annotators"]) for case in data["case"])


def read_case(case_id: str, marked: str, annotators: Iterable[str]) -> Case:
    """Take the brackets out of the text, and remember what stood between them. Raises BadMarkup."""
    marked = marked.strip()
    text, position = "", 0
    opened: list[tuple[int, str]] = []
    mentions: list[Mention] = []
    for bracket in BRACKET.finditer(marked):
        text += marked[position : bracket.start()]
        position = bracket.end()
        if bracket["head"]:
            opened.append((len(text), bracket["head"]))
        elif opened:
            mentions.append(_mention(*opened.pop(), len(text)))
        else:
            raise BadMarkup(f"{case_id}: a bracket closes no mention")
    if opened:
        raise BadMarkup(f"{case_id}: “{opened[0][1]}” isn't closed")
    return Case(case_id, text + marked[position:], tuple(annotators), tuple(sorted(mentions, key=_order)))


def _mention(start: int, head: str, end: int) -> Mention:
    label, identifier, entity, *annotators = head.split(":")
    return Mention(start, end, label, IDENTIFIERS[identifier], entity, annotators[0] if annotators else "")


def _order(mention: Mention) -> tuple[int, int]:
    return mention.start, -mention.end
