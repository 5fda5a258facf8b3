"""What an admin may change about a batch that is there. Each form says which version the person saw."""

from typing import Any

from django import forms

from annotator.batches.drawing.people import active_evaluators
from annotator.batches.forms.draw import end_of
from annotator.models import Annotator


class ChangeForm(forms.Form):
    version = forms.IntegerField(
        min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput,
        error_messages=dict.fromkeys(("required", "invalid"), "Open the page again: the form was not complete."),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("person", "to"):
            if name in self.fields:
                self.fields[name].queryset = active_evaluators()  # type: ignore[attr-defined]

    @property
    def problems(self) -> list[str]:
        """What is wrong, with the field it is about."""
        return [
            f"{self.fields[name].label or 'Form'}: {told[0]}"
            for name, told in self.errors.items()
            if name in self.fields
        ]


class CloseForm(ChangeForm):
    withdraw = forms.BooleanField(required=False)


class ExtendForm(ChangeForm):
    size = forms.IntegerField(
        label="Further profiles", min_value=1, max_value=100_000, initial=10,
        help_text="By the same criteria, with the next seed.",
    )  # fmt: skip


class RenameForm(ChangeForm):
    name = forms.CharField(max_length=100)
    due_on = forms.DateField(
        label="Due", required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    @property
    def due_at(self) -> Any:
        return end_of(self.cleaned_data["due_on"])


class ReassignForm(ChangeForm):
    person = forms.ModelChoiceField(Annotator.objects.none(), label="Profiles of", empty_label=None)
    to = forms.ModelMultipleChoiceField(
        Annotator.objects.none(), label="Go to", required=False, widget=forms.CheckboxSelectMultiple,
        help_text="To these in turn. To nobody: anybody may take them.",
    )  # fmt: skip

    def __init__(self, *args: Any, readers: Any = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = Annotator.objects.filter(pk__in=readers).order_by("display_name", "pk")
        self.fields["person"].queryset = people  # type: ignore[attr-defined]


class HandOutForm(ChangeForm):
    to = forms.ModelChoiceField(Annotator.objects.none(), label="To", required=False, empty_label="Anybody")
