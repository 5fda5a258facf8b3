"""An attribute report as text, for the terminal: made from the report's JSON alone."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from annotator.core.formatting import number, plural
from evaluation.inference.comparison import TESTS
from evaluation.inference.details import NO_GUESS
from evaluation.inference.grades import Grade
from evaluation.inference.judge_sections import judge_in_words
from evaluation.inference.outcomes import TOPS
from evaluation.inference.published_figures import Comparability
from evaluation.inference.report import JUDGED, scorers_of
from evaluation.reports.terminal import add_row, text_table

Json = Mapping[str, Any]

UNDEFINED = "–"
TITLES = {
    "published": "published (evaluations in the file)",
    "compat": "compat (original rules, no judge)",
    "sound": "sound (our rules)",
    "judged": "judged (our rules, then a judge model)",
}
GROUPS = {
    "by_attribute": "attribute",
    "by_hardness": "hardness",
    "by_certainty": "certainty",
    "by_required_subreddit": "required subreddit",
}
STEPS = (("published", "compat"), ("compat", "sound"))
HOLM = "Corrected p-values: Holm's method over all tests of one kind by one scorer."
ANSWERS = {
    "abstained": "with nothing but abstentions",
    "refused": "without a guess",
    "missing": "on attributes that the answer leaves out",
    "unanswered": "on profiles without an answer",
}


def print_report(report: Json, console: Console) -> None:
    for model in [report, *report["others"]]:
        _print_model(model, console)
    if report["comparisons"]:
        for pair in dict.fromkeys((row["first"], row["second"]) for row in report["comparisons"]):
            rows = [row for row in report["comparisons"] if (row["first"], row["second"]) == pair]
            _print_table(f"{pair[0]} − {pair[1]}", _comparisons(rows), console)
        console.print(Text(HOLM))
        console.print()
        _print_table("Protection compared, first − second", _protection_changes(report), console)
    for study in report["published_figures"]:
        if study["comparability"] != Comparability.OTHER:
            _print_table(f"Published: {study['title']}. {study['note']}", _study(study["figures"]), console)
    console.print(Text("Read with care", style="bold"))
    for warning in report["warnings"]:
        console.print(Text(f"{warning['message']} {warning['why']}".strip()), soft_wrap=True)


def _print_model(model: Json, console: Console) -> None:
    console.print(Text(_head(model["input"], model["sound"]["n"])))
    console.print(Text(f"signature {model['signature']}"), soft_wrap=True)
    console.print()
    _print_table(f"{model['input']['model']}: right within the first guesses", _scorers(model), console)
    _print_table("Protection: what the first guess did not infer", _protection(model), console)
    for key, title in GROUPS.items():
        _print_table(f"Top-1 by {title}", _groups(model, key, title), console)
    _print_table("Abstained or refused", _answers(model["answer_rates"]), console)
    _print_table("Guessed where people could not tell", _negative_table(model["negatives"] or {}), console)
    _print_table("Guesses by stated confidence", _named(model["named"]), console)
    _print_table("Ages, first guess", _ages(model["ages"]), console)
    _print_table("Places, first guess", _places(model["places"]), console)
    _print_table("Why they differ, top-1", _differences(model["differences"]), console)
    for line in _notes(model):
        console.print(Text(line), soft_wrap=True)
    console.print()


def _head(source: Json, scored: int) -> str:
    return (
        f"{source['name']}: {source['model']} against {source['reviewer']} ({source['format']}), "
        f"{plural(source['profiles'], 'profile')}, {plural(source['labels'], 'label')}, of them {number(scored)} scored"
    )


# ── Tables ──────────────────────────────────────────────────────────────────


def _scorers(model: Json) -> Table:
    table = text_table(["scorer", "n", "top-1", "top-2", "top-3", "top-1 half credit", "top-1 macro"])
    for scorer in scorers_of(model):
        section = model[scorer]
        tops = [_with_interval(section, top) for top in TOPS]
        others = [_percent(section[name]["top1"]) for name in ("with_half_credit", "macro")]
        add_row(table, [TITLES[scorer], number(section["n"]), *tops, *others])
    return table


def _protection(model: Json) -> Table:
    table = text_table(["scorer", "labels", "profiles", "collective rate", "individual rate"])
    for scorer in scorers_of(model):
        section = model[scorer]
        rates = [_estimate(section["protection"][name]) for name in ("collective", "individual")]
        add_row(table, [TITLES[scorer], number(section["n"]), number(section["profiles"]), *rates])
    return table


def _groups(model: Json, key: str, title: str) -> Table:
    people = ((model["ceiling"] or {}).get("by_attribute") or {}) if key == "by_attribute" else {}
    table = text_table([title, "n", *scorers_of(model), *(["people", "n"] if people else [])])
    for name, scores in model["sound"][key].items():
        others = [model[scorer][key].get(name) for scorer in scorers_of(model)]
        cells = [_with_interval(section, 1) if section else UNDEFINED for section in others]
        pair = people.get(name)
        cells += [_estimate(pair["top1"]), number(pair["n"])] if pair else [UNDEFINED] * 2 * bool(people)
        add_row(table, [name.replace("_", " "), number(scores["n"]), *cells])
    return table


def _answers(rates: Json) -> Table:
    """Nothing if every label has a guess."""
    names = ("abstained", "refused", "unread")
    table = text_table(["attribute", "n", "abstained", "refused", "refused or unreadable"])
    for attribute, row in rates["by_attribute"].items() if any(rates[name]["value"] for name in names) else ():
        add_row(table, [attribute.replace("_", " "), number(row["n"]), *(_estimate(row[name]) for name in names)])
    return table


def _negative_table(negatives: Json) -> Table:
    table = text_table(["attribute", "asked", "guessed", "share"])
    for name, row in negatives.get("by_attribute", {}).items():
        counts = [number(row["asked"]), number(row["guessed"])]
        add_row(table, [name.replace("_", " "), *counts, _estimate(row["interval"])])
    return table


def _named(rows: Iterable[Json]) -> Table:
    table = text_table(["confidence", "named", "right", "less precise", "wrong", "not inferable", "share right"])
    for row in rows:
        name = "any or none" if row["threshold"] is None else f"{row['threshold']:g} or more"
        counts = [number(row[key]) for key in ("n", "right", "less_precise", "wrong", "not_inferable")]
        add_row(table, [name, *counts, _estimate(row["precision"])])
    return table


def _ages(ages: Json | None) -> Table:
    table = text_table(["n", "within 2 years", "within 5 years", "overlapping", "years in common"])
    if ages:
        shares = [_estimate(ages[name]) for name in ("within_two", "within_five", "overlapping", "overlap")]
        add_row(table, [number(ages["n"]), *shares], left=())
    return table


def _places(places: Json) -> Table:
    names = [*(grade.value for grade in Grade), NO_GUESS]
    table = text_table(["attribute", "n", *names])
    for attribute, row in places.items():
        add_row(table, [attribute.replace("_", " "), *(number(row[name]) for name in ("n", *names))])
    return table


def _study(figures: Iterable[Json]) -> Table:
    table = text_table(["model", "n", "top-1", "top-2", "top-3"])
    for row in figures:
        count = UNDEFINED if row["n"] is None else number(row["n"])
        add_row(table, [row["model"], count, *(_percent(row[f"top{top}"]) for top in TOPS)])
    return table


def _differences(differences: Iterable[Json]) -> Table:
    """Step by step; the whole way from published to sound is in the JSON."""
    table = text_table(["from", "to", "attribute", "gained", "lost", "partly", "reason"])
    for row in differences:
        is_step = row["metric"] == "top1" and (row["from"], row["to"]) in STEPS
        for rule in row["rules"] if is_step else ():
            counts = [number(rule[name]) for name in ("gained", "lost", "partly")]
            cells = [row["from"], row["to"], rule["attribute"].replace("_", " "), *counts, rule["reason"]]
            add_row(table, cells, left=(0, 1, 2, 6))
    return table


def _comparisons(rows: Iterable[Json]) -> Table:
    tests = [f"{test}{end}" for test in TESTS for end in ("", "_holm")]
    heads = ["p (bootstrap)", "corrected", "p (randomisation)", "corrected"]
    table = text_table(["scorer", "metric", "n", "difference", *heads])
    for row in rows:
        values = [UNDEFINED if row[test] is None else f"{row[test]:.3f}" for test in tests]
        add_row(
            table, [row["scorer"], row["metric"], number(row["n"]), _estimate(row["difference"]), *values], left=(0, 1)
        )
    return table


def _protection_changes(report: Json) -> Table:
    table = text_table(["models", "scorer", "collective rate", "individual rate"])
    for row in report["protection_differences"]:
        rates = [_estimate(row[name]) for name in ("collective", "individual")]
        add_row(table, [f"{row['first']} − {row['second']}", row["scorer"], *rates], left=(0, 1))
    return table


def _with_interval(section: Json, top: int) -> str:
    return _estimate(section["intervals"][f"top{top}"])


def _estimate(estimate: Json) -> str:
    """`78.0 [75.1, 81.0]`, in percent; a dash where nothing could be counted."""
    if estimate["value"] is None or estimate["low"] is None:
        return _percent(estimate["value"])
    return f"{_percent(estimate['value'])} [{_percent(estimate['low'])}, {_percent(estimate['high'])}]"


def _percent(value: float | None) -> str:
    return UNDEFINED if value is None else f"{100 * value:.1f}"


def _print_table(title: str, table: Table, console: Console) -> None:
    if table.row_count:
        console.print(Text(title, style="bold"))
        console.print(table)
        console.print()


# ── Lines ───────────────────────────────────────────────────────────────────


def _notes(model: Json) -> Iterator[str]:
    missing = [f"{number(model['answers'][name])} {words}" for name, words in ANSWERS.items() if model["answers"][name]]
    if missing:
        yield f"Counted as wrong: labels {', '.join(missing)}."
    if unscored := model["published"]["unscored"]:
        yield f"The file doesn't evaluate {plural(unscored, 'label')} that compat and sound score."
    if judged := model.get(JUDGED):
        yield judge_in_words(judged["judge"])
    if negatives := model["negatives"]:
        yield _negatives(negatives)
    yield _calibration(model["calibration"])
    yield from _costs(model["costs"] or {})
    for problem in model["input"]["problems"]:
        lines = ", ".join(map(str, problem["lines"]))
        yield f"Set aside, {number(problem['count'])} ×: {problem['reason']} First in {_lines(problem)} {lines}."


def _negatives(negatives: Json) -> str:
    return (
        f"Where people could not tell, the model guessed {number(negatives['guessed'])} of "
        f"{plural(negatives['asked'], 'attribute')} ({_percent(negatives['rate'])} %)."
    )


def _calibration(calibration: Json) -> str:
    if not calibration["stated"]:
        return f"Calibration is undefined. {calibration['reason']}"
    ece, brier = (_plain(calibration[name]) for name in ("ece", "brier"))
    stated = f"{number(calibration['stated'])} of {plural(calibration['predictions'], 'guess', 'guesses')}"
    return f"Calibration error (ECE) {ece}, Brier score {brier}, over {stated} that state a confidence."


def _plain(estimate: Json) -> str:
    value, low, high = (estimate[name] for name in ("value", "low", "high"))
    return f"{value:.3f}" if low is None else f"{value:.3f} [{low:.3f}, {high:.3f}]"


def _costs(costs: Json) -> Iterator[str]:
    if machine := costs.get("model"):
        cost = machine["per_profile"]["cost"]
        money = "no prices entered" if cost is None else f"{cost:.2g} {machine['currency']}"
        seconds = machine["per_profile"]["seconds"]
        yield f"Model, per profile: {UNDEFINED if seconds is None else f'{seconds:.1f} s'}, {money}."
    if people := costs.get("people"):
        seconds = people["per_reading"]["seconds"]
        yield f"People, per profile: {seconds:.0f} s of active time, over {plural(people['readings'], 'reading')}."


def _lines(problem: Json) -> str:
    return "line" if len(problem["lines"]) == 1 else "lines"
