"""What the race measures. Names are those of the results file and of the table's rows."""

from dataclasses import dataclass

LOOP = "a loop of 3 million steps, s"


@dataclass(frozen=True, slots=True)
class Measure:
    name: str
    unit: str
    digits: int = 1
    more_is_better: bool = False
    comparable: bool = True  # worth a ratio

    def best(self, values: list[float]) -> float:
        """The best round: noise only ever makes things worse."""
        return max(values) if self.more_is_better else min(values)


COLD = Measure("cold until usable, 40 comments", "s", 2)
COLD_BYTES = Measure("bytes of it", "kB", 0)
GIANT_FEW = Measure("the same, 5,000 comments with 20 spans", "s", 2)
GIANT_MANY = Measure("the same, 5,000 comments with 2,500 spans", "s", 2)
SUBMIT = Measure("submit until the next profile is visible", "ms", 0)
OPEN_NEXT = Measure("open the next profile over HTTP, p50", "ms", 1)
RATE = Measure("8 clients: whole form, submit, next", "/s", 1, more_is_better=True)
CPU = Measure("CPU per such cycle, all processes", "ms", 1)
RATE_BESIDE = Measure("the same while Presidio runs", "/s", 1, more_is_better=True)
MEMORY_IDLE = Measure("memory after a later start, PSS", "MB", 0)
MEMORY_AFTER = Measure("memory after all this, PSS", "MB", 0)
PROCESSES = Measure("processes then", "", 0, comparable=False)
SIZE = Measure("installed size", "MB", 0)
FIRST_START = Measure("first start", "s")
LATER_START = Measure("later start", "s")
IMPORT = Measure("import of 1,002 profiles with spans", "s")
EXPORT_FIRST = Measure("export by command, the first time", "s", 2)
EXPORT = Measure("export by command, again", "s", 2)
EXPORTED = Measure("submissions in that export", "", 0, comparable=False)
LOST = Measure("acknowledged submissions that it lacks", "", 0, comparable=False)
ERRORS = Measure("errors of the clients", "", 0, comparable=False)

MEASURES = (
    COLD, COLD_BYTES, GIANT_FEW, GIANT_MANY, SUBMIT, OPEN_NEXT, RATE, CPU, RATE_BESIDE, MEMORY_IDLE, MEMORY_AFTER,
    PROCESSES, SIZE, FIRST_START, LATER_START, IMPORT, EXPORT_FIRST, EXPORT, EXPORTED, LOST, ERRORS,
)  # fmt: skip
WORST_COUNTS = {LOST, ERRORS}  # one loss in one round is a loss
