"""The labelling guidelines as they ship, and publishing new versions of them."""

from pathlib import Path

from django.db import IntegrityError, transaction
from django.http import HttpRequest

from annotator.core.audit import record
from annotator.guidelines.text import tidied
from annotator.models import Annotator, AuditEntry, GuidelineVersion

SHIPPED = Path(__file__).resolve().parents[1] / "data" / "guidelines.md"


class NothingChanged(Exception):
    """The newest version says exactly this."""


class PublishedMeanwhile(Exception):
    """Somebody else published a version since this text was begun."""


def first_guidelines() -> str:
    return SHIPPED.read_text(encoding="utf-8")


def publish(text: str, *, by: Annotator, based_on: int, request: HttpRequest) -> GuidelineVersion:
    """Make the next version. `based_on` is the number of the version that was changed, 0 when there was none."""
    said, newest = tidied(text), GuidelineVersion.objects.order_by("-number").first()
    if newest and tidied(newest.text) == said:
        raise NothingChanged(f"Nothing changed: version {newest.number} says exactly this.")
    if based_on != (newest.number if newest else 0):
        raise PublishedMeanwhile
    try:
        with transaction.atomic():
            version = GuidelineVersion.objects.create(number=based_on + 1, text=said, created_by=by)
            record(AuditEntry.Action.GUIDELINES_PUBLISHED, request=request, actor=by, version=version.number)
    except IntegrityError as error:
        # Somebody was faster by a moment; the number is unique, so that one of the two versions stands.
        raise PublishedMeanwhile from error
    return version
