"""Masks, linkage and every measure of a report on defences.

.venv/bin/python -m tests.benchmarks.defences --check

The plain ways: linkage by a dictionary of words for each pair, measured on some of the profiles, and the longest common
subsequence by its textbook table.
"""

import os
from collections import Counter
from time import perf_counter

COMMENTS, LINKED, PAIRS = 20_000, 10_000, 100
PROFILES, TEXTS, RESAMPLES, TABLES = 1000, 30, 1000, 200

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one core
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def main() -> None:
    from tests.benchmarks.table import Bar, report

    masking = _masking()
    linkage, link_ratio = _linkage()
    measures, common_ratio = _measures()
    bars = [
        Bar("comments masked per second", masking[0].rate, at_least=20_000),
        Bar("seconds for the linkage of 10,000 profiles", linkage[0].seconds, at_most=60),
        Bar("linked pair by pair, against ours", link_ratio, at_least=10),
        Bar("seconds for all measures", measures[0].seconds, at_most=10),
        Bar("common words by a table, against ours", common_ratio, at_least=5),
    ]
    report("Defences", [*masking, *linkage, *measures], bars)


def _masking():
    import numpy as np

    from evaluation.defences.masking import MaskedSpan, by_tag, mask
    from tests.benchmarks.table import Row, best_of

    rng = np.random.default_rng(1)
    bodies = ["the quick brown fox jumps over the lazy dog and lives in Oslo " * 4] * COMMENTS
    starts = rng.integers(0, 240, (COMMENTS, 5)).tolist()
    spans = [[MaskedSpan(start, start + 8, "LOCATION") for start in row] for row in starts]

    def ours() -> None:
        for body, members in zip(bodies, spans, strict=True):
            mask(body, members, by_tag)

    return [Row("mask, 5 spans a comment", best_of(3, ours), COMMENTS)]


def _linkage():
    import numpy as np

    from evaluation.defences.linkage import link
    from evaluation.defences.words import words_of
    from tests.benchmarks.table import Row

    rng = np.random.default_rng(2)
    names = np.array([f"word{number}" for number in range(50_000)])
    ranks = np.minimum(rng.zipf(1.3, (LINKED, 400)), len(names)) - 1  # as words are: few frequent, many rare
    originals = [" ".join(names[row]) for row in ranks]
    defended = [" ".join(names[row[:300]]) for row in ranks]
    began = perf_counter()
    link(originals, defended)
    seconds = perf_counter() - began
    bags = [Counter(words_of(text)) for text in originals[:PAIRS]]
    began = perf_counter()
    for first in bags:
        for second in bags:
            sum(count * second[word] for word, count in first.items())
    plain = (perf_counter() - began) * (LINKED / PAIRS) ** 2
    return [
        Row("linkage", seconds, LINKED),
        Row(f"pair by pair, from {PAIRS} profiles", plain, LINKED),
    ], plain / seconds


def _measures():
    from evaluation.defences.recipes import Method
    from evaluation.defences.scores import build_defence_report
    from evaluation.defences.utility import common_length
    from evaluation.inference.settings import Settings
    from tests.benchmarks.table import Row, best_of, wall_and_cpu
    from tests.evaluation.defences.reports import make_study, masked, rewritten, undefended

    masks = (Method.DETECTIONS, Method.EVIDENCE, Method.BOTH, Method.RANDOM)
    study = make_study(PROFILES, TEXTS, settings=Settings(bootstrap=RESAMPLES))
    defences = [undefended(study), *(masked(study, method) for method in masks), rewritten(study)]
    wall, cpu = wall_and_cpu(lambda: build_defence_report(study, defences))
    first, second = (text * 10 for text in ("a b c d e f".split(), "b a d c f e".split()))
    ours = best_of(3, lambda: [common_length(first, second) for _ in range(TABLES)])
    plain = best_of(3, lambda: [_by_table(first, second) for _ in range(TABLES)])
    assert common_length(first, second) == _by_table(first, second)
    return [
        Row(f"all measures of {len(defences)} defences", wall, PROFILES, cpu),
        Row("longest common subsequence", ours, TABLES),
        Row("the same, by a table", plain, TABLES),
    ], plain / ours


def _by_table(first: list[str], second: list[str]) -> int:
    above = [0] * (len(second) + 1)
    for word in first:
        row = [0]
        for column, other in enumerate(second):
            row.append(above[column] + 1 if word == other else max(row[-1], above[column + 1]))
        above = row
    return above[-1]


if __name__ == "__main__":
    main()
