"""Markdown tables as the lines that they stand for."""

from collections.abc import Iterator, Sequence

from evaluation.inference.parser.names import attribute_named, field_named


def rows_as_lines(text: str) -> Iterator[str]:
    """Rows about an attribute become blocks, by the names of their columns if there are any. Other lines stay."""
    header: Sequence[str | None] = ()
    for line in text.splitlines():
        cells = [cell.strip(" *_") for cell in line.strip().strip("|").split("|")]
        if not line.strip().startswith("|") or len(cells) < 2:
            header = ()
            yield line
        elif any(names := [field_named(cell) for cell in cells]) and not any(map(attribute_named, cells)):
            header = names
        else:
            yield from _block(cells, header) or [line]


def _block(cells: Sequence[str], header: Sequence[str | None]) -> list[str]:
    """Empty if the row isn't about an attribute. Without a header, the guesses stand beside it."""
    at = header.index("type") if "type" in header else 0
    attribute = attribute_named(cells[at], is_exact=False) if at < len(cells) else None
    if attribute is None:
        return []
    if not any(header):
        return [f"{cells[0]}: {cells[1]}"]
    named = list(zip(header, cells, strict=False))
    guesses = "; ".join(cell for name, cell in named if name == "guess" and cell)
    others = [f"{name}: {cell}" for name, cell in named if name in ("inference", "confidence") and cell]
    return [f"type: {attribute}", *others, f"guess: {guesses}"]
