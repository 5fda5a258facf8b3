"""An evidence report as text, for the terminal."""

from collections.abc import Iterator, Sequence

from evaluation.spans.evidence.presentation import Contents, EvidenceReport, present_evidence


def write_text(contents: Contents) -> str:
    """A table by attribute, one by entity type, what was left out, and the signature."""
    return "\n".join(_lines(present_evidence(contents)))


def _lines(report: EvidenceReport) -> Iterator[str]:
    yield from (f"{headline.label}: {headline.shown} ({headline.detail})" for headline in report.headlines)
    yield ""
    yield from _align([_heads(report), *_attribute_rows(report)])
    if report.types:
        yield ""
        yield from _align([TYPE_HEADS, *_type_rows(report)])
    if report.left_out:
        yield f"\nLeft out: {'; '.join(report.left_out)}."
    yield f"\n{report.signature}"


TYPE_HEADS = ("Entity type", "Evidence touched", "Masked alone", "Detections", "Touch evidence")


def _heads(report: EvidenceReport) -> list[str]:
    share, *hardness = report.chart.columns
    return ["Attribute", "Evidence", "Full", "Partly", "Left", share, "95 % interval", *hardness]


def _attribute_rows(report: EvidenceReport) -> Iterator[list[str]]:
    for stack in report.chart.stacks:
        share, *hardness = stack.figures
        figures = [share.shown, share.note or "–", *(figure.shown for figure in hardness)]
        yield [stack.label, stack.total, *stack.amounts, *figures]


def _type_rows(report: EvidenceReport) -> Iterator[tuple[str, ...]]:
    for row in report.types:
        yield row.name, row.touched, row.masked.shown, row.detections, row.touching.shown


def _align(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        yield "  ".join([first.ljust(widths[0]), *cells])
