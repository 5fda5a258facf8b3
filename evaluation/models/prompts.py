"""Prompts that admins wrote, as versions that never change."""

import pgtrigger
from django.db import models
from django.db.models.functions import Now

from annotator.models import Annotator


class PromptVersion(models.Model):
    """One version of the inference prompt beside the shipped ones. A change of a word is a new version."""

    name = models.CharField(max_length=60, unique=True, help_text="As signatures show it.")
    contents = models.JSONField(help_text="`{system, header, footer, attributes: {attribute: [title, values]}}`.")
    sha256 = models.CharField(max_length=64, unique=True)
    written_by = models.ForeignKey(Annotator, null=True, on_delete=models.PROTECT, related_name="+")
    written_at = models.DateTimeField(db_default=Now())

    class Meta:
        triggers = [pgtrigger.Protect(name="prompt_version_never_edited", operation=pgtrigger.Update)]

    def __str__(self) -> str:
        return self.name
