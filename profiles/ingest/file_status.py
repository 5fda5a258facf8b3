"""Record the result of reading a file."""

from django.db import transaction
from django.utils import timezone

from profiles.ingest.line_filter import FilterResult
from profiles.ingest.repair import CUT_OFF
from profiles.models import DumpFile, SetAside

BROKEN = (
    "The archive is {where}. The {lines:,} lines before that were read. Download the file again and add it: "
    "comments that are there already are not loaded twice."
)
NOT_A_DUMP = (
    "This is not a dump of comments: none of its {lines:,} lines is a comment ({reason}). Nothing was loaded. Check "
    "what was fetched, then add the right file."
)
EMPTY = "The file is empty, so nothing was loaded. Download it again and add it."


def record_result(file: DumpFile, result: FilterResult, seconds: float) -> None:
    """A damaged file without any line, and one in which every line was set aside, count as not readable."""
    is_readable = result.lines > result.reasons.total() or not (result.lines or result.problem)
    file.state = DumpFile.State.READ if is_readable else DumpFile.State.FAILED
    file.read_at, file.seconds = timezone.now(), seconds
    file.lines, file.kept = result.lines, result.kept
    file.counts, file.reasons = dict(result.removed), dict(result.reasons)
    file.problem = _problem(file, result)
    with transaction.atomic():
        file.set_aside.all().delete()
        SetAside.objects.bulk_create(SetAside(file=file, line=line, reason=why) for line, why in result.set_aside)
        file.save()


def _problem(file: DumpFile, result: FilterResult) -> str:
    """What is wrong with the file as a whole, or ""."""
    if result.problem:
        return BROKEN.format(where=result.problem, lines=result.lines - result.reasons[CUT_OFF])
    if file.state == DumpFile.State.FAILED:
        (reason, _), *_ = result.reasons.most_common(1)
        return NOT_A_DUMP.format(lines=result.lines, reason=reason)
    return "" if file.size else EMPTY


def record_failure(file: DumpFile, problem: str) -> None:
    file.state, file.problem = DumpFile.State.FAILED, problem
    file.lines, file.kept, file.counts, file.reasons = 0, 0, {}, {}
    file.save()
