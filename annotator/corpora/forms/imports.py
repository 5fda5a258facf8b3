"""Forms that start an import: which files, into which corpus, by which rules."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from annotator.core.dump_folders import DumpListing, ListedDump, list_dumps
from annotator.core.upload_fields import DumpPathsField, DumpUploadsField
from annotator.core.uploads import DumpUpload
from annotator.corpora.forms.rules import RulesForm
from profiles.ingest.sources import ENDINGS
from profiles.models import Corpus

NO_FILE = "Choose at least one file, from the list or from your computer."
NAME_TAKEN = (
    "A corpus with this name already exists. Open it and press “Add files” to add to it, or choose another name."
)
UPLOAD_AGAIN = "The files you chose to upload were not kept. Choose them again."


@dataclass(frozen=True, slots=True)
class DumpChoice:
    dump: ListedDump
    is_chosen: bool


class FilesForm(forms.Form):
    """More files for a corpus whose rules are fixed."""

    picked = DumpPathsField(label="On the server", required=False)
    uploads = DumpUploadsField(
        label="From your computer",
        required=False,
        widget=DumpUploadsField.widget(attrs={"accept": ",".join(ENDINGS)}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors and not cleaned["picked"] and not cleaned["uploads"]:
            self.add_error(None, NO_FILE)
        elif self.errors and "uploads" not in self.errors and cleaned.get("uploads"):
            self.add_error("uploads", UPLOAD_AGAIN)
        return cleaned

    def keep_files(self) -> list[Path]:
        """Keep the uploads and return the paths of all files."""
        uploads: list[DumpUpload] = self.cleaned_data["uploads"]
        return [*self.cleaned_data["picked"], *(upload.keep() for upload in uploads)]

    @cached_property
    def dumps(self) -> DumpListing:
        return list_dumps()

    @property
    def choices(self) -> list[DumpChoice]:
        chosen = set(self["picked"].value() or [])
        return [DumpChoice(dump, dump.path in chosen) for dump in self.dumps.files]


class ImportForm(FilesForm, RulesForm):
    """Files and rules for a new corpus."""

    name = forms.CharField(label="Name of the corpus", max_length=100)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if Corpus.objects.filter(name=name).exists():
            raise forms.ValidationError(NAME_TAKEN)
        return name

    @property
    def rare_rule_rows(self) -> list[list[BoundField]]:
        """Rarely changed rules, one row for those that belong together."""
        rows = (["min_chars"], ["min_comments", "max_comments"], ["sample", "seed"])
        return [[self[name] for name in names] for names in rows]

    @property
    def switches(self) -> list[BoundField]:
        return [self[name] for name in ("keep_bots", "keep_duplicates", "keep_quotes", "keep_entities")]

    @property
    def opens_rare_rules(self) -> bool:
        """True when a rare rule was changed or is invalid, so it must not be folded away."""
        rare = [*(field for row in self.rare_rule_rows for field in row), *self.switches]
        return self.is_bound and any(field.errors or field.name in self.changed_data for field in rare)
