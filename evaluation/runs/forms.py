"""What any kind of run takes: its files, and what it may cost when it goes on."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from django import forms

from annotator.core.upload_fields import MultipleFileInput
from annotator.core.uploads import DumpUpload
from evaluation.llm.budget import Limit
from evaluation.models import EvaluationRun

TOO_MANY = "Upload at most {count} files."
TOO_SMALL = "This is less than the earlier budget. Earlier spending counts, so nothing more could be asked."


class UploadedFilesField(forms.FileField):
    """Uploads that a DumpUploadHandler has already written to their folder."""

    def __init__(self, *, at_most: int = 1, **options: Any) -> None:
        super().__init__(widget=MultipleFileInput if at_most > 1 else forms.FileInput, **options)
        self.at_most = at_most

    def clean(self, data: Any, initial: Any = None) -> list[DumpUpload]:
        files = [file for file in (data if isinstance(data, list | tuple) else [data]) if file]
        if len(files) > self.at_most:
            raise forms.ValidationError(TOO_MANY.format(count=self.at_most))
        return [self._clean_file(file) for file in files]

    def _clean_file(self, file: Any) -> DumpUpload:
        super().clean(file)
        if not isinstance(file, DumpUpload):
            raise forms.ValidationError(self.error_messages["invalid"])
        if file.problem:
            raise forms.ValidationError(file.problem)
        return file


def shown_name(name: str | None) -> str:
    """A file name that is safe to show and store: one line, no folders, no characters that Postgres rejects."""
    plain = "".join(character for character in Path(name or "").name if character.isprintable())
    return plain[:200] or "file"


class ContinuationForm(forms.Form):
    """The limit on a run's total cost, including what it has already spent."""

    budget_tokens = forms.IntegerField(
        label="Token budget", min_value=1, max_value=10**12, required=False, help_text="Leave empty for no limit."
    )
    budget_money = forms.DecimalField(
        label="Cost budget", min_value=Decimal("0.01"), max_digits=10, decimal_places=2, required=False,
        help_text="In the endpoint’s currency. Leave empty for no limit.",
    )  # fmt: skip

    def __init__(self, *args: Any, run: EvaluationRun, has_prices: bool, **kwargs: Any) -> None:
        self.before = Limit.of(run.settings["budget"])
        super().__init__(*args, **kwargs)
        self.initial = {"budget_tokens": self.before.tokens, "budget_money": self.before.money}
        if not has_prices:
            del self.fields["budget_money"]

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        for name, before in (("budget_tokens", self.before.tokens), ("budget_money", self.before.money)):
            amount = values.get(name)
            if amount is not None and before is not None and amount < before:
                self.add_error(name, TOO_SMALL)
        return values

    def limit(self) -> Limit:
        return Limit(self.cleaned_data["budget_tokens"], self.cleaned_data.get("budget_money"))
