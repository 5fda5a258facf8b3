"""Fields for dumps: several uploads at once, or places on the server."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django import forms

from annotator.core.dump_folders import NotImportable, importable
from annotator.core.uploads import DumpUpload
from profiles.ingest.sources import ENDINGS, is_dump

NOT_FROM_HERE = "One of the files cannot be imported from here. Choose from the list."
NO_DUMP = f"Choose dumps whose names end in {', '.join(ENDINGS)}."


class _ManyFiles(forms.FileInput):
    allow_multiple_selected = True


class DumpUploadsField(forms.FileField):
    """None, one or several; each was written to its folder while it came in."""

    widget = _ManyFiles

    def clean(self, data: Any, initial: Any = None) -> list[DumpUpload]:
        files = data if isinstance(data, (list, tuple)) else [data]
        return [self._checked(file) for file in files if file]

    def _checked(self, file: DumpUpload) -> DumpUpload:
        super().clean(file)
        if file.problem:
            raise forms.ValidationError(file.problem)
        if not is_dump(file.name or ""):
            raise forms.ValidationError(NO_DUMP)
        return file


class DumpPathsField(forms.MultipleChoiceField):
    """Any place that may be imported from, also one that the list was too short for."""

    def valid_value(self, value: str) -> bool:
        try:
            importable(value)
        except NotImportable:
            return False
        return True

    def validate(self, value: Sequence[str]) -> None:
        if not all(self.valid_value(path) for path in value):
            raise forms.ValidationError(NOT_FROM_HERE)

    def clean(self, value: Any) -> list[Path]:
        return list(dict.fromkeys(importable(path) for path in super().clean(value)))
