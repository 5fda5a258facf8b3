"""Send e-mail to people. Only workers call this, because a mail server may be slow or down."""

from django.core.mail import send_mail
from django.template.loader import render_to_string

from annotator.accounts import links
from annotator.models import Annotator, Invitation


def send_invitation(invitation: Invitation, base_url: str = "") -> None:
    """Send the invitation's link, unless it was closed in the meantime."""
    if invitation.email and invitation.is_open:
        link = links.invitation_link(invitation, base_url or links.base_url())
        text = render_to_string(
            "annotator/accounts/mail/invitation.txt", {"link": link, "expires_at": invitation.expires_at}
        )
        send_mail("Your invitation to Telltale", text, None, [invitation.email])


def send_password_link(annotator: Annotator, base_url: str = "") -> None:
    if annotator.email and annotator.is_active:
        link = links.password_link(annotator, base_url or links.base_url())
        text = render_to_string("annotator/accounts/mail/password_link.txt", {"link": link, "annotator": annotator})
        send_mail("Reset your Telltale password", text, None, [annotator.email])
