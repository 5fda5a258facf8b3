"""Forms for exports and imports of labels."""

from pathlib import Path
from typing import Any

from django import forms

from annotator.core.upload_fields import DumpUploadsField
from annotator.core.uploads import DumpUpload
from annotator.exchange.export.options import ExportOptions
from annotator.models import Annotator, Batch, Format, Role
from profiles.attributes import Attribute
from profiles.models import Corpus

FILE_ENDINGS = (".jsonl", ".ndjson", ".json")
WRONG_FILE_NAME = f"Choose a file whose name ends in {', '.join(FILE_ENDINGS)}."
REASON_REQUIRED = "Say why you need account names and ids."
OTHER_CORPUS = "This batch belongs to another corpus."
RATINGS = [(str(n), str(n)) for n in range(6)]
FORMAT_HELP = {
    Format.NATIVE: "one profile per line; can be imported again",
    Format.LLMPRIVACY: "for the original study's scripts",
    Format.SYNTHPAI: "for SynthPAI's scripts",
    Format.SPANS: "evidence and detections, one comment per line",
    Format.CSV: "gold records for a spreadsheet",
    Format.DATASET: "for Hugging Face’s datasets, with a card; with texts, also tasks for two harnesses",
}


class _BatchField(forms.ModelChoiceField):  # type: ignore[type-arg]  # generic for the type checker only
    def label_from_instance(self, batch: Any) -> str:
        return f"{batch.corpus.name}: {batch.name}"


class ExportForm(forms.Form):
    corpus = forms.ModelChoiceField(Corpus.objects.none(), empty_label=None)
    format = forms.ChoiceField(
        choices=[(choice.value, f"{choice.label}: {FORMAT_HELP[choice]}") for choice in Format],
        initial=Format.NATIVE,
        widget=forms.RadioSelect,
    )
    batch = _BatchField(Batch.objects.none(), required=False, empty_label="All batches")
    attributes = forms.MultipleChoiceField(
        required=False, choices=Attribute.choices, widget=forms.CheckboxSelectMultiple, help_text="Leave empty for all."
    )
    hardness = forms.MultipleChoiceField(
        required=False,
        choices=RATINGS,
        widget=forms.CheckboxSelectMultiple,
        help_text="Leave empty for all. 0 means “nothing to infer”.",
    )
    min_certainty = forms.TypedChoiceField(label="Minimum certainty", choices=RATINGS, coerce=int, initial="0")
    required_subreddit = forms.ChoiceField(
        label="Required subreddit", required=False, choices=[("", "Either"), ("yes", "Yes"), ("no", "No")]
    )
    adjudicated_only = forms.BooleanField(label="Only adjudicated records", required=False)
    per_reviewer = forms.BooleanField(
        label="One file per reviewer", required=False, help_text="llmprivacy only. Otherwise one consensus file."
    )
    with_text = forms.BooleanField(
        label="Include texts", required=False, help_text="The text of comments, evidence, notes and reasons."
    )
    with_prompted = forms.BooleanField(
        label="Include model-prompted answers", required=False,
        help_text="What people confirmed in a second look, after a model had claimed it. Marked in the file.",
    )  # fmt: skip
    with_names = forms.BooleanField(label="Include account names and Reddit comment ids", required=False)
    reason = forms.CharField(
        label="Why do you need them?",
        required=False,
        max_length=200,
        help_text="Recorded in the audit log with your name.",
    )

    def __init__(self, *args: Any, by: Annotator, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["corpus"].queryset = Corpus.objects.ready().order_by("name")  # type: ignore[attr-defined]
        batches = Batch.objects.started().filter(is_practice=False).select_related("corpus")
        self.fields["batch"].queryset = batches.order_by("corpus__name", "name")  # type: ignore[attr-defined]
        if not by.has_role(Role.ADMIN):
            del self.fields["with_names"], self.fields["reason"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        batch = cleaned.get("batch")
        if batch and batch.corpus_id != getattr(cleaned.get("corpus"), "pk", None):
            self.add_error("batch", OTHER_CORPUS)
        if cleaned.get("with_names") and not cleaned.get("reason"):
            self.add_error("reason", REASON_REQUIRED)
        if not self.errors:
            self._set_options(cleaned)
        return cleaned

    def _set_options(self, cleaned: dict[str, Any]) -> None:
        try:
            self.options = ExportOptions(
                format=Format(cleaned["format"]),
                batch=cleaned["batch"].name if cleaned["batch"] else "",
                attributes=tuple(name for name in Attribute.values if name in cleaned["attributes"]),
                hardness=tuple(sorted(int(step) for step in cleaned["hardness"])),
                min_certainty=cleaned["min_certainty"],
                required_subreddit={"yes": True, "no": False}.get(cleaned["required_subreddit"]),
                adjudicated_only=cleaned["adjudicated_only"],
                with_text=cleaned["with_text"],
                with_prompted=cleaned["with_prompted"],
                with_names=cleaned.get("with_names", False),
                per_reviewer=cleaned["per_reviewer"],
            )
        except ValueError as error:
            self.add_error("per_reviewer" if cleaned["per_reviewer"] else "with_names", str(error))


class LinesField(DumpUploadsField):
    """A single file of JSON lines."""

    def _clean_file(self, file: DumpUpload) -> DumpUpload:
        forms.FileField.clean(self, file)
        if file.problem:
            raise forms.ValidationError(file.problem)
        if not (file.name or "").lower().endswith(FILE_ENDINGS):
            raise forms.ValidationError(WRONG_FILE_NAME)
        return file

    def clean(self, data: Any, initial: Any = None) -> list[DumpUpload]:
        files = super().clean(data, initial)
        if len(files) != 1:
            raise forms.ValidationError("Choose one file.")
        return files


class LabelImportForm(forms.Form):
    format = forms.ChoiceField(
        choices=[(choice.value, choice.label) for choice in (Format.SYNTHPAI, Format.LLMPRIVACY, Format.NATIVE)],
        widget=forms.RadioSelect,
        error_messages={"required": "Choose a format."},
    )
    name = forms.CharField(
        label="Corpus",
        max_length=100,
        help_text="A new name creates a corpus; an existing name adds to that corpus.",
    )
    uploads = LinesField(
        label="File", required=False, widget=forms.FileInput(attrs={"accept": ",".join(FILE_ENDINGS), "required": True})
    )

    is_dry_run = forms.BooleanField(
        label="Only check the file",
        required=False,
        help_text="Shows what would be imported and what would be set aside, with examples. Saves nothing.",
    )

    def keep_file(self) -> Path:
        """Keep the upload and return its path."""
        upload: DumpUpload = self.cleaned_data["uploads"][0]
        return upload.keep()
