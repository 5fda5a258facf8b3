"""Rename a corpus, like its settings page does."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.lookups import UnknownName, any_corpus_named
from annotator.corpora.forms.names import CorpusNameForm
from annotator.corpora.services.corpora import CorpusRefused, rename_corpus


class Command(BaseCommand):
    help = "Rename a corpus. Everything made from it stays with it."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("corpus", metavar="CORPUS", help="current name")
        parser.add_argument("name", metavar="NAME", help="new name")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            corpus = any_corpus_named(options["corpus"])
            form = CorpusNameForm({"name": options["name"]}, instance=any_corpus_named(options["corpus"]))
            if not form.is_valid():
                raise CommandError(" ".join(map(str, form.errors["name"])))
            rename_corpus(corpus, form.cleaned_data["name"])
        except (CorpusRefused, UnknownName) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"“{options['corpus']}” is now “{corpus.name}”")
