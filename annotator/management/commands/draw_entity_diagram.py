"""Write the entity diagram into its page, or check that the page is up to date."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.site.diagram import MarkersMissing, our_models, with_diagram

PROJECT = Path(__file__).resolve().parents[3]
PAGE = PROJECT / "docs" / "explanation" / "data-model.md"


class Command(BaseCommand):
    help = "Draw the entity diagram from the models into docs/explanation/data-model.md."
    needs_servers = False
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; fail if the page is out of date")

    def handle(self, *args: str, **options: Any) -> None:
        page = PAGE.read_text(encoding="utf-8")
        try:
            updated = with_diagram(page)
        except MarkersMissing as error:
            raise CommandError(f"{PAGE.relative_to(PROJECT)} was not changed. {error}") from error
        if options["check"] and page != updated:
            raise CommandError("The entity diagram is out of date. Run: bin/manage draw_entity_diagram")
        if page != updated:
            PAGE.write_text(updated, encoding="utf-8")
        state = "was up to date" if page == updated else "was redrawn"
        self.stdout.write(f"{PAGE.relative_to(PROJECT)} {state}: {len(our_models())} entities")
