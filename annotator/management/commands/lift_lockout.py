"""Let somebody who is locked out try to sign in again, for example the only admin."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.accounts import lockout
from annotator.accounts.services.people import lift_lock_out
from annotator.models import Annotator


class Command(BaseCommand):
    help = "Unlock an account after too many failed sign-ins. Without a name, list locked accounts."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", default="", help="user name or e-mail address")

    def handle(self, *args: object, **options: Any) -> None:
        if options["name"]:
            self._lift(options["name"])
        else:
            self._list()

    def _lift(self, name: str) -> None:
        person = lockout.find_person(name)
        if person is None:
            raise CommandError(f"Nobody has the user name or e-mail address “{name}”. Nothing was changed.")
        lift_lock_out(person)
        self.stdout.write(f"{person} is unlocked and can try to sign in again.")

    def _list(self) -> None:
        people = Annotator.objects.filter(is_imported=False, is_active=True).order_by("username")
        names = [person.username for person in people if lockout.is_locked_out(person)]
        self.stdout.write("\n".join(names) or "Nobody is locked out.")
