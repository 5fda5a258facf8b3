"""Print an invitation link, for example for the first admin of a site."""

import argparse
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.core.validators import validate_email

from annotator.accounts import links
from annotator.accounts.services.invitations import create_invitation
from annotator.models import Role


class Command(BaseCommand):
    help = "Create a one-time link with which someone can create an account."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--role", action="append", choices=Role.values, help="may be repeated [admin]")
        parser.add_argument("--email", default="", help="also send the link to this address, if mail is set up")
        parser.add_argument("--base-url", default="", help="address of the site, such as https://example.org")

    def handle(self, *args: object, **options: Any) -> None:
        roles = sorted(set(options["role"] or [Role.ADMIN.value]))
        base_url = options["base_url"].rstrip("/") or links.base_url()
        invitation = create_invitation(roles=roles, email=_valid_address(options["email"]), base_url=base_url)
        self.stdout.write(links.invitation_link(invitation, base_url))
        self.stderr.write(f"For one {' and '.join(roles)}, once, until {invitation.expires_at:%d %B %Y, %H:%M} UTC.")


def _valid_address(email: str) -> str:
    try:
        if email:
            validate_email(email)
    except ValidationError as error:
        raise CommandError(f"“{email}” is not an e-mail address. No invitation was created.") from error
    return email.lower()
