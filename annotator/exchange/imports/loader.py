"""A file of labels into a corpus, some hundred lines at a time: each of these transactions is whole or nothing.

Running it twice adds nothing the second time, so one that was killed is simply run again.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotator.exchange.imports import native, study
from annotator.exchange.imports.lines import numbered_lines
from annotator.exchange.imports.people import Batches, Reviewers
from annotator.exchange.imports.profiles import take_profiles
from annotator.exchange.imports.records import IncomingProfile, LineRefused, SetAside
from annotator.exchange.imports.rows import Rows
from annotator.models import Format, GuidelineVersion, LabelImport
from profiles.models import Corpus

PROFILES_AT_ONCE, COMMENTS_AT_ONCE = 100, 20_000
MOST_TOLD = 1000  # of what was set aside; all of it is counted

Tell = Callable[["Imported"], None]


@dataclass(slots=True)
class Imported:
    """What came of a file so far."""

    bytes_read: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    set_aside: list[dict[str, Any]] = field(default_factory=list)

    def leave_out(self, left: SetAside) -> None:
        self.counts["answers_set_aside" if left.attribute else "lines_set_aside"] += 1
        self.reasons[left.told] += 1
        if len(self.set_aside) < MOST_TOLD:
            self.set_aside.append(left.to_json())

    @property
    def numbers(self) -> dict[str, Any]:
        return dict(sorted(self.counts.items())) | {"reasons": dict(self.reasons.most_common(100))}


def import_file(
    label_import: LabelImport, corpus: Corpus, guideline: GuidelineVersion, path: Path, tell: Tell = lambda so_far: None
) -> Imported:
    """Into the corpus, which people see once all of it is there."""
    imported = Imported()
    rows = Rows(Reviewers(label_import, corpus), Batches(label_import, corpus, guideline))
    for chunk in _chunks(Format(label_import.format), path, imported):
        with transaction.atomic():
            Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)  # two imports at once take turns
            found, new = take_profiles(label_import, corpus, chunk)
            rows.add({found[one.line]: one for one in chunk if one.line in found})
        _count(imported, chunk, found, new)
        imported.counts.update(rows.counts)
        rows.counts.clear()
        tell(imported)
    Corpus.objects.filter(pk=corpus.pk, ready_at=None).update(ready_at=timezone.now())
    return imported


def _chunks(written: Format, path: Path, imported: Imported) -> Iterator[list[IncomingProfile]]:
    """No account stands twice in one: its second line finds the profile that the first one made."""
    chunk: list[IncomingProfile] = []
    accounts: set[str] = set()
    weight = 0
    for profile in _profiles(written, path, imported):
        names = {profile.account.lower(), profile.pseudonym or profile.account.lower()}
        is_full = len(chunk) == PROFILES_AT_ONCE or weight + len(profile.comments) > COMMENTS_AT_ONCE
        if chunk and (is_full or accounts & names):
            yield chunk
            chunk, accounts, weight = [], set(), 0
        chunk.append(profile)
        accounts |= names
        weight += len(profile.comments)
    if chunk:
        yield chunk


def _profiles(written: Format, path: Path, imported: Imported) -> Iterator[IncomingProfile]:
    for number, done, line in numbered_lines(path):
        imported.bytes_read = done
        imported.counts["lines"] += 1
        try:
            yield _read(written, number, line)
        except LineRefused as refused:
            imported.leave_out(SetAside(number, str(refused)))


def _read(written: Format, number: int, line: dict[str, Any] | LineRefused) -> IncomingProfile:
    if isinstance(line, LineRefused):
        raise line
    if written == Format.NATIVE:
        return native.read_native(number, line)
    words = study.SYNTHETIC if written == Format.SYNTHPAI else study.STUDY
    return study.read_line(words, number, line)


def _count(imported: Imported, chunk: list[IncomingProfile], found: dict[int, int], new: int) -> None:
    for one in chunk:
        for left in one.set_aside:
            imported.leave_out(left)
    taken = [one for one in chunk if one.line in found]
    imported.counts.update(profiles=len(taken), new_profiles=new)
    imported.counts["comments"] += sum(len(one.comments) for one in taken)
