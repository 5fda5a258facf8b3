"""Celery tasks: e-mail to people."""

from django.db import OperationalError

from annotator.accounts import mail
from annotator.core.celery_app import app
from annotator.models import Annotator, Invitation

TEMPORARY = (OperationalError, OSError)  # OSError: the mail server cannot be reached, or refuses for now


@app.task(acks_late=True, autoretry_for=TEMPORARY, retry_backoff=True, max_retries=5, ignore_result=True)
def mail_invitation(invitation_id: int, base_url: str = "") -> None:
    mail.send_invitation(Invitation.objects.get(pk=invitation_id), base_url)


@app.task(acks_late=True, autoretry_for=TEMPORARY, retry_backoff=True, max_retries=5, ignore_result=True)
def mail_password_link(annotator_id: int, base_url: str = "") -> None:
    mail.send_password_link(Annotator.objects.get(pk=annotator_id), base_url)
