"""The workload, the same for every tool: a thousand profiles of 40 comments, and two of 5,000, with highlight spans.

Texts come from the demo study, or from a file with one comment per line.
"""

import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

PROFILES, ORDINARY, GIANT = 1000, 40, 5000
FEW, MANY = 20, GIANT // 2  # spans
PLACES = "AskReddit houston personalfinance Seattle AskMen running cooking gaming nursing Texas dogs teachers".split()
TYPES = ("PERSON", "LOCATION", "EMAIL_ADDRESS", "NRP")
START, STEP = 1_325_462_400, 20_000  # seconds; from 2 January 2012, inside the years that Telltale imports by default
SHORTEST = 10  # characters, below which Telltale leaves a comment out


@dataclass(frozen=True, slots=True)
class Span:
    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class Comment:
    id: str
    subreddit: str
    created: int
    body: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    name: str
    comments: tuple[Comment, ...]


def few_spans(profiles: Sequence[Profile]) -> Profile:
    """The profile of 5,000 comments with 20 spans."""
    return profiles[PROFILES]


def many_spans(profiles: Sequence[Profile]) -> Profile:
    """The profile of 5,000 comments with 2,500 spans."""
    return profiles[PROFILES + 1]


def load_workload(file: Path, texts: Path | None) -> list[Profile]:
    """Read the workload, which is written the first time, and for other texts."""
    if texts or not file.exists():
        bodies = clean(texts.read_text().splitlines()) if texts else _demo_texts()
        file.write_text("\n".join(map(_to_line, make_profiles(bodies))))
    return [_from_line(line) for line in file.read_text().splitlines()]


def make_profiles(texts: Sequence[str]) -> list[Profile]:
    chance = random.Random(7)  # noqa: S311 repeatable on purpose
    sizes = [(f"p{number:04d}", ORDINARY, FEW) for number in range(PROFILES)]
    sizes += [("giant-few", GIANT, FEW), ("giant-many", GIANT, MANY)]
    profiles, number = [], 0
    for name, size, spans in sizes:
        profiles.append(_profile(name, size, spans, number=number, texts=texts, chance=chance))
        number += size
    return profiles


def _profile(name: str, size: int, spans: int, *, number: int, texts: Sequence[str], chance: random.Random) -> Profile:
    places, marked = chance.sample(PLACES, 6), set(chance.sample(range(size), spans))
    comments = []
    for at in range(size):
        body = chance.choice(texts)
        span = (_span(body, chance),) if at in marked else ()
        comments.append(Comment(f"c{number + at:06d}", chance.choice(places), START + at * STEP, body, span))
    return Profile(name, tuple(comments))


def _span(body: str, chance: random.Random) -> Span:
    word = chance.choice(list(re.finditer(r"\w+", body)) or list(re.finditer(r"\S+", body)))
    return Span(*word.span(), chance.choice(TYPES))


def clean(texts: Sequence[str]) -> list[str]:
    """ASCII, one space between words, and nothing like markup: some tools would change it, and move the spans."""
    plain = (" ".join(re.sub(r"[<>&]|[^\x20-\x7e]", " ", text).split()) for text in texts)
    return [text for text in plain if len(text) >= SHORTEST]


def _demo_texts() -> list[str]:
    """One to three comments of the demo study in each, which makes them as long as those of Reddit."""
    from profiles.demo.generator import generate

    bodies = clean([comment.body for profile in generate() for comment in profile.comments])
    chance = random.Random(8)  # noqa: S311 repeatable on purpose
    return [" ".join(chance.choices(bodies, k=chance.randint(1, 3))) for _ in range(60_000)]


def as_text(profile: Profile, between: str = "\n") -> tuple[str, list[Span]]:
    """One text for tools without comments: a head before each, with subreddit and date. Spans move along."""
    parts, spans, at = [], [], 0
    for comment in profile.comments:
        head = f"[{comment.subreddit} {datetime.fromtimestamp(comment.created, UTC):%Y-%m-%d}] "
        shift = at + len(head)
        spans += [Span(shift + span.start, shift + span.end, span.type) for span in comment.spans]
        parts.append(head + comment.body + between)
        at += len(parts[-1])
    return "".join(parts), spans


def _to_line(profile: Profile) -> str:
    rows = [
        [c.id, c.subreddit, c.created, c.body, [[span.start, span.end, span.type] for span in c.spans]]
        for c in profile.comments
    ]
    return json.dumps({"name": profile.name, "comments": rows})


def _from_line(line: str) -> Profile:
    row = json.loads(line)
    comments = [
        Comment(name, subreddit, created, body, tuple(Span(*span) for span in spans))
        for name, subreddit, created, body, spans in row["comments"]
    ]
    return Profile(row["name"], tuple(comments))
