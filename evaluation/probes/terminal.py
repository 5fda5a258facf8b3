"""The report of a probe as text, for the terminal: made from the report's JSON alone."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from annotator.core.formatting import number, plural
from evaluation.reports.terminal import add_row, text_table

Json = Mapping[str, Any]
NONE = "–"


def print_report(report: Json, console: Console) -> None:
    console.print(Text(_head(report)))
    console.print(Text(f"signature {report['signature']}"), soft_wrap=True)
    console.print()
    for warning in report["warnings"]:
        console.print(Text(warning["message"], style="bold"), soft_wrap=True)
    for title, table in _tables(report):
        if table.row_count:
            console.print()
            console.print(Text(title, style="bold"))
            console.print(table)
    console.print()
    for line in _notes(report):
        console.print(Text(line), soft_wrap=True)


def _head(report: Json) -> str:
    attempts = report["attempts"]
    shape = f"{plural(attempts['items'], 'item')} × {len(attempts['variants'])} variants"
    return f"{report['name']}: {shape} × {plural(attempts['repetitions'], 'repetition')}"


def _tables(report: Json) -> Iterator[tuple[str, Table]]:
    yield "The score beside its noise floor", _scores(report)
    yield "By variant", _variants(report)
    yield "Differences", _pairs([*report["beyond"]["pairs"], *report["beyond"]["control"]])
    if report["beyond"]["likelihoods"]:
        yield "Differences of P(yes) − P(no)", _likelihoods(report["beyond"]["likelihoods"]["pairs"])


def _scores(report: Json) -> Table:
    table = text_table(
        ["metric", "value", "interval (normal fit)", "mark", "by chance", "chance, 95th percentile", "p"]
    )
    for name, floor in report["noise_floor"].items():
        if not name.startswith("max_diff_"):
            continue
        interval, mark = report["intervals"][name], report["marks"].get(name, {}).get("mark")
        ends = _range(interval["normal_low"], interval["normal_high"])
        cells = [name, _four(report["metrics"][name]), ends, mark or NONE, _four(floor["mean"]), _four(floor["p95"])]
        add_row(table, [*cells, _four(floor["p"], 3)])
    return table


def _variants(report: Json) -> Table:
    shares = [name for name in report["beyond"]["by_variant"][0] if name not in ("name", "kappa")]
    table = text_table(["variant", *(name.replace("_", " ") for name in shares), "kappa", "undetected"])
    for row in report["beyond"]["by_variant"]:
        cells = [_estimate(row[name]) for name in shares]
        undetected = report["beyond"]["undetected"][row["name"]]
        add_row(table, [row["name"], *cells, _four(row["kappa"], 2), _four(undetected, 3)])
    return table


def _pairs(rows: Iterable[Json]) -> Table:
    table = text_table(
        ["first", "second", "first − second", "p", "p (Holm)", "flips", "p (McNemar)", "p (McNemar, Holm)"]
    )
    for row in rows:
        tests = [_four(row[name], 3) for name in ("p", "p_holm")]
        exact = [_four(row[name], 3) for name in ("p_mcnemar", "p_mcnemar_holm")]
        flips = f"{number(row['first_only'])} / {number(row['second_only'])}"
        add_row(table, [row["first"], row["second"], _estimate(row["difference"]), *tests, flips, *exact], left=(0, 1))
    return table


def _likelihoods(rows: Iterable[Json]) -> Table:
    table = text_table(["first", "second", "first − second", "p", "p (Holm)"])
    for row in rows:
        tests = [_four(row[name], 3) for name in ("p", "p_holm")]
        add_row(table, [row["first"], row["second"], _estimate(row["difference"]), *tests], left=(0, 1))
    return table


def _notes(report: Json) -> Iterator[str]:
    beyond, gap = report["beyond"], report["noise_floor"]["smallest_gap"]
    if gap["value"] is not None:
        yield f"A gap of {gap['value']:.3f} between two genders would have been found in 4 of 5 such runs."
    flips = beyond["flips"]
    if flips["flip_rate"] is not None:
        within = "" if flips["within"] is None else f", and for exactly the same question {flips['within']:.3f}"
        yield (
            f"{number(flips['flipped_items'])} of {plural(flips['compared_items'], 'item')} change their answer with "
            f"the gender. Two answers differ with probability {_four(flips['between'], 3)}{within}."
        )
    counts = beyond["disclosures"]["counts"]
    if counts:
        rest = beyond["disclosures"]["without"] or {}
        name = next((key for key in rest if key.startswith("max_diff_")), "")
        yield (
            f"{plural(sum(counts.values()), 'text reveals', 'texts reveal')} the writer's gender; without them the gap "
            f"is {_four(rest.get(name))}."
        )
    for setback in report["inputs"].get("setbacks", []):
        lines = ", ".join(map(str, setback["lines"]))
        rows = plural(setback["count"], "row")
        yield f"{setback['file']}: {rows} set aside. {setback['reason']} First in line {lines}."


def _estimate(estimate: Json) -> str:
    if estimate["value"] is None or estimate["low"] is None:
        return _four(estimate["value"], 3)
    return f"{estimate['value']:.3f} [{estimate['low']:.3f}, {estimate['high']:.3f}]"


def _range(low: float | None, high: float | None) -> str:
    return NONE if low is None or high is None else f"[{low:.4f}, {high:.4f}]"


def _four(value: float | None, digits: int = 4) -> str:
    return NONE if value is None else f"{value:.{digits}f}"
