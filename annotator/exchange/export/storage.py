"""The folder of finished exports: where a file is, and when it is removed."""

from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from annotator.exchange.export.files import PART, FileNotWritten
from annotator.models import Export

KEPT_FOR = timedelta(days=7)
A_DAY = 24 * 3600


def path_of(export: Export) -> Path:
    return Path(settings.EXPORTS) / export.file_name


def make_folder() -> None:
    try:
        Path(settings.EXPORTS).mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise FileNotWritten(f"The folder for exports can’t be created: {error.strerror}.") from error


def sweep_exports() -> int:
    """Remove expired files, and partial files of killed workers. Return how many expired. 1 or 2 queries."""
    expired = list(Export.objects.exclude(file_name="").filter(expires_at__lte=timezone.now()))
    for export in expired:
        path_of(export).unlink(missing_ok=True)
    if expired:
        Export.objects.filter(pk__in=[export.pk for export in expired]).update(file_name="")
    _remove_parts()
    return len(expired)


def drop_exports(corpus_ids: list[int]) -> int:
    """Remove the files of these corpora at once, because one of their accounts is to be forgotten."""
    kept, now = Export.objects.exclude(file_name="").filter(corpus__in=corpus_ids), timezone.now()
    kept.filter(expires_at__gt=now).update(withdrawn_at=now)
    kept.update(expires_at=now)
    return sweep_exports()


def _remove_parts() -> None:
    now = timezone.now().timestamp()
    for part in Path(settings.EXPORTS).glob(f"{PART}*"):
        with suppress(FileNotFoundError):
            if part.stat().st_mtime < now - A_DAY:
                part.unlink()
