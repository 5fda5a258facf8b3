"""Record the result of reading a file."""

from django.db import transaction
from django.utils import timezone

from profiles.ingest.line_filter import FilterResult
from profiles.ingest.repair import CUT_OFF
from profiles.models import DumpFile, SetAside

BROKEN = (
    "The archive is {where}. The {lines:,} lines before that were read; fetch the file again and add it: "
    "comments that are there already are not loaded twice."
)


def record_result(file: DumpFile, result: FilterResult, seconds: float) -> None:
    file.state, file.read_at, file.seconds = DumpFile.State.READ, timezone.now(), seconds
    file.lines, file.kept = result.lines, result.kept
    file.counts, file.reasons = dict(result.removed), dict(result.reasons)
    whole = result.lines - result.reasons[CUT_OFF]
    file.problem = BROKEN.format(where=result.problem, lines=whole) if result.problem else ""
    with transaction.atomic():
        file.set_aside.all().delete()
        SetAside.objects.bulk_create(SetAside(file=file, line=line, reason=why) for line, why in result.set_aside)
        file.save()


def record_failure(file: DumpFile, problem: str) -> None:
    file.state, file.problem = DumpFile.State.FAILED, problem
    file.lines, file.kept, file.counts, file.reasons = 0, 0, {}, {}
    file.save()
