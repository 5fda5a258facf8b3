"""What an admin says to start an import: which files, into which corpus, by which rules."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from annotator.core.dump_folders import FoundDump, FoundDumps, find_dumps
from annotator.core.upload_fields import DumpPathsField, DumpUploadsField
from annotator.core.uploads import DumpUpload
from annotator.corpora.forms.rules import RulesForm
from profiles.ingest.sources import ENDINGS
from profiles.models import Corpus

NO_FILE = "Choose at least one file: from the list, or from your own machine."
TAKEN = "There is a corpus of this name. To add files to it, open it and press “Add files”; otherwise choose another."
AGAIN = "What you chose to upload was not kept. Choose it again."


@dataclass(frozen=True, slots=True)
class Choice:
    dump: FoundDump
    is_chosen: bool


class FilesForm(forms.Form):
    """Files for a corpus whose rules stand already."""

    picked = DumpPathsField(label="On the server", required=False)
    uploads = DumpUploadsField(
        label="From your own machine",
        required=False,
        widget=DumpUploadsField.widget(attrs={"accept": ",".join(ENDINGS)}),
    )

    def clean(self) -> dict[str, Any]:
        said = super().clean() or self.cleaned_data
        if not self.errors and not said["picked"] and not said["uploads"]:
            self.add_error(None, NO_FILE)
        elif self.errors and "uploads" not in self.errors and said.get("uploads"):
            self.add_error("uploads", AGAIN)
        return said

    def keep_files(self) -> list[Path]:
        """Where the files lie. The uploaded ones stay from now on."""
        uploads: list[DumpUpload] = self.cleaned_data["uploads"]
        return [*self.cleaned_data["picked"], *(upload.keep() for upload in uploads)]

    @cached_property
    def dumps(self) -> FoundDumps:
        return find_dumps()

    @property
    def choices(self) -> list[Choice]:
        chosen = set(self["picked"].value() or [])
        return [Choice(dump, dump.path in chosen) for dump in self.dumps.files]


class ImportForm(FilesForm, RulesForm):
    """A new corpus."""

    name = forms.CharField(label="Name of the corpus", max_length=100)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if Corpus.objects.filter(name=name).exists():
            raise forms.ValidationError(TAKEN)
        return name

    @property
    def pairs(self) -> list[list[BoundField]]:
        """The rarer rules, side by side where they belong together."""
        rows = (["min_chars"], ["min_comments", "max_comments"], ["sample", "seed"])
        return [[self[name] for name in names] for names in rows]

    @property
    def switches(self) -> list[BoundField]:
        return [self[name] for name in ("keep_bots", "keep_duplicates", "keep_quotes", "keep_entities")]

    @property
    def shows_more(self) -> bool:
        """Whether something among the rarer rules was changed or is wrong: then it must not be out of sight."""
        rarer = [*(field for row in self.pairs for field in row), *self.switches]
        return self.is_bound and any(field.errors or field.name in self.changed_data for field in rarer)
