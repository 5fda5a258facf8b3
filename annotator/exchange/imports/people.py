"""Reviewers of another study as annotators who cannot sign in, and the batches for their judgements."""

import hashlib

from django.utils import timezone

from annotator.exchange.imports.records import is_code
from annotator.models import Annotator, Batch, LabelImport
from annotator.models.people import new_code
from profiles.models import Corpus


class Reviewers:
    """One annotator per corpus, format and reviewer name, whatever file they come from."""

    def __init__(self, label_import: LabelImport, corpus: Corpus) -> None:
        self._import, self._corpus = label_import, corpus
        self._known: dict[str, int] = {}

    def find(self, names: set[str]) -> dict[str, int]:
        """Return the annotators' ids by name, creating new ones."""
        for name in sorted(names - self._known.keys()):
            self._known[name] = self._annotator(name)
        return {name: self._known[name] for name in names}

    def _annotator(self, name: str) -> int:
        username = f"import-{self._corpus.pk}-{self._import.format}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"
        pk = Annotator.objects.filter(username=username).values_list("pk", flat=True).first()
        return pk or self._create(username, name).pk

    def _create(self, username: str, name: str) -> Annotator:
        """Keep the code in the file unless it is taken, perhaps by another person."""
        is_free = is_code(name) and not Annotator.objects.filter(code=name).exists()
        display_name = " ".join("".join(c for c in name if c.isprintable()).split())[:60] or "reviewer"
        annotator = Annotator(
            username=username, display_name=f"{display_name} ({self._import.get_format_display()})", is_imported=True,
            is_active=False, roles=[], email="", code=name if is_free else new_code(),
        )  # fmt: skip
        annotator.set_unusable_password()
        annotator.save()
        return annotator


class Batches:
    """Closed batches, one for each batch and guideline version named in the file.

    Their judgements were made by other guidelines than ours, even where a version has the same number. So they have
    no guideline of ours; the number that the file has is kept with the batch.
    """

    def __init__(self, label_import: LabelImport, corpus: Corpus) -> None:
        self._import, self._corpus = label_import, corpus
        self._known: dict[tuple[str, int | None], Batch] = {}

    def find(self, name: str, guideline: int | None) -> Batch:
        key = (name, guideline)
        if key not in self._known:
            self._known[key] = self._batch(name, guideline)
        return self._known[key]

    def _batch(self, name: str, guideline: int | None) -> Batch:
        draw = {"import": self._import.pk, "batch": name, "guideline": guideline}
        batch = Batch.objects.filter(corpus=self._corpus, draw=draw).first()
        return batch or self._create(name, draw)

    def _create(self, name: str, draw: dict[str, object]) -> Batch:
        now = timezone.now()
        batch = Batch.objects.create(
            name=self._free_name(name), corpus=self._corpus, guideline=None, draw=draw,
            created_by=self._import.asked_by, started_at=now, closed_at=now,
        )  # fmt: skip
        if self._import.batch_id is None and not self._import.is_dry_run:
            LabelImport.objects.filter(pk=self._import.pk).update(batch=batch)
            self._import.batch = batch
        return batch

    def _free_name(self, name: str) -> str:
        preferred = name or f"{self._import.name[:70]} (import {self._import.pk})"
        names = [
            preferred,
            *(f"{preferred[:70]} (import {self._import.pk}{suffix})" for suffix in ("", ", 2", ", 3", ", 4")),
        ]
        taken = set(Batch.objects.filter(name__in=names).values_list("name", flat=True))
        return next(name for name in names if name not in taken)
