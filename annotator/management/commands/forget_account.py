"""Permanently remove Reddit accounts from the study."""

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from annotator.core.formatting import plural
from annotator.privacy.services import forget_account, removable_rows
from annotator.privacy.takedowns import Reason, RemovedRows
from annotator.privacy.touched_tables import vacuum_touched_tables
from profiles.accounts import NotAnAccount, parse_account


class Command(BaseCommand):
    help = "Permanently remove Reddit accounts with everything they wrote, and stop them from coming back."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("accounts", nargs="*", metavar="ACCOUNT", help="name of an account, with or without u/")
        parser.add_argument("--file", type=Path, help="a file with one name per line")
        parser.add_argument(
            "--reason", choices=Reason.values, default=Reason.OTHER.value, help="reason, for the audit log"
        )
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: object, **options: Any) -> None:
        accounts = _accounts([*options["accounts"], *_lines(options["file"])])
        if not options["yes"] and not self._is_confirmed(accounts):
            raise CommandError("Nothing was changed.")
        total, reason = RemovedRows(), Reason(options["reason"])
        for number, account in enumerate(accounts, start=1):
            removed = forget_account(account, reason=reason)
            self.stdout.write(f"account {number} of {len(accounts)}: {_outcome(removed)}")
            total += removed
        if total.profiles:
            transaction.on_commit(vacuum_touched_tables)  # at once: there is no transaction here
        self.stdout.write(f"Removed from all corpora: {total.summary}.")

    def _is_confirmed(self, accounts: list[str]) -> bool:
        total = sum((removable_rows(account) for account in accounts), start=RemovedRows())
        self.stdout.write(f"{plural(len(accounts), 'account')}. This permanently removes: {total.summary}.")
        try:
            return input("Continue? [y/N] ").strip().lower() in ("y", "yes")
        except EOFError as error:
            raise CommandError(
                "There is no terminal to ask for confirmation. Nothing was changed. Use --yes to continue."
            ) from error


def _lines(path: Path | None) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines() if path else []
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} could not be read. Nothing was changed.") from error


def _accounts(lines: Iterable[str]) -> list[str]:
    """Parse all names before anything is removed. Errors say where a bad name is without repeating it."""
    names: dict[str, str] = {}
    for number, line in enumerate((line for line in lines if line.strip()), start=1):
        try:
            name = parse_account(line)
        except NotAnAccount as error:
            raise CommandError(f"Name {number} is not a valid account name. {error} Nothing was changed.") from error
        names.setdefault(name.lower(), name)
    if not names:
        raise CommandError("Name the accounts as arguments or with --file. Nothing was changed.")
    return list(names.values())


def _outcome(removed: RemovedRows) -> str:
    if removed.profiles:
        return f"removed {removed.summary}"
    return "removed earlier, nothing left to remove" if removed.forgotten_before else "in no corpus, now blocked"
