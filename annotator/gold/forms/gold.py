"""What may be asked of the gold set, and the targets that an admin may set."""

from collections.abc import Mapping
from typing import Any

from django import forms

from annotator.gold.targets import CELLS, HARDNESS, MOST, Cell, state_of
from annotator.models import Reached
from profiles.attributes import Attribute

ANY = ("", "any")
STEPS = [(str(step), str(step)) for step in range(1, 6)]


class AttributeForm(forms.Form):
    attribute = forms.ChoiceField(choices=[("", "All attributes"), *Attribute.choices], required=False)


class RecordsForm(forms.Form):
    """Which records to list. A step of 0 means that nothing could be inferred."""

    attribute = forms.ChoiceField(choices=[ANY, *Attribute.choices], required=False)
    hardness = forms.TypedChoiceField(choices=[ANY, ("0", "nothing to find"), *STEPS], coerce=int, required=False)
    certainty = forms.TypedChoiceField(choices=[ANY, ("0", "nothing inferred"), *STEPS], coerce=int, required=False)
    reached = forms.ChoiceField(choices=[ANY, *Reached.choices], required=False, label="How reached")
    required_subreddit = forms.TypedChoiceField(
        choices=[ANY, ("1", "required"), ("0", "not required")], coerce=lambda told: told == "1", required=False,
        label="Subreddit", empty_value=None,
    )  # fmt: skip


class TargetsForm(forms.Form):
    """Forty small numbers; none and 0 mean that nothing is wanted. `state` is what they were filled in upon."""

    state = forms.CharField(widget=forms.HiddenInput, max_length=16)

    def __init__(self, *args: Any, wanted: Mapping[Cell, int], **kwargs: Any) -> None:
        self._saved, self._is_overtaken = wanted, False
        now = {name_of(cell): wanted.get(cell) or None for cell in CELLS}
        super().__init__(*args, **(kwargs | {"initial": now | {"state": state_of(wanted)}}))
        for attribute, hardness in CELLS:
            self.fields[name_of((attribute, hardness))] = forms.IntegerField(
                label=f"{Attribute(attribute).label}, hardness {hardness}", min_value=0, max_value=MOST, required=False
            )

    @property
    def rows(self) -> list[tuple[str, list[tuple[forms.BoundField, str]]]]:
        """One row for each attribute; beside a number what is saved now, where somebody else was faster."""
        return [(a.label, [self._beside((a.value, hardness)) for hardness in HARDNESS]) for a in Attribute]

    def _beside(self, cell: Cell) -> tuple[forms.BoundField, str]:
        field, now = self[name_of(cell)], self._saved.get(cell, 0)
        is_other = self._is_overtaken and self.cleaned_data.get(field.name) != (now or None)
        return field, f"saved now: {now}" if is_other else ""

    @property
    def wanted(self) -> dict[Cell, int]:
        return {cell: self.cleaned_data[name_of(cell)] for cell in CELLS if self.cleaned_data[name_of(cell)]}

    def begin_again_from(self, wanted: Mapping[Cell, int]) -> None:
        """What was typed stays; saved once more, it replaces this state."""
        self._saved, self._is_overtaken = wanted, True
        self.data = {name: self.data.get(name) for name in self.data} | {"state": state_of(wanted)}


def name_of(cell: Cell) -> str:
    return f"{cell[0]}-{cell[1]}"
