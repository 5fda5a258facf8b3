"""Ask a language model for subreddits on the command line."""

import argparse
from collections.abc import Sequence
from io import StringIO
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.table import Table

from annotator.core.formatting import number, plural
from evaluation.llm.endpoints import EndpointRefused
from evaluation.llm.stored_endpoints import endpoint_of
from evaluation.management.model_options import named_endpoint
from evaluation.models import SubredditSearch
from evaluation.proposals import job
from evaluation.proposals.forms import DEFAULT_NUMBER, read_examples, read_value
from evaluation.proposals.queries import ProposalRow, proposal_rows
from evaluation.proposals.services.decisions import accept_certain
from evaluation.proposals.services.searches import create_search
from profiles.attributes import Attribute
from profiles.hints.rules import InvalidHint

WIDTH = 150  # where there is no terminal that has one


class Command(BaseCommand):
    help = "Ask a language model for subreddits whose authors share something, and which of them it is certain about."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--attribute", choices=Attribute.values, required=True)
        parser.add_argument("--value", required=True, help="what the authors have in common, such as London or nurse")
        parser.add_argument("--number", type=int, default=DEFAULT_NUMBER, help=f"1 to 100 [{DEFAULT_NUMBER}]")
        parser.add_argument("--example", action="append", default=[], metavar="NAME", help="may be given several times")
        parser.add_argument("--endpoint", metavar="NAME", required=True, help="a stored one")
        parser.add_argument(
            "--accept-certain", action="store_true", help="accept all that the model kept when it was asked again"
        )

    def handle(self, *args: object, **options: Any) -> None:
        search = _create(options)
        job.run(search.pk)
        search.refresh_from_db()
        if search.problem or not search.finished_at:
            raise CommandError(search.problem or "The search was cancelled.")
        accepted = accept_certain(search) if options["accept_certain"] else 0
        self._show(proposal_rows(search))
        if options["accept_certain"]:
            self.stdout.write(f"{plural(accepted, 'subreddit')} accepted.")
        self.stdout.write(f"Review them at /subreddits/searches/{search.pk}/")

    def _show(self, rows: Sequence[ProposalRow]) -> None:
        """As wide as the terminal; without one, of a fixed width."""
        text = StringIO()
        console = Console(file=text, width=None if self.stdout.isatty() else WIDTH)
        console.print(_table(rows))
        self.stdout.write(text.getvalue(), ending="")


def _create(options: dict[str, Any]) -> SubredditSearch:
    """Check everything before anything is asked."""
    attribute = Attribute(options["attribute"])
    if not 1 <= options["number"] <= 100:
        raise CommandError("--number must be from 1 to 100.")
    try:
        value, examples = read_value(attribute, options["value"]), read_examples(" ".join(options["example"]))
        endpoint = named_endpoint(options["endpoint"])
        endpoint_of(endpoint)
    except (InvalidHint, ValueError, EndpointRefused) as refusal:
        raise CommandError(str(refusal)) from refusal
    if not value:
        raise CommandError("Say with --value what the authors have in common.")
    return create_search(
        attribute=attribute, value=value, number=options["number"], examples=examples, endpoint=endpoint
    )


def _table(rows: Sequence[ProposalRow]) -> Table:
    table = Table("Subreddit", "Certain", "In the list", "Decision", box=None, pad_edge=False)
    for title in ("Comments", "Profiles"):
        table.add_column(title, justify="right")
    table.add_column("Reason", overflow="fold")
    for row in rows:
        table.add_row(
            f"r/{row.name}", "yes" if row.is_certain else "no", "yes" if row.is_listed else "no", row.decision,
            number(row.comments), number(row.profiles), row.reason,
        )  # fmt: skip
    return table
