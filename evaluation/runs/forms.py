"""Files of any kind of run, as forms take them."""

from pathlib import Path
from typing import Any

from django import forms

from annotator.core.upload_fields import MultipleFileInput
from annotator.core.uploads import DumpUpload

TOO_MANY = "At most {count} files can be compared in one evaluation."


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
    """A name to show: one line, without the separators of paths and characters that Postgres refuses."""
    plain = "".join(character for character in Path(name or "").name if character.isprintable())
    return plain[:200] or "file"
