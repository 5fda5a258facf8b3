"""Plan an ingest: the rules it follows and the files it must read."""

from collections.abc import Sequence
from pathlib import Path

from django.db import IntegrityError

from profiles.ingest.options import ALL, OUR_LIST, Options
from profiles.ingest.sources import Source, path_in_words
from profiles.models import AttributeHint, Corpus, DumpFile

OTHER_RULES = (
    "“{name}” was imported with different rules. Leave the rules out to add files to it, or choose another name."
)
NOT_FROM_DUMPS = "“{name}” was not imported from dumps. Choose another name."
NO_SUBREDDITS = (
    "The list of subreddits is empty. Restore it (bin/manage subreddit_hints reset), or import all subreddits."
)
BAD_NAME = "A corpus needs a name of 1 to 100 characters, in UTF-8."
NAME_TAKEN = "“{name}” has just been created by someone else."
ARCHIVED = "“{name}” is archived. Restore it first, or choose another name."
BEING_DELETED = "“{name}” is being deleted. Wait until that has finished, or choose another name."
CANNOT_GROW = (
    "“{name}” is a sample or limits the comments per profile, so more files would change which "
    "profiles belong to it. Create a new corpus from all the files."
)
FILES_MISSING = (
    "The rules of this corpus look at all that an account wrote, so adding a file needs the earlier ones "
    "again. Give them too: {files}."
)


class IngestRefused(Exception):
    """The ingest cannot be done. The message says why and what to do."""


def get_or_create_corpus(name: str, options: Options | None) -> Corpus:
    """Without options, an existing corpus keeps its own, and a new one gets the defaults."""
    _refuse_bad_name(name)
    corpus = Corpus.objects.filter(name=name).first()
    if corpus is None:
        return _new_corpus(name, freeze_subreddits(options or Options()))
    if corpus.archived_at or corpus.deleting_at:
        raise IngestRefused((BEING_DELETED if corpus.deleting_at else ARCHIVED).format(name=name))
    own = corpus_options(corpus)
    if options is not None and _with_names_of(own, options) != own:
        raise IngestRefused(OTHER_RULES.format(name=name))
    return corpus


def corpus_options(corpus: Corpus) -> Options:
    if "since" not in corpus.options:
        raise IngestRefused(NOT_FROM_DUMPS.format(name=corpus.name))
    return Options.from_json(corpus.options)


def freeze_subreddits(options: Options) -> Options:
    """Store the current list of subreddits in the options; the corpus keeps it from here on."""
    if options.subreddits == OUR_LIST:
        options = options.with_names(AttributeHint.objects.values_list("subreddit__name", flat=True))
    if options.subreddits != ALL and not options.names:
        raise IngestRefused(NO_SUBREDDITS)
    return options


def _with_names_of(own: Options, options: Options) -> Options:
    return options.with_names(own.names) if options.subreddits == own.subreddits == OUR_LIST else options


def _refuse_bad_name(name: str) -> None:
    if not name.strip() or len(name) > 100 or name != name.encode(errors="replace").decode():
        raise IngestRefused(BAD_NAME)


def _new_corpus(name: str, options: Options) -> Corpus:
    try:
        return Corpus.objects.create(name=name, options=options.to_json())
    except IntegrityError as error:
        raise IngestRefused(NAME_TAKEN.format(name=name)) from error


def files_to_read(corpus: Corpus, options: Options, sources: Sequence[Source]) -> list[tuple[DumpFile, Path]]:
    """New files, and earlier ones if the rules need them again. Empty if nothing is new.

    Of files with the same contents, only the first is read.
    """
    unique: dict[str, Source] = {}
    for source in sources:
        unique.setdefault(source.digest, source)
    files = [(_get_or_create_file(corpus, source), source.path) for source in unique.values()]
    fresh = [pair for pair in files if pair[0].state != DumpFile.State.LOADED]
    if not fresh or not corpus.ready_at:
        return fresh
    if not options.can_grow:
        raise IngestRefused(CANNOT_GROW.format(name=corpus.name))
    if options.needs_every_file:
        _refuse_missing(corpus, files)
        return files
    return fresh


def _get_or_create_file(corpus: Corpus, source: Source) -> DumpFile:
    known = {"name": path_in_words(source.path.name)[:255], "size": source.size}
    return DumpFile.objects.get_or_create(corpus=corpus, digest=source.digest, defaults=known)[0]


def _refuse_missing(corpus: Corpus, files: Sequence[tuple[DumpFile, Path]]) -> None:
    chosen = {file.pk for file, _ in files}
    others = corpus.files.exclude(state=DumpFile.State.FAILED).order_by("pk")
    missing = [file.name for file in others if file.pk not in chosen and file.lines]
    if missing:
        names = ", ".join(missing[:5]) + (" and more" if len(missing) > 5 else "")
        raise IngestRefused(FILES_MISSING.format(files=names))
