"""Write an export from one snapshot, and sum up what it contains."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from django.db.models import QuerySet

from annotator.exchange.export.files import atomic_file, fingerprint, open_zip, write_lines, write_zip_lines
from annotator.exchange.export.options import ExportOptions
from annotator.exchange.export.reader import Part, ReadRequest, labelled_profiles
from annotator.exchange.export.selection import selected_profiles
from annotator.exchange.export.snapshot import snapshot, snapshot_time
from annotator.exchange.formats import llmprivacy, spans, synthpai, table
from annotator.exchange.formats.native import native_line
from annotator.exchange.formats.records import MISSING, Gold, LabelledProfile, Review
from annotator.gold.fingerprints import profiles_to_build
from annotator.models import Assignment, Batch, Format, GoldBuild
from profiles.attributes import Attribute
from profiles.models import Corpus, DetectionRun, Profile

Report = Callable[[int, int], None]  # profiles done and in total
REPORT_EVERY = 200  # profiles
NOTHING_LEFT = (
    "Nothing matches these filters, so no file was created. Use fewer filters, or label and build gold first."
)
PARTS = {
    Format.NATIVE: Part.COMMENTS | Part.GOLD | Part.REVIEWS | Part.SOURCES,
    Format.LLMPRIVACY: Part.COMMENTS | Part.GOLD,
    Format.SYNTHPAI: Part.COMMENTS | Part.GOLD | Part.SOURCES,
    Format.SPANS: Part.COMMENTS | Part.GOLD | Part.DETECTIONS,
    Format.CSV: Part.GOLD,
}


class NothingToExport(Exception):
    """No profile matches the filters, or the batch does not exist. No file was made."""


@dataclass(slots=True)
class ExportSummary:
    """What an export contains."""

    snapshot_at: datetime
    counts: Counter[str] = field(default_factory=Counter)
    guidelines: set[int] = field(default_factory=set)
    imported_guidelines: set[int] = field(default_factory=set)  # versions of other studies
    recipe: dict[str, str] | None = None
    consensus: dict[str, str | None] = field(default_factory=dict)
    size: int = 0
    sha256: str = ""


def write_export(
    corpus: Corpus, options: ExportOptions, path: Path, report: Report = lambda done, total: None
) -> ExportSummary:
    """Write the file; the same state gives the same bytes. Raises NothingToExport and FileNotWritten."""
    with snapshot(), atomic_file(path) as file:
        summary = _ExportWriter(corpus, options, report).write(file)
    summary.size, summary.sha256 = fingerprint(path)
    return summary


class _ExportWriter:
    def __init__(self, corpus: Corpus, options: ExportOptions, report: Report) -> None:
        self._corpus, self._options, self._report = corpus, options, report
        self._batch = _batch(corpus, options.batch)
        self._run = _run(corpus, self._batch) if options.format == Format.SPANS else None
        self._done = self._total = 0
        self._outdated = list(profiles_to_build(corpus))
        self.summary = ExportSummary(snapshot_time(), consensus=_consensus(corpus))
        self.summary.counts["outdated"] = len(self._outdated)
        if self._run:
            self.summary.recipe = {"name": self._run.recipe.name, "digest": self._run.recipe.digest}

    def write(self, file: IO[bytes]) -> ExportSummary:
        if self._options.per_reviewer:
            self._write_per_reviewer(file)
        else:
            self._total = self._profiles().count()
            write_lines(file, self._header())
            write_lines(file, self._lines(None))
        if not self.summary.counts["profiles"]:
            raise NothingToExport(NOTHING_LEFT)
        self._report(self._done, self._total)
        return self.summary

    def _header(self) -> list[str]:
        is_table = self._options.format == Format.CSV
        return [table.header(with_prompted=self._options.with_prompted)] if is_table else []

    def _write_per_reviewer(self, file: IO[bytes]) -> None:
        """One pass per reviewer, so that only one is in memory at a time."""
        reviewers = _reviewers(self._corpus, self._batch)
        self._total = sum(self._profiles(pk).count() for pk, _code in reviewers)
        with open_zip(file) as archive:
            for pk, code in reviewers:
                write_zip_lines(archive, f"{code}.jsonl", self._lines(pk))

    def _lines(self, annotator: int | None) -> Iterator[str]:
        parts = Part.COMMENTS | Part.REVIEWS if annotator else PARTS[self._options.format]
        if not self._options.with_text and self._options.format == Format.NATIVE:
            parts &= ~Part.SOURCES  # may quote comments
        run = self._run.pk if self._run else None
        request = ReadRequest(self._corpus, self._options, parts, self._batch, run, annotator, self._outdated)
        for profile in labelled_profiles(request, self._profiles(annotator)):
            self._done += 1
            if self._done % REPORT_EVERY == 0:
                self._report(self._done, self._total)
            if profile.has_labels:
                self._count(profile)
                yield from self._format(profile)

    def _profiles(self, annotator: int | None = None) -> "QuerySet[Profile]":
        return selected_profiles(self._corpus, self._options, self._batch, annotator=annotator, outdated=self._outdated)

    def _format(self, profile: LabelledProfile) -> Iterable[str]:
        match self._options.format:
            case Format.NATIVE:
                return [native_line(profile)]
            case Format.LLMPRIVACY if self._options.per_reviewer:
                return [llmprivacy.reviewer_line(profile)]
            case Format.LLMPRIVACY:
                return [llmprivacy.consensus_line(profile)]
            case Format.SYNTHPAI:
                return [synthpai.synthpai_line(profile, is_filtered=self._options.leaves_out)]
            case Format.SPANS:
                return spans.span_lines(profile, self._run.recipe.name if self._run else "")
            case _:
                return [table.table_rows(profile, with_prompted=self._options.with_prompted)]

    def _count(self, profile: LabelledProfile) -> None:
        gold, reviews = profile.gold.values(), profile.reviews
        self.summary.counts.update(
            profiles=1,
            comments=len(profile.comments),
            gold=len(gold),
            negatives=sum(not record.value for record in gold),
            reviews=len(reviews),
            judgements=sum(len(review.answers) for review in reviews),
            detections=sum(map(len, profile.detections.values())),
            evidence=sum(len(record.evidence) for record in gold),
        )
        if self._options.with_prompted:
            self.summary.counts["model_prompted"] += sum(bool(record.prompted_by) for record in gold)
        self._count_missing(profile)
        labelled: list[Gold | Review] = [*gold, *reviews]
        for labels in labelled:
            if labels.guideline:
                versions = self.summary.guidelines if labels.is_ours else self.summary.imported_guidelines
                versions.add(labels.guideline)

    def _count_missing(self, profile: LabelledProfile) -> None:
        """Count attributes without a conclusion, by reason: none of them is a negative."""
        concluded = profile.reviews[0].answers if self._options.per_reviewer else profile.gold
        self.summary.counts.update(dict.fromkeys(MISSING, 0))
        self.summary.counts.update(
            profile.why_missing(attribute) for attribute in Attribute.values if attribute not in concluded
        )


def _batch(corpus: Corpus, name: str) -> Batch | None:
    batch = Batch.objects.filter(corpus=corpus, name=name).first() if name else None
    if name and batch is None:
        raise NothingToExport(f"The corpus has no batch called “{name}”. No file was created.")
    return batch


def _run(corpus: Corpus, batch: Batch | None) -> DetectionRun | None:
    """The finished run of the batch's recipe, or else the newest finished run."""
    runs = corpus.runs.filter(finished_at__isnull=False).select_related("recipe").order_by("-pk")
    of_batch = runs.filter(recipe=batch.recipe_id).first() if batch and batch.recipe_id else None
    return of_batch or runs.first()


def _consensus(corpus: Corpus) -> dict[str, str | None]:
    build = GoldBuild.objects.filter(corpus=corpus).first()
    at = build.built_at.isoformat() if build and build.built_at else None
    return {"rule": build.rule if build else None, "settled_at": at}


def _reviewers(corpus: Corpus, batch: Batch | None) -> list[tuple[int, str]]:
    scope: dict[str, Any] = {"batch": batch} if batch else {"batch__corpus": corpus}
    people = Assignment.objects.counted().filter(**scope).values_list("annotator", "annotator__code").distinct()
    return sorted(people, key=lambda person: person[1])
