"""Archive or restore a corpus, like its settings page does."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.lookups import UnknownName, any_corpus_named
from annotator.corpora.services.corpora import CorpusRefused, archive_corpus, restore_corpus


class Command(BaseCommand):
    help = "Archive a corpus: it stays readable and can be restored, but nothing new starts in it."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("corpus", metavar="CORPUS", help="name of the corpus")
        parser.add_argument("--restore", action="store_true", help="restore it instead")

    def handle(self, *args: object, **options: Any) -> None:
        change, done = (restore_corpus, "restored") if options["restore"] else (archive_corpus, "archived")
        try:
            corpus = any_corpus_named(options["corpus"])
            is_changed = change(corpus)
        except (CorpusRefused, UnknownName) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{done} “{corpus.name}”" if is_changed else f"“{corpus.name}” was already {done}")
