"""Doors for the workers: each takes ids and calls one function."""

from celery import shared_task
from django.db import OperationalError

from annotator.accounts import mail
from annotator.models import Annotator, Invitation

PASSING = (OperationalError, OSError)  # OSError: the mail server cannot be reached, or refuses for now


@shared_task(acks_late=True, autoretry_for=PASSING, retry_backoff=True, max_retries=5, ignore_result=True)
def mail_invitation(invitation_id: int, base_url: str = "") -> None:
    mail.send_invitation(Invitation.objects.get(pk=invitation_id), base_url)


@shared_task(acks_late=True, autoretry_for=PASSING, retry_backoff=True, max_retries=5, ignore_result=True)
def mail_password_link(annotator_id: int, base_url: str = "") -> None:
    mail.send_password_link(Annotator.objects.get(pk=annotator_id), base_url)


@shared_task(acks_late=False, ignore_result=True)
def run_ingest(ingest_id: int) -> None:
    """It may take hours: taken from the queue before it begins, so that no second worker gets it meanwhile."""
    from annotator.corpora import ingest_worker  # noqa: PLC0415 DuckDB and pyarrow: half a second that only ingests pay

    ingest_worker.run(ingest_id)


@shared_task(ignore_result=True)
def plan_detection(run_id: int) -> None:
    from annotator.detection import worker  # noqa: PLC0415 a circle otherwise: services call tasks

    worker.plan(run_id)


@shared_task(ignore_result=True)
def detect() -> None:
    """Some seconds of work on whatever comes first. It calls itself again while there is more."""
    from annotator.detection import worker  # noqa: PLC0415 as above

    worker.work()


@shared_task(ignore_result=True)
def sweep_detection() -> None:
    from annotator.detection import worker  # noqa: PLC0415 as above

    worker.sweep()


@shared_task(ignore_result=True)
def build_gold(corpus_id: int) -> None:
    from annotator.gold import build  # noqa: PLC0415 as above

    build.run(corpus_id)


@shared_task(acks_late=False, ignore_result=True)
def make_export(export_id: int) -> None:
    """May take minutes: taken from the queue before it begins, so that no second worker gets it meanwhile."""
    from annotator.exchange.services import exports  # noqa: PLC0415 as above

    exports.run(export_id)


@shared_task(acks_late=False, ignore_result=True)
def import_labels(label_import_id: int) -> None:
    from annotator.exchange.services import label_imports  # noqa: PLC0415 as above

    label_imports.run(label_import_id)
