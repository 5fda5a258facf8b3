"""Comments per second: are we close to the bare entity recogniser, and far above Presidio one comment at a time?

.venv/bin/python -m annotator.embedded.throwaway .venv/bin/python -m tests.benchmarks.detection --check [--data FOLDER]
"""

import argparse
import io
import json
import os
import sys
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from tests.benchmarks.table import Bar, Row, best_of, report, set_up
from tests.benchmarks.workers import bare_processes, celery_workers, through_workers

AT_ONCE = 256
COMMENTS = 20_000  # for two workers: a few seconds


def main() -> None:
    data = asked_data()
    set_up()
    ways = build()
    sets = {"short": short_comments(700), "long": long_comments(300)} | real(data)
    measured = {name: measure(name, texts, ways) for name, texts in sets.items()}
    small, large, memory = memory_over(200_000)
    bare, through = in_two_processes(short_comments(COMMENTS))
    rows = [row for some in measured.values() for row in some] + [memory, bare, through]
    bars = [bar for name, some in measured.items() for bar in bars_of(name, some)]
    bars += [Bar("whole way with two workers against two bare", through.rate / bare.rate, at_least=0.80)]
    report(
        "Finding personal data",
        rows,
        [*bars, Bar(f"memory, {small} MB at 20,000, at 200,000", large / small, at_most=1.1)],
    )


def measure(name: str, texts: list[str], ways: dict[str, Callable[[list[str]], object]]) -> list[Row]:
    """Time all ways on the same comments, each warmed up."""
    print(f"{name}: {len(texts):,} comments of {sum(map(len, texts)) / len(texts):.0f} characters")
    for work in ways.values():
        work(texts[:100])
    return [Row(f"{name}: {way}", best_of(2, partial(work, texts)), len(texts)) for way, work in ways.items()]


def bars_of(name: str, rows: list[Row]) -> list[Bar]:
    plain, _, bare, ours = (row.rate for row in rows)
    times, share = (6, 0.85) if name.startswith("short") else (4, 0.80)
    return [
        Bar(f"{name}: ours against the plain analyser", ours / plain, at_least=times),
        Bar(f"{name}: ours against bare NER", ours / bare, at_least=share),
    ]


def build() -> dict[str, Callable[[list[str]], object]]:
    """The ways to compare. The first three are stock Presidio and spaCy; only the model's name comes from us."""
    import spacy
    from presidio_analyzer import AnalyzerEngine, BatchAnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    from profiles.detection.presidio import Analyser, default_contents, model_for

    name, analyser = model_for("en").name, Analyser(default_contents())
    configuration = NlpEngineProvider().nlp_configuration | {"models": [{"lang_code": "en", "model_name": name}]}
    presidio = AnalyzerEngine(nlp_engine=NlpEngineProvider(nlp_configuration=configuration).create_engine())
    batch, ner = BatchAnalyzerEngine(presidio), spacy.load(name, enable=["ner"])
    entities = list(default_contents().entities)
    return {
        "plain analyser": lambda texts: [presidio.analyze(text, "en", entities) for text in texts],
        "batch analyser": lambda texts: batch.analyze_iterator(texts, "en", batch_size=64, entities=entities),
        "bare NER, the limit": lambda texts: sum(len(doc.ents) for doc in ner.pipe(texts, batch_size=AT_ONCE)),
        "ours": lambda texts: [analyser.analyse(texts[at : at + AT_ONCE]) for at in range(0, len(texts), AT_ONCE)],
    }


def in_two_processes(texts: list[str]) -> tuple[Row, Row]:
    """Time the recogniser alone and the whole way through Celery's workers into Postgres, in turns."""
    bare, through = [], []
    with celery_workers():
        for _ in range(3):
            bare.append(bare_processes(texts))
            through.append(through_workers(texts))
    return (
        Row("two bare processes", min(bare), len(texts)),
        Row("two workers, through Celery into Postgres", min(through), len(texts)),
    )


def demo_bodies() -> list[str]:
    from profiles.demo.generator import generate

    bodies = [comment.body for profile in generate() for comment in profile.comments if comment.language == "en"]
    return list(dict.fromkeys(bodies))


def short_comments(how_many: int) -> list[str]:
    """About 104 characters each."""
    return list(islice(cycle(body for body in demo_bodies() if 60 <= len(body) <= 160), how_many))


def long_comments(how_many: int) -> list[str]:
    """A quote and a reply, with line breaks: more than 280 characters on average."""
    bodies = cycle(body for body in demo_bodies() if 100 < len(body) < 200)
    return [f"> {next(bodies)}\n\n{next(bodies)}  \nEDIT: typo" for _ in range(how_many)]


def asked_data() -> Path | None:
    """Take --data off the command line, because `report` only knows --check."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--data", type=Path)
    asked, sys.argv[1:] = parser.parse_known_args()
    folder: Path | None = asked.data
    return folder


def real(folder: Path | None) -> dict[str, list[str]]:
    """Real comments from the folder, if there is one. They are never part of the project."""
    import zstandard

    if folder is None:
        return {}
    with (folder / "RC_2006-01.zst").open("rb") as packed:
        reader = zstandard.ZstdDecompressor(max_window_size=2**31).stream_reader(packed)
        bodies = [json.loads(line)["body"] for line in io.TextIOWrapper(reader, "utf-8")]
    lines = (folder / "synthpai_profiles.jsonl").read_text().splitlines()
    made = [comment["text"] for line in lines for comment in json.loads(line)["comments"]]
    return {"short, SynthPAI": made[:700], "long, Pushshift": bodies[:300]}


def memory_over(comments: int) -> tuple[int, int, Row]:
    """Megabytes after 20,000 comments and after all of them, each with a word that is new to the model."""
    import time

    from profiles.detection.presidio import Analyser, default_contents

    analyser, sizes, began = Analyser(default_contents()), [], time.perf_counter()
    for first in range(0, comments, 1000):
        analyser.analyse([f"word{number}x near Paris" for number in range(first, first + 1000)])
        sizes.append(int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1_000_000)
    return sizes[19], sizes[-1], Row(f"{comments:,} comments of four words", time.perf_counter() - began, comments)


if __name__ == "__main__":
    main()
