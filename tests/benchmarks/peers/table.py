"""The table for the documentation, in Markdown: the best round of everything, and ratios."""

from collections.abc import Mapping, Sequence

from tests.benchmarks.peers.measures import LOOP, MEASURES, WORST_COUNTS, Measure
from tests.benchmarks.peers.results import Entrant, Figures, Race

NOT_COMPARABLE = """What isn't comparable:

- Label Studio and Potato run as their packages set them up: one server process, with SQLite and with files. Telltale's memory, processes and CPU include its own Postgres, Valkey and workers.
- The Gradio page is a stand-in for the original study's, written for this race: the same fields for all eight attributes, no accounts, no database, no spans, no hints. It reads its profiles into memory, and Next appends one line to a file, which is also its export. It has no other way to open the next profile, so that figure includes saving.
- Telltale saves each card as it is filled in, so its cycle is five requests: the next profile ahead of time, three cards, submit. A browser shows the profile that it already has. The others save the form once and then fetch: Label Studio three requests, Potato seven, Gradio two.
- Telltale and the Gradio page show forms for eight attributes, Label Studio and Potato for the three that are filled in.
- Label Studio and Potato show a profile as one text. Telltale shows comments, and loads those further down as one scrolls; the others load all. “Usable” means that text and form are visible and that one can submit, not that all spans are drawn.
- “Import” is Telltale's command plus writing the spans, which Presidio's workers do in a study; in Label Studio one request. Potato and Gradio read everything at each start, so their starts, and memory after a start, include the profiles.
- Telltale's first start includes writing the demo study. “The first time” its export also builds gold where that is due.
- Label Studio exports over HTTP from the running server; Telltale and Potato start a process.
- Spans aren't part of what Potato's clients save. Label Studio's clients post the profile's 20 spans with the form, as its page does."""  # noqa: E501 paragraphs


def table(race: Race, figures: Mapping[Entrant, Figures], failures: Sequence[str]) -> str:
    heading = ["", *(entrant.name for entrant in race.entrants), *_ratio_names(race)]
    measured = [measure for measure in MEASURES if any(measure.name in values for values in figures.values())]
    rows = [[measure.name, *_cells(measure, race, figures)] for measure in measured]
    loops = [_range(figures[entrant].get(LOOP, [])) for entrant in race.entrants]
    rows.append([LOOP, *loops, *("" for _ in _ratio_names(race))])
    lines = [_line(heading), _line(["---"] * len(heading)), *map(_line, rows)]
    return "\n".join([_introduction(race, figures), "", *lines, "", *_failed(failures), NOT_COMPARABLE])


def _introduction(race: Race, figures: Mapping[Entrant, Figures]) -> str:
    rounds = max((len(values.get("first start", [])) for values in figures.values()), default=0)
    machine = race.machine
    return (
        f"{machine['date']}, {machine['cores']} cores ({machine['processor']}), {machine['memory']}, "
        f"{machine['system']}, Python {machine['python']}. Alternating rounds ({rounds}); the best round of each "
        "figure, except lost submissions and errors, which are the sum. A ratio above 1 means that Telltale is ahead."
    )


def _ratio_names(race: Race) -> list[str]:
    return ["compared with the best other tool", *(f"compared with {it.name}" for it in _other_checkouts(race))]


def _other_checkouts(race: Race) -> list[Entrant]:
    return [entrant for entrant in race.entrants if entrant.kind == "telltale" and not entrant.ours]


def _cells(measure: Measure, race: Race, figures: Mapping[Entrant, Figures]) -> list[str]:
    values = {entrant: value(measure, figures[entrant]) for entrant in race.entrants}
    best = best_of_others(measure, figures)
    cells = [_text(measure, values[entrant]) for entrant in race.entrants]
    ours = next((values[entrant] for entrant in race.entrants if entrant.ours), None)
    rivals = [best, *(values[entrant] for entrant in _other_checkouts(race))]
    return cells + [_ratio_text(measure, ours, rival) for rival in rivals]


def value(measure: Measure, figures: Figures) -> float | None:
    """The best round; of errors and losses, the sum."""
    values = figures.get(measure.name)
    if not values:
        return None
    return sum(values) if measure in WORST_COUNTS else measure.best(values)


def best_of_others(measure: Measure, figures: Mapping[Entrant, Figures]) -> float | None:
    """The best value of all other tools. Other checkouts of Telltale aren't other tools."""
    values = [value(measure, of) for entrant, of in figures.items() if entrant.kind != "telltale"]
    measured = [one for one in values if one is not None]
    return measure.best(measured) if measured else None


def ratio(measure: Measure, ours: float | None, theirs: float | None) -> float | None:
    """How many times better ours is."""
    if ours is None or theirs is None or not ours or not theirs:
        return None
    return ours / theirs if measure.more_is_better else theirs / ours


# ── Text ─────────────────────────────────────────────────────────────────────
def _text(measure: Measure, number: float | None) -> str:
    if number is None:
        return "–"
    unit = "/s" if measure.unit == "/s" else f" {measure.unit}" if measure.unit else ""
    return f"{number:,.{measure.digits}f}{unit}"


def _ratio_text(measure: Measure, ours: float | None, theirs: float | None) -> str:
    times = ratio(measure, ours, theirs) if measure.comparable else None
    return "" if times is None else f"{times:.2f}" if times < 10 else f"{times:.0f}"


def _range(values: Sequence[float]) -> str:
    return f"{min(values):.2f} to {max(values):.2f}" if values else "–"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _failed(failures: Sequence[str]) -> list[str]:
    return ["Failed: " + "; ".join(failures), ""] if failures else []
