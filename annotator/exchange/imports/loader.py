"""Load a file of labels into a corpus, a chunk of lines per transaction.

Loading a file twice adds nothing, so a killed import is simply run again.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotator.exchange.imports import foreign, native
from annotator.exchange.imports.file_format import fits, look_of, mismatch
from annotator.exchange.imports.lines import read_lines
from annotator.exchange.imports.people import Batches, Reviewers
from annotator.exchange.imports.profiles import match_profiles
from annotator.exchange.imports.records import IncomingProfile, LineRefused, SetAside
from annotator.exchange.imports.rows import LabelWriter
from annotator.models import Format, LabelImport
from profiles.models import Corpus

MAX_CHUNK_PROFILES, MAX_CHUNK_COMMENTS = 100, 20_000
EXAMPLES = 2  # of each attribute
MAX_LISTED = 1000  # lines and answers set aside; all of them are counted

Report = Callable[["ImportResult"], None]


@dataclass(slots=True)
class ImportResult:
    """Counts, and what has been set aside so far."""

    bytes_read: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    set_aside: list[dict[str, Any]] = field(default_factory=list)
    examples: list[dict[str, Any]] = field(default_factory=list)  # of answers, for a dry run
    _shown: Counter[str] = field(default_factory=Counter)

    def leave_out(self, item: SetAside) -> None:
        self.counts["answers_set_aside" if item.is_answer else "lines_set_aside"] += 1
        self.reasons[item.summary] += 1
        if len(self.set_aside) < MAX_LISTED:
            self.set_aside.append(item.to_json())

    def show(self, profile: IncomingProfile) -> None:
        """Keep some answers of each attribute as examples: how the file has them, and how they come in."""
        for attribute, answer in (item for review in profile.reviews for item in review.answers.items()):
            if answer.value and self._shown[attribute] < EXAMPLES:
                self._shown[attribute] += 1
                ratings = {"hardness": answer.hardness, "certainty": answer.certainty}
                example = {"line": profile.line, "attribute": attribute.value, "written": answer.written[:100]}
                self.examples.append(example | {"value": answer.value} | ratings)

    @property
    def numbers(self) -> dict[str, Any]:
        return dict(sorted(self.counts.items())) | {"reasons": dict(self.reasons.most_common(100))}


def import_file(
    label_import: LabelImport,
    corpus: Corpus,
    path: Path,
    report: Report = lambda result: None,
) -> ImportResult:
    """Load all chunks, then make a new corpus visible."""
    result = ImportResult()
    writer = LabelWriter(Reviewers(label_import, corpus), Batches(label_import, corpus))
    for chunk in _chunks(Format(label_import.format), path, result):
        with transaction.atomic():
            Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)  # two imports at once take turns
            profiles, new = match_profiles(label_import, corpus, chunk)
            writer.add({profiles[profile.line]: profile for profile in chunk if profile.line in profiles})
        _count(result, chunk, profiles, new)
        result.counts.update(writer.counts)
        writer.counts.clear()
        report(result)
    Corpus.objects.filter(pk=corpus.pk, ready_at=None).update(ready_at=timezone.now())
    return result


def _chunks(file_format: Format, path: Path, result: ImportResult) -> Iterator[list[IncomingProfile]]:
    """Chunks without repeated accounts, so a second line finds the profile that the first one created."""
    chunk: list[IncomingProfile] = []
    accounts: set[str] = set()
    weight = 0
    for profile in _profiles(file_format, path, result):
        names = {profile.account.lower(), profile.pseudonym or profile.account.lower()}
        is_full = len(chunk) == MAX_CHUNK_PROFILES or weight + len(profile.comments) > MAX_CHUNK_COMMENTS
        if chunk and (is_full or accounts & names):
            yield chunk
            chunk, accounts, weight = [], set(), 0
        chunk.append(profile)
        accounts |= names
        weight += len(profile.comments)
    if chunk:
        yield chunk


def _profiles(file_format: Format, path: Path, result: ImportResult) -> Iterator[IncomingProfile]:
    for number, done, line in read_lines(path):
        result.bytes_read = done
        result.counts["lines"] += 1
        try:
            yield _read(file_format, number, line)
        except LineRefused as refused:
            result.leave_out(SetAside(number, str(refused)))


def _read(file_format: Format, number: int, line: dict[str, Any] | LineRefused) -> IncomingProfile:
    if isinstance(line, LineRefused):
        raise line
    if not fits(look := look_of(line), file_format):
        raise LineRefused(mismatch(look, file_format))
    if file_format == Format.NATIVE:
        return native.read_native(number, line)
    dialect = foreign.SYNTHPAI_DIALECT if file_format == Format.SYNTHPAI else foreign.LLMPRIVACY_DIALECT
    return foreign.read_line(dialect, number, line)


def _count(result: ImportResult, chunk: list[IncomingProfile], profiles: dict[int, int], new: int) -> None:
    for profile in chunk:
        for item in profile.set_aside:
            result.leave_out(item)
    loaded = [profile for profile in chunk if profile.line in profiles]
    for profile in loaded:
        result.show(profile)
    result.counts.update(profiles=len(loaded), new_profiles=new)
    result.counts["comments"] += sum(len(profile.comments) for profile in loaded)
