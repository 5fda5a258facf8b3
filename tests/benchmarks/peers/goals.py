"""What Telltale wants to reach in the race: ratios within one run where there is something to compare with."""

from collections.abc import Iterator, Mapping

from tests.benchmarks.peers import measures
from tests.benchmarks.peers.measures import Measure
from tests.benchmarks.peers.results import Entrant, Figures
from tests.benchmarks.peers.table import best_of_others, ratio, value
from tests.benchmarks.table import Bar

BASELINE = "18ad50f"  # the commit that the goals were set against
AT_MOST = {
    measures.SIZE: 600, measures.FIRST_START: 10, measures.LATER_START: 3.5, measures.IMPORT: 2.5,
    measures.EXPORT: 0.5, measures.LOST: 0, measures.ERRORS: 0,
}  # fmt: skip
AHEAD_OF_BEST = {measures.GIANT_MANY: 1.5, measures.SUBMIT: 3.0, measures.RATE: 1.0, measures.MEMORY_AFTER: 1 / 1.2}
AHEAD_OF_BASELINE = {measures.OPEN_NEXT: 38 / 20, measures.RATE: 40 / 15.7, measures.CPU: 1 / 0.43}
KEPT_BESIDE_PRESIDIO = 0.9
AHEAD_OF_POTATO = 1.5


def goals(figures: Mapping[Entrant, Figures]) -> list[Bar]:
    ours = next((values for entrant, values in figures.items() if entrant.ours), {})
    by_kind = {entrant.kind: values for entrant, values in figures.items()}
    baseline = next((values for entrant, values in figures.items() if entrant.key.endswith(BASELINE)), {})
    potato = value(measures.COLD, by_kind.get("potato", {}))
    best = {measure: best_of_others(measure, figures) for measure in AHEAD_OF_BEST}
    former = {measure: value(measure, baseline) for measure in AHEAD_OF_BASELINE}
    return [
        *_ahead({measures.COLD: AHEAD_OF_POTATO}, ours, {measures.COLD: potato}, "Potato"),
        *_ahead(AHEAD_OF_BEST, ours, best, "the best other tool"),
        *_ahead(AHEAD_OF_BASELINE, ours, former, BASELINE),
        *_kept(ours),
        *_absolute(ours),
    ]


def _ahead(
    wanted: Mapping[Measure, float], ours: Figures, theirs: Mapping[Measure, float | None], whom: str
) -> Iterator[Bar]:
    for measure, at_least in wanted.items():
        times = ratio(measure, value(measure, ours), theirs[measure])
        if times is not None:
            yield Bar(f"{measure.name}: times better than {whom}", times, at_least=round(at_least, 2))


def _kept(ours: Figures) -> Iterator[Bar]:
    share = ratio(measures.RATE, value(measures.RATE_BESIDE, ours), value(measures.RATE, ours))
    if share is not None:
        yield Bar("share of the rate kept while Presidio runs", share, at_least=KEPT_BESIDE_PRESIDIO)


def _absolute(ours: Figures) -> Iterator[Bar]:
    for measure, limit in AT_MOST.items():
        number = value(measure, ours)
        if number is not None:
            yield Bar(f"{measure.name}, {measure.unit or 'count'}", number, at_most=limit)
