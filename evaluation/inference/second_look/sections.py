"""The part of an attribute report on a second look: how incomplete the gold was."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotator.core.formatting import number, plural
from evaluation.inference.records import ATTRIBUTES
from evaluation.reports.figures import Figure
from evaluation.reports.tables import Cell, Section, Side, Table, count_cell, percent_cell, points_cell, table

Contents = Mapping[str, Any]

NOTE = (
    "People looked again at what this system claims where they had found nothing, without knowing which claims were "
    "controls: guesses of a baseline. Blind: before they saw the system’s reasons."
)
LIMITS = (
    "What was missing at least is a lower bound: it covers only what this system claims, as far as it was reviewed. It "
    "doesn’t show what no system names, and people may agree with a claim because a machine makes it; the controls "
    "show how far they do."
)
BLIND = "Confirmed blind"
MISSING = "Missing, at least"
WORDS = {"confirm": "confirmed", "reject": "rejected", "open": "left open"}


def second_look_section(measured: Contents | None) -> Section | None:
    """None without a second look, or before the first verdict."""
    if not measured or not (measured["claims"]["reviewed"] or measured["controls"]["reviewed"]):
        return None
    tables = (_verdicts(measured), _attributes(measured), _hardness(measured))
    return Section(
        "second-look", "Second look: how incomplete was the gold", NOTE, tables, side=Side.WIDE,
        remarks=(in_words(measured), *_remarks(measured), LIMITS),
    )  # fmt: skip


def in_words(measured: Contents) -> str:
    """`People confirmed 12 of 40 claims. At least 4.0 % (1.2 % to 7.9 %) of what can be inferred was missing …`"""
    claims = measured["claims"]
    confirmed, reviewed = number(claims["verdicts"]["confirm"]), plural(claims["reviewed"], "claim")
    sentence = f"People confirmed {confirmed} of {reviewed}."
    if not measured["found"]:
        return f"{sentence} They found nothing that was missing from the gold."
    missing = Figure.of(measured["missing_at_least"])
    interval = f" ({missing.percent_interval})" if missing.percent_interval else ""
    return f"{sentence} At least {missing.percent}{interval} of what can be inferred was missing from the gold."


def _verdicts(measured: Contents) -> Table:
    claims, controls = measured["claims"], measured["controls"]
    rows = [
        ("Reviewed", [count_cell(claims["reviewed"]), count_cell(controls["reviewed"]), Cell("")]),
        ("Confirmed", [percent_cell(claims["confirmed"]), percent_cell(controls["confirmed"]), Cell("")]),
        (
            BLIND,
            [
                percent_cell(claims["confirmed_blind"]), percent_cell(controls["confirmed_blind"]),
                points_cell(measured["difference"]),
            ],
        ),
        ("Left open", [percent_cell(claims["left_open"]), count_cell(controls["verdicts"]["open"]), Cell("")]),
    ]  # fmt: skip
    return table("Verdict", ("Claims", "Controls", "Points apart"), rows, main="Confirmed")


def _attributes(measured: Contents) -> Table:
    groups = measured["by_attribute"]
    rows = [
        (
            name.replace("_", " ").capitalize(),
            [
                count_cell(groups[name]["reviewed"]),
                count_cell(groups[name]["verdicts"]["confirm"]),
                percent_cell(groups[name]["confirmed"]),
                percent_cell(groups[name]["missing_at_least"]),
            ],
        )
        for name in ATTRIBUTES
        if name in groups
    ]
    return table("Attribute", ("Claims reviewed", "Confirmed", "Share", MISSING), rows)


def _hardness(measured: Contents) -> Table:
    rows = [
        (
            f"Hardness {step}",
            [count_cell(row["found"]), count_cell(row["gold_values"]), percent_cell(row["missing_at_least"])],
        )
        for step, row in measured["by_hardness"].items()
    ]
    return table("Of answers", ("Found now", "Known before", MISSING), rows)


def _remarks(measured: Contents) -> Iterator[str]:
    drawn = measured["drawn"]
    least = measured["min_confidence"]
    stated = "The run states no confidence, so all claims could be drawn" if least is None else (
        f"Claims with a confidence of {Figure(least).percent} or more could be drawn"
    )  # fmt: skip
    yield (
        f"{stated}: {number(drawn['claims'])} of {number(drawn['eligible'])} were, with "
        f"{plural(drawn['controls'], 'control')} by {measured['controls']['baseline']}."
    )
    yield from _extrapolated(measured.get("extrapolated"))
    if measured["closed"]:
        verb = "was" if measured["closed"] == 1 else "were"
        yield f"{plural(measured['closed'], 'claim')} {verb} closed, because the gold changed before the last verdict."
    if confirmed := measured["controls"]["verdicts"]["confirm"]:
        verb = "is a find" if confirmed == 1 else "are finds"
        yield f"{plural(confirmed, 'confirmed control')} {verb} too, stored with the baseline as prompter."
    yield from _changes(measured)


def _extrapolated(estimate: Contents | None) -> Iterator[str]:
    """An estimate of the claims that nobody has reviewed, if there are any."""
    if not estimate or estimate["confirmed"]["low"] == estimate["confirmed"]["high"]:
        return
    value, low, high = (f"{estimate['confirmed'][name]:.0f}" for name in ("value", "low", "high"))
    missing = Figure.of(estimate["missing"])
    left_out = estimate["left_out"]
    rest = f", without {plural(left_out, 'claim')} about attributes of which none was reviewed" if left_out else ""
    yield (
        f"Estimate for all claims that could be drawn: people would confirm {value} ({low} to {high}) of "
        f"{number(estimate['eligible'])}{rest}. Then {missing.percent} ({missing.percent_interval}) of what people and "
        "this system find was missing from the gold."
    )


def _changes(measured: Contents) -> Iterator[str]:
    changes = measured["claims"]["changed"]
    if not changes:
        yield "The system’s reasons changed no verdict on its claims."
        return
    parts = [
        f"{number(count)} from {WORDS[before]} to {WORDS[after]}"
        for (before, after), count in sorted((tuple(key.split(">")), count) for key, count in changes.items())
    ]
    total = plural(sum(changes.values()), "verdict")
    yield f"The system’s reasons changed {total} on its claims: {', '.join(parts)}."
