"""Form fields for dumps: uploads, or paths on the server."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django import forms

from annotator.core.dump_folders import NotImportable, resolve_dump
from annotator.core.uploads import DumpUpload
from profiles.ingest.sources import ENDINGS, is_dump

NOT_IMPORTABLE = "One of the files cannot be imported from here. Choose from the list."
NOT_A_DUMP = f"Choose dumps whose names end in {', '.join(ENDINGS)}."


class MultipleFileInput(forms.FileInput):
    allow_multiple_selected = True


class DumpUploadsField(forms.FileField):
    """Any number of uploads. DumpUploadHandler has already written them to their folder."""

    widget = MultipleFileInput

    def clean(self, data: Any, initial: Any = None) -> list[DumpUpload]:
        files = data if isinstance(data, (list, tuple)) else [data]
        return [self._clean_file(file) for file in files if file]

    def _clean_file(self, file: DumpUpload) -> DumpUpload:
        super().clean(file)
        if file.problem:
            raise forms.ValidationError(file.problem)
        if not is_dump(file.name or ""):
            raise forms.ValidationError(NOT_A_DUMP)
        return file


class DumpPathsField(forms.MultipleChoiceField):
    """Any dump in the folders, even one beyond the end of the list on the page."""

    def valid_value(self, value: str) -> bool:
        try:
            resolve_dump(value)
        except NotImportable:
            return False
        return True

    def validate(self, value: Sequence[str]) -> None:
        if not all(self.valid_value(path) for path in value):
            raise forms.ValidationError(NOT_IMPORTABLE)

    def clean(self, value: Any) -> list[Path]:
        return list(dict.fromkeys(resolve_dump(path) for path in super().clean(value)))
