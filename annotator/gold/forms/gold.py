"""Filters of the gold pages, and the targets."""

from collections.abc import Mapping
from typing import Any

from django import forms

from annotator.gold.targets import CELLS, HARDNESS, MAX_TARGET, Cell, targets_digest
from annotator.models import Reached
from profiles.attributes import Attribute

ANY = ("", "any")
STEPS = [(str(step), str(step)) for step in range(1, 6)]


class AttributeForm(forms.Form):
    attribute = forms.ChoiceField(choices=[("", "All attributes"), *Attribute.choices], required=False)


class RecordsForm(forms.Form):
    """Filters of the list of records. 0 selects records without a value."""

    attribute = forms.ChoiceField(choices=[ANY, *Attribute.choices], required=False)
    hardness = forms.TypedChoiceField(choices=[ANY, ("0", "nothing to find"), *STEPS], coerce=int, required=False)
    certainty = forms.TypedChoiceField(choices=[ANY, ("0", "nothing inferred"), *STEPS], coerce=int, required=False)
    reached = forms.ChoiceField(choices=[ANY, *Reached.choices], required=False, label="Source")
    required_subreddit = forms.TypedChoiceField(
        choices=[ANY, ("1", "required"), ("0", "not required")], coerce=lambda choice: choice == "1", required=False,
        label="Subreddit", empty_value=None,
    )  # fmt: skip


class TargetsForm(forms.Form):
    """One number per attribute and hardness; empty and 0 mean no target. `state` is the digest it was based on."""

    state = forms.CharField(widget=forms.HiddenInput, max_length=16)

    def __init__(self, *args: Any, targets: Mapping[Cell, int], **kwargs: Any) -> None:
        self._saved, self._is_outdated = targets, False
        now = {field_name(cell): targets.get(cell) or None for cell in CELLS}
        super().__init__(*args, **(kwargs | {"initial": now | {"state": targets_digest(targets)}}))
        for attribute, hardness in CELLS:
            self.fields[field_name((attribute, hardness))] = forms.IntegerField(
                label=f"{Attribute(attribute).label}, hardness {hardness}",
                min_value=0,
                max_value=MAX_TARGET,
                required=False,
            )  # fmt: skip

    @property
    def rows(self) -> list[tuple[str, list[tuple[forms.BoundField, str]]]]:
        """Rows by attribute. A field that somebody else changed meanwhile has a note with the saved number."""
        return [(a.label, [self._field_and_note((a.value, hardness)) for hardness in HARDNESS]) for a in Attribute]

    def _field_and_note(self, cell: Cell) -> tuple[forms.BoundField, str]:
        field, now = self[field_name(cell)], self._saved.get(cell, 0)
        is_other = self._is_outdated and self.cleaned_data.get(field.name) != (now or None)
        return field, f"saved now: {now}" if is_other else ""

    @property
    def targets(self) -> dict[Cell, int]:
        return {cell: self.cleaned_data[field_name(cell)] for cell in CELLS if self.cleaned_data[field_name(cell)]}

    def rebase_on(self, targets: Mapping[Cell, int]) -> None:
        """Keep the input, so that saving again replaces these targets."""
        self._saved, self._is_outdated = targets, True
        self.data = {name: self.data.get(name) for name in self.data} | {"state": targets_digest(targets)}


def field_name(cell: Cell) -> str:
    return f"{cell[0]}-{cell[1]}"
