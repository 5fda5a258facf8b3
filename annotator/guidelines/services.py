"""Publish versions of the labelling guidelines, and record who has read them."""

from pathlib import Path

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from annotator.core.audit import record
from annotator.guidelines.text import tidy
from annotator.models import Annotator, AuditEntry, GuidelineVersion

SHIPPED = Path(__file__).resolve().parents[1] / "data" / "guidelines.md"


class NothingChanged(Exception):
    """The text equals the newest version."""


class PublishedMeanwhile(Exception):
    """Somebody else published a version since this text was started."""


def first_guidelines() -> str:
    """The text that ships with Telltale as a starting point."""
    return SHIPPED.read_text(encoding="utf-8")


def confirm_reading(annotator: Annotator, version: GuidelineVersion, *, request: HttpRequest) -> None:
    """Record that an evaluator read the guidelines before their first profile. The first time counts."""
    with transaction.atomic():
        new = Annotator.objects.filter(pk=annotator.pk, welcomed_at=None)
        if new.update(welcomed_at=timezone.now()):
            record(AuditEntry.Action.GUIDELINES_READ, request=request, actor=annotator, version=version.number)


def publish(text: str, *, by: Annotator, based_on: int, request: HttpRequest) -> GuidelineVersion:
    """Create the next version. `based_on` is the number of the version that was edited, 0 for none."""
    tidy_text, newest = tidy(text), GuidelineVersion.objects.order_by("-number").first()
    if newest and tidy(newest.text) == tidy_text:
        raise NothingChanged(f"Nothing changed: version {newest.number} says exactly this.")
    if based_on != (newest.number if newest else 0):
        raise PublishedMeanwhile
    try:
        with transaction.atomic():
            version = GuidelineVersion.objects.create(number=based_on + 1, text=tidy_text, created_by=by)
            record(AuditEntry.Action.GUIDELINES_PUBLISHED, request=request, actor=by, version=version.number)
    except IntegrityError as error:
        # Somebody else published at the same moment; the number is unique, so only one of the two was stored.
        raise PublishedMeanwhile from error
    return version
