"""Write the entity diagram into its page, or tell whether the page still shows the models as they are."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.site.diagram import NoPlaceForDiagram, our_models, placed_in

PROJECT = Path(__file__).resolve().parents[3]
PAGE = PROJECT / "docs" / "explanation" / "data-model.md"


class Command(BaseCommand):
    help = "Draw the entity diagram from the models into docs/explanation/data-model.md."
    needs_servers = False
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; fail when the page is out of date")

    def handle(self, *args: str, **options: Any) -> None:
        shown = PAGE.read_text(encoding="utf-8")
        try:
            wanted = placed_in(shown)
        except NoPlaceForDiagram as error:
            raise CommandError(f"{PAGE.relative_to(PROJECT)} was not changed. {error}") from error
        if options["check"] and shown != wanted:
            raise CommandError("The entity diagram is out of date. Run: bin/manage draw_entity_diagram")
        if shown != wanted:
            PAGE.write_text(wanted, encoding="utf-8")
        state = "was up to date" if shown == wanted else "was redrawn"
        self.stdout.write(f"{PAGE.relative_to(PROJECT)} {state}: {len(our_models())} entities")
