"""What an ingest has to do: by which rules, and which files it must read."""

from collections.abc import Sequence
from pathlib import Path

from django.db import IntegrityError

from profiles.ingest.options import ALL, OUR_LIST, Options
from profiles.ingest.sources import Source
from profiles.models import AttributeHint, Corpus, DumpFile


class IngestRefused(Exception):
    """It cannot be done as asked. The message says why and what to do."""


def corpus_for(name: str, options: Options | None) -> Corpus:
    """The corpus of that name, or a new one. Without options the corpus keeps its own, a new one gets the usual."""
    corpus = Corpus.objects.filter(name=name).first()
    if corpus is None:
        return _new_corpus(name, with_our_list(options or Options()))
    own = options_of(corpus)
    if options is not None and _with_names_of(own, options) != own:
        raise IngestRefused(
            f"“{name}” was made by other rules. Leave the rules out to add files to it, or choose another name."
        )
    return corpus


def options_of(corpus: Corpus) -> Options:
    if "since" not in corpus.options:
        raise IngestRefused(f"“{corpus.name}” was not made from dumps. Choose another name.")
    return Options.from_json(corpus.options)


def with_our_list(options: Options) -> Options:
    """The list as it is now, kept with the corpus from here on."""
    if options.subreddits == OUR_LIST:
        options = options.with_names(AttributeHint.objects.values_list("subreddit__name", flat=True))
    if options.subreddits != ALL and not options.names:
        raise IngestRefused(
            "The list of subreddits is empty. Fill it (bin/manage subreddit_hints reset), or ask for all."
        )
    return options


def _with_names_of(own: Options, options: Options) -> Options:
    return options.with_names(own.names) if options.subreddits == own.subreddits == OUR_LIST else options


def _new_corpus(name: str, options: Options) -> Corpus:
    if not name.strip() or len(name) > 100:
        raise IngestRefused("A corpus needs a name of at most 100 characters.")
    try:
        return Corpus.objects.create(name=name, options=options.to_json())
    except IntegrityError as error:
        raise IngestRefused(f"“{name}” has just been made by somebody else.") from error


def files_to_read(corpus: Corpus, options: Options, sources: Sequence[Source]) -> list[tuple[DumpFile, Path]]:
    """The files that are new, and the earlier ones where the rules need them again. None when there is nothing new."""
    files = [(_file_of(corpus, source), source.path) for source in sources]
    fresh = [pair for pair in files if pair[0].state != DumpFile.State.LOADED]
    if not fresh or not corpus.ready_at:
        return fresh
    if not options.can_grow:
        raise IngestRefused(
            f"“{corpus.name}” is a sample or has a largest size for profiles: more comments would change which "
            "profiles belong to it. Make a new corpus from all the files."
        )
    if options.needs_every_file:
        _refuse_missing(corpus, files)
        return files
    return fresh


def _file_of(corpus: Corpus, source: Source) -> DumpFile:
    known = {"name": source.path.name[:255], "size": source.size}
    return DumpFile.objects.get_or_create(corpus=corpus, digest=source.digest, defaults=known)[0]


def _refuse_missing(corpus: Corpus, files: Sequence[tuple[DumpFile, Path]]) -> None:
    given = {file.pk for file, _ in files}
    missing = [file.name for file in corpus.files.order_by("pk") if file.pk not in given and file.lines]
    if missing:
        raise IngestRefused(
            "The rules of this corpus look at all that an account wrote, so adding a file needs the earlier ones "
            f"again. Give them too: {', '.join(missing[:5])}{' and more' if len(missing) > 5 else ''}."
        )
