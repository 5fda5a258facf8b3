"""Making an export: one snapshot in, one file and what there is to know about it out."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from annotator.exchange.export.files import fingerprint, pack_lines, packed, whole_file, write_lines
from annotator.exchange.export.options import Asked
from annotator.exchange.export.reader import Part, Reading, labelled_profiles, seen_at
from annotator.exchange.export.selection import chosen_profiles
from annotator.exchange.export.snapshot import snapshot
from annotator.exchange.formats import llmprivacy, spans, synthpai, table
from annotator.exchange.formats.native import native_line
from annotator.exchange.formats.records import LabelledProfile
from annotator.models import Annotator, Batch, Format, GoldBuild
from profiles.models import Corpus, DetectionRun

Tell = Callable[[int, int], None]  # profiles done, profiles in all
EVERY = 200
NOTHING = "Nothing is left under these filters, so no file was made. Ask for more, or label and settle first."
PARTS = {
    Format.NATIVE: Part.COMMENTS | Part.GOLD | Part.REVIEWS | Part.SOURCES,
    Format.LLMPRIVACY: Part.COMMENTS | Part.GOLD,
    Format.SYNTHPAI: Part.COMMENTS | Part.GOLD | Part.SOURCES,
    Format.SPANS: Part.COMMENTS | Part.GOLD | Part.DETECTIONS,
    Format.CSV: Part.GOLD,
}


class NothingToExport(Exception):
    """No profile is left under the filters. No file was made. Says so, to a person."""


@dataclass(slots=True)
class Made:
    """What an export holds."""

    seen_at: datetime
    counts: Counter[str] = field(default_factory=Counter)
    guidelines: set[int] = field(default_factory=set)
    recipe: dict[str, str] | None = None
    consensus: dict[str, str | None] = field(default_factory=dict)
    size: int = 0
    sha256: str = ""


def make_export(corpus: Corpus, asked: Asked, path: Path, tell: Tell = lambda done, total: None) -> Made:
    """Write the file. The same state gives the same bytes. Raises NothingToExport and NotWritten."""
    with snapshot(), whole_file(path) as file:
        made = _Making(corpus, asked, tell).write(file)
    made.size, made.sha256 = fingerprint(path)
    return made


class _Making:
    def __init__(self, corpus: Corpus, asked: Asked, tell: Tell) -> None:
        self._corpus, self._asked, self._tell = corpus, asked, tell
        self._batch = _batch(corpus, asked.batch)
        self._run = _run(corpus, self._batch) if asked.format == Format.SPANS else None
        self._done = self._total = 0
        self.made = Made(seen_at(), consensus=_consensus(corpus))
        if self._run:
            self.made.recipe = {"name": self._run.recipe.name, "digest": self._run.recipe.digest}

    def write(self, file: IO[bytes]) -> Made:
        if self._asked.per_reviewer:
            self._write_each(file)
        else:
            self._total = chosen_profiles(self._corpus, self._asked, self._batch).count()
            write_lines(file, [table.header()] if self._asked.format == Format.CSV else [])
            write_lines(file, self._lines(None))
        if not self.made.counts["profiles"]:
            raise NothingToExport(NOTHING)
        self._tell(self._done, self._total)
        return self.made

    def _write_each(self, file: IO[bytes]) -> None:
        """A pass for each reviewer, so that none has to be kept while another is written."""
        reviewers = _reviewers(self._corpus, self._batch)
        chosen = (chosen_profiles(self._corpus, self._asked, self._batch, annotator=pk) for pk, _code in reviewers)
        self._total = sum(profiles.count() for profiles in chosen)
        with packed(file) as archive:
            for pk, code in reviewers:
                pack_lines(archive, f"{code}.jsonl", self._lines(pk))

    def _lines(self, annotator: int | None) -> Iterator[str]:
        parts = Part.COMMENTS | Part.REVIEWS if annotator else PARTS[self._asked.format]
        if not self._asked.with_text and self._asked.format == Format.NATIVE:
            parts &= ~Part.SOURCES  # may quote what was written
        run = self._run.pk if self._run else None
        reading = Reading(self._corpus, self._asked, parts, self._batch, run, annotator)
        chosen = chosen_profiles(self._corpus, self._asked, self._batch, annotator=annotator)
        for profile in labelled_profiles(reading, chosen):
            self._done += 1
            if self._done % EVERY == 0:
                self._tell(self._done, self._total)
            if profile.has_labels:
                self._count(profile)
                yield from self._written(profile)

    def _written(self, profile: LabelledProfile) -> Iterable[str]:
        match self._asked.format:
            case Format.NATIVE:
                return [native_line(profile)]
            case Format.LLMPRIVACY if self._asked.per_reviewer:
                return [llmprivacy.reviewer_line(profile)]
            case Format.LLMPRIVACY:
                return [llmprivacy.consensus_line(profile)]
            case Format.SYNTHPAI:
                return [synthpai.synthpai_line(profile)]
            case Format.SPANS:
                return spans.span_lines(profile, self._run.recipe.name if self._run else "")
            case _:
                return table.table_rows(profile)

    def _count(self, profile: LabelledProfile) -> None:
        gold, reviews = profile.gold.values(), profile.reviews
        self.made.counts.update(
            profiles=1,
            comments=len(profile.comments),
            gold=len(gold),
            negatives=sum(not one.value for one in gold),
            reviews=len(reviews),
            judgements=sum(len(review.answers) for review in reviews),
            detections=sum(map(len, profile.detections.values())),
            evidence=sum(len(one.evidence) for one in gold),
        )
        self.made.guidelines.update(one.guideline for one in gold if one.guideline)
        self.made.guidelines.update(review.guideline for review in reviews)


def _batch(corpus: Corpus, name: str) -> Batch | None:
    batch = Batch.objects.filter(corpus=corpus, name=name).first() if name else None
    if name and batch is None:
        raise NothingToExport(f"The corpus has no batch “{name}”. No file was made.")
    return batch


def _run(corpus: Corpus, batch: Batch | None) -> DetectionRun | None:
    """That of the batch's recipe; otherwise the newest of the corpus that has ended."""
    runs = corpus.runs.filter(finished_at__isnull=False).select_related("recipe").order_by("-pk")
    of_batch = runs.filter(recipe=batch.recipe_id).first() if batch and batch.recipe_id else None
    return of_batch or runs.first()


def _consensus(corpus: Corpus) -> dict[str, str | None]:
    build = GoldBuild.objects.filter(corpus=corpus).first()
    at = build.built_at.isoformat() if build and build.built_at else None
    return {"rule": build.rule if build else None, "settled_at": at}


def _reviewers(corpus: Corpus, batch: Batch | None) -> list[tuple[int, str]]:
    about: dict[str, Any] = {"assignments__batch": batch} if batch else {"assignments__batch__corpus": corpus}
    people = Annotator.objects.filter(
        assignments__submitted_at__isnull=False, assignments__is_planted=False,
        assignments__batch__is_practice=False, **about,
    )  # fmt: skip
    return sorted(set(people.values_list("pk", "code")), key=lambda one: one[1])
