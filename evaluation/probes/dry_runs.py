"""What a run would ask and cost, without asking anything."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from annotator.core.formatting import number, plural
from evaluation.llm.attempts import AttemptStore
from evaluation.llm.budget import Prices
from evaluation.probes.dreaddit import PROBE
from evaluation.probes.dreaddit.items import ItemSet
from evaluation.probes.model_answers import CHUNK_SIZE
from evaluation.probes.questions import build_questions
from evaluation.probes.records import Item
from evaluation.probes.settings import ProbeSettings
from evaluation.probes.templates import Template
from evaluation.runs.dry_runs import DryRun


@dataclass(slots=True)
class ProbeDryRun:
    """`counts` are of requests that are not answered yet, and of those that are."""

    items: int
    variants: int
    repetitions: int
    counts: DryRun = field(default_factory=DryRun)

    def sentences(self) -> Iterator[str]:
        times = "" if self.repetitions == 1 else f" × {number(self.repetitions)} repetitions"
        calls, usage = self.counts.calls, self.counts.usage
        yield (
            f"{plural(self.items, 'text')} × {number(self.variants)} prompts{times}: {plural(calls, 'call')}, about "
            f"{plural(usage.prompt, 'input token')} and at most {plural(usage.completion, 'output token')}."
        )
        yield from self.counts.cost_sentences()


def estimate(
    items: Sequence[Item], settings: ProbeSettings, template: Template, attempts: AttemptStore,
    prices: Prices | None = None,
) -> ProbeDryRun:  # fmt: skip
    """Build every question and look up what is kept. 1 query for every 200 requests."""
    variants = PROBE.with_control(has_control=settings.has_control)
    result = ProbeDryRun(len(items), len(variants), settings.repetitions, DryRun(prices=prices))
    questions = build_questions(items, variants, template, settings)
    while chunk := list(islice(questions, CHUNK_SIZE)):
        requests = {attempts.digest(request): request for _, request in chunk}  # the same question is asked once
        kept = attempts.kept(list(requests))
        result.counts.kept += len(kept)
        for digest in requests.keys() - kept:
            result.counts.count(requests[digest])
    return result


def describe_source(source: ItemSet) -> Iterator[str]:
    """What is odd about the files: rows that were set aside, and texts that occur again."""
    for setback in source.setbacks:
        yield setback.sentence
    if source.repeated:
        repeated = plural(source.repeated, "row repeats", "rows repeat")
        contradictory = plural(source.contradictory, "text has", "texts have")
        left_out = f"{plural(source.left_out, 'row is', 'rows are')} left out" if source.left_out else "all are kept"
        yield f"{repeated} an earlier text, and {contradictory} both labels; {left_out}."
