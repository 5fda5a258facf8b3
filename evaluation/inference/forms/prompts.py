"""The words of a prompt."""

from typing import Any

from django import forms

from evaluation.inference.parser.names import attribute_named
from evaluation.inference.prompts import Prompt, missing_placeholders
from profiles.attributes import Attribute

MISSING_PLACEHOLDER = "{placeholder} must appear here exactly once. It is filled in when a model is asked."
UNREADABLE_NAME = "Answers under the name “{name}” can't be matched to this attribute. Use another name."


class PromptForm(forms.Form):
    """A version of the prompt. Every attribute has a name that the model reads, and what it may answer."""

    system = forms.CharField(label="System message", max_length=5000, widget=forms.Textarea({"rows": 3}))
    header = forms.CharField(
        label="Before the comments", max_length=10_000, widget=forms.Textarea({"rows": 6}), strip=False,
        help_text="{attributes} is replaced with the attribute names.",
    )  # fmt: skip
    footer = forms.CharField(
        label="After the comments", max_length=10_000, widget=forms.Textarea({"rows": 14}), strip=False,
        help_text="{details} is replaced with a list of the attributes and their possible answers.",
    )  # fmt: skip

    def __init__(self, *args: Any, prompt: Prompt, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial = _prompt_initial(prompt)
        for attribute in Attribute:
            self.fields[f"name_{attribute}"] = forms.CharField(label=f"{attribute.label}: name", max_length=120)
            self.fields[f"values_{attribute}"] = forms.CharField(label="Possible answers", max_length=500)

    @property
    def pairs(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return [(self[f"name_{attribute}"], self[f"values_{attribute}"]) for attribute in Attribute]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        for part, placeholder in missing_placeholders(values).items():
            if part not in self.errors:
                self.add_error(part, MISSING_PLACEHOLDER.format(placeholder=placeholder))
        for attribute in Attribute:
            name = values.get(f"name_{attribute}", "")
            if name and attribute_named(name) != attribute:
                self.add_error(f"name_{attribute}", UNREADABLE_NAME.format(name=name))
        return values

    def contents(self) -> dict[str, Any]:
        values = self.cleaned_data
        spoken = {
            attribute.value: [values[f"name_{attribute}"], values[f"values_{attribute}"]] for attribute in Attribute
        }
        parts = {part: values[part].replace("\r\n", "\n") for part in ("system", "header", "footer")}
        return parts | {"attributes": spoken}


def _prompt_initial(prompt: Prompt) -> dict[str, str]:
    parts = {"system": prompt.system, "header": prompt.header, "footer": prompt.footer}
    names = {f"name_{attribute}": title for attribute, (title, _) in prompt.attributes.items()}
    return parts | names | {f"values_{attribute}": allowed for attribute, (_, allowed) in prompt.attributes.items()}
