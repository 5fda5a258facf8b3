"""Delete a corpus with everything made from it, like its page does."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.formatting import number
from annotator.core.job_terminal import JobDisplay
from annotator.core.lookups import UnknownName, any_corpus_named
from annotator.corpora.services.corpora import CorpusRefused
from annotator.deletion import job
from annotator.deletion.contents import rows_to_delete
from annotator.deletion.services import refuse_deletion, request_deletion
from annotator.models import CorpusDeletion
from profiles.models import Corpus

UNFINISHED = "Part of it still exists. Run the same command again, or let a worker continue."


class Command(BaseCommand):
    help = "Permanently delete a corpus: its comments and everything made from them."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("corpus", metavar="CORPUS", help="name of the corpus")
        parser.add_argument("--confirm", metavar="NAME", help="repeat the name instead of typing it when asked")

    def handle(self, *args: object, **options: Any) -> None:
        begun = CorpusDeletion.objects.filter(name=options["corpus"])
        unfinished = begun.exclude(finished_at__isnull=False, problem="")
        try:
            deletion = unfinished.first() or self._request(any_corpus_named(options["corpus"]), options["confirm"])
        except (CorpusRefused, UnknownName) as refusal:
            raise CommandError(str(refusal)) from refusal
        with JobDisplay() as display:
            job.run(deletion.pk, display.counter(deletion.name))
        if Corpus.objects.filter(pk=deletion.corpus_id).exists():
            raise CommandError(UNFINISHED)
        self.stdout.write(f"deleted “{deletion.name}”")

    def _request(self, corpus: Corpus, typed: str | None) -> CorpusDeletion:
        refuse_deletion(corpus)
        self.stdout.write(f"This permanently deletes, with “{corpus.name}”:")
        for label, count in rows_to_delete(corpus).items():
            self.stdout.write(f"  {number(count):>12} {label}")
        return request_deletion(corpus, self._ask() if typed is None else typed)

    def _ask(self) -> str:
        try:
            return input("Type the name of the corpus to delete it: ")
        except EOFError as error:
            raise CommandError(
                "There is no terminal to ask for confirmation. Nothing was deleted. Use --confirm NAME."
            ) from error
