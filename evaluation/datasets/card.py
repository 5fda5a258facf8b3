"""The dataset card: a README.md with the metadata that Hugging Face's `datasets` reads, and what users must know."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from annotator.core.formatting import plural
from evaluation.datasets.parquet import Counts
from profiles.attributes import Attribute

FILES = Path(__file__).with_name("files")
WITH_TEXT = "The texts of the comments are included."
WITH_PROMPTED = (
    "Some labels are **model-prompted**: people had not found them, and confirmed them only after a model had claimed "
    "them. Their `reached` is `model-prompted`, and `prompted_by` names the model. Leave them out when you score that "
    "model."
)
WITHOUT_TEXT = "The texts of the comments and of the evidence are not included."
NO_AGREEMENT = "Not enough profiles were labelled by two people."
AGREEMENT = "Between people, before adjudication, over the whole corpus.\n\n{table}"
FILTERS = ("batch", "attributes", "hardness", "min_certainty", "required_subreddit", "adjudicated_only")


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What a card says about a dataset. Contains no names of people."""

    title: str
    counts: Counts
    manifest: Mapping[str, Any]
    agreement: Sequence[Mapping[str, Any]] = ()  # figures of an agreement report
    has_text: bool = False
    files: Mapping[str, str] = field(default_factory=dict)  # SHA-256 by path


def write_card(facts: CardFacts) -> str:
    profiles = sum(counts["profiles"] for counts in facts.counts.values())
    return (FILES / "card.md").read_text(encoding="utf-8").format(
        quoted_title=_quoted(facts.title),
        title=_one_line(facts.title),
        paths="\n".join(f"  - split: {split}\n    path: data/{split}.parquet" for split in facts.counts),
        profiles=plural(profiles, "profile"),
        text=_about(facts),
        splits=_split_table(facts.counts),
        attributes=_attribute_table(facts.counts),
        agreement=_agreement(facts.agreement),
        provenance=_provenance(facts),
        tasks=(FILES / "tasks.md").read_text(encoding="utf-8") if facts.has_text else "",
    ).rstrip() + "\n"  # fmt: skip


def _about(facts: CardFacts) -> str:
    text = WITH_TEXT if facts.has_text else WITHOUT_TEXT
    return f"{text}\n\n{WITH_PROMPTED}" if facts.manifest["filters"].get("with_prompted") else text


def _quoted(text: str) -> str:
    """A YAML string on one line."""
    plain = "".join(char if char.isprintable() else " " for char in text)
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;").replace("|", "\\|")


def _split_table(counts: Counts) -> str:
    rows = [(split, of_split["profiles"], of_split["comments"]) for split, of_split in counts.items()]
    return _table(("Split", "Profiles", "Comments"), rows)


def _attribute_table(counts: Counts) -> str:
    total: Counter[str] = sum(counts.values(), Counter())
    rows = [(name, total[f"{name} inferred"], total[f"{name} negative"]) for name in Attribute.values]
    return _table(("Attribute", "Inferred", "Negative"), rows)


def _agreement(figures: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        (figure["attribute"], figure["aspect"], figure["measure"], _figure(figure))
        for figure in figures
        if figure["measure"].startswith("alpha") and figure["aspect"] in ("presence", "value")
    ]
    table = _table(("Attribute", "Aspect", "Krippendorff's", "Value, 95 % interval"), rows)
    return AGREEMENT.format(table=table) if rows else NO_AGREEMENT


def _figure(figure: Mapping[str, Any]) -> str:
    value, low, high = (figure.get(name) for name in ("value", "low", "high"))
    if value is None:
        return "not enough data"
    return f"{value:.2f}" if low is None or high is None else f"{value:.2f} [{low:.2f}, {high:.2f}]"


def _provenance(facts: CardFacts) -> str:
    manifest, versions = facts.manifest, facts.manifest["versions"]
    rows = [
        ("Snapshot", manifest["snapshot_at"]),
        ("Telltale", versions["telltale"]),
        ("Guideline versions", ", ".join(map(str, versions["guidelines"])) or "none"),
        ("Consensus rule", manifest["consensus"]["rule"] or "none"),
        ("Filters", _filters(manifest["filters"])),
        *((f"SHA-256 of `{path}`", f"`{digest}`") for path, digest in facts.files.items()),
    ]
    return _table(("What", "Value"), rows)


def _filters(filters: Mapping[str, Any]) -> str:
    chosen = [f"{name}: {filters[name]}" for name in FILTERS if filters[name] not in ("", [], 0, None)]
    return _one_line("; ".join(chosen)) or "none"


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
