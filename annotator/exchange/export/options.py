"""The options of an export. Pure; stored as JSON, from which the export can be repeated."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from annotator.models import Format
from profiles.attributes import Attribute

ENDINGS = {Format.CSV: ".csv", Format.DATASET: ".zip"}  # all others are JSON lines


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """Format, filters and contents; an empty filter matches everything."""

    format: Format = Format.NATIVE
    batch: str = ""
    attributes: tuple[str, ...] = ()
    hardness: tuple[int, ...] = ()
    min_certainty: int = 0
    required_subreddit: bool | None = None
    adjudicated_only: bool = False
    with_text: bool = False
    with_names: bool = False
    with_prompted: bool = False  # answers that people confirmed after a model had claimed them
    per_reviewer: bool = False  # llmprivacy only: a file per reviewer instead of the consensus

    def __post_init__(self) -> None:
        if self.with_names and self.format is Format.DATASET:
            raise ValueError("A dataset folder never contains account names, so that it can be passed on.")
        if self.per_reviewer and self.format is not Format.LLMPRIVACY:
            raise ValueError("Only the llmprivacy format can have one file per reviewer.")
        if self.per_reviewer and (self.filters_gold or self.with_prompted):
            raise ValueError(
                "Files per reviewer contain judgements, not gold. Leave out the filters hardness, certainty, "
                "required subreddit and adjudicated, and model-prompted answers."
            )

    @property
    def filters_gold(self) -> bool:
        """True if a filter is about the gold record itself."""
        return bool(self.hardness or self.min_certainty or self.adjudicated_only) or self.required_subreddit is not None

    @property
    def leaves_out(self) -> bool:
        """True if any filter is set, so that gold records may be left out."""
        return self.filters_gold or bool(self.attributes or self.batch)

    @property
    def ending(self) -> str:
        return ".zip" if self.per_reviewer else ENDINGS.get(self.format, ".jsonl")

    def keeps(self, attribute: str) -> bool:
        return not self.attributes or attribute in self.attributes

    def to_json(self) -> dict[str, Any]:
        """`with_prompted` is there only if it is set, so that manifests without it stay as they were."""
        contents = asdict(self) | {"attributes": list(self.attributes), "hardness": list(self.hardness)}
        return {name: value for name, value in contents.items() if name != "with_prompted" or value}

    @classmethod
    def from_json(cls, contents: Mapping[str, Any]) -> "ExportOptions":
        lists = {"attributes": tuple(contents["attributes"]), "hardness": tuple(contents["hardness"])}
        return cls(**{**contents, **lists, "format": Format(contents["format"])})

    @property
    def description(self) -> list[tuple[str, str]]:
        """The options that are set, as pairs of name and value."""
        fields = {
            "Batch": self.batch,
            "Attributes": ", ".join(Attribute(name).label for name in self.attributes),
            "Hardness": ", ".join(map(str, self.hardness)),
            "Certainty": f"{self.min_certainty} or more" if self.min_certainty else "",
            "Required subreddit": {True: "yes", False: "no", None: ""}[self.required_subreddit],
            "Decided by": "an adjudicator only" if self.adjudicated_only else "",
            "Text": "with texts, notes and reasons" if self.with_text else "without texts, notes and reasons",
            "Names": "account names and Reddit’s ids" if self.with_names else "pseudonyms and numbered comments",
            "Model-prompted answers": "included" if self.with_prompted else "",
            "Reviewers": "one file each" if self.per_reviewer else "",
        }
        return [(name, value) for name, value in fields.items() if value]
