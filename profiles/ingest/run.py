"""Run an ingest from start to finish, and report its progress."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from profiles.ingest.completion import finish_load
from profiles.ingest.load import begin_load, load_comments
from profiles.ingest.lock import alone_with
from profiles.ingest.merge import count_comments, merge_shards
from profiles.ingest.options import Options
from profiles.ingest.plan import IngestRefused, corpus_options, files_to_read
from profiles.ingest.progress import Progress
from profiles.ingest.reader import Reader
from profiles.ingest.sources import NoSuchFile, Source, find_files, identify_file, path_from_text, path_in_words
from profiles.ingest.spark.result import adopt_result, identify_result, is_spark_result
from profiles.ingest.work_folder import WorkFolder
from profiles.jobs.claims import claim, fail, finish
from profiles.models import Corpus, DumpFile, Ingest

State = DumpFile.State


def run_ingest(ingest: Ingest, tell: Callable[[Ingest], None] = lambda ingest: None) -> None:
    """Run the ingest, or resume where an earlier run stopped. `tell` is called about once a second.

    Raises IngestRefused. Whatever happens, the row says how it ended.
    """
    if ingest.began_at is None:
        claim_ingest(ingest)
    try:
        with alone_with(ingest), Progress(ingest, tell) as progress:
            _run(ingest, progress)
    except BaseException as error:
        ingest.stage, ingest.problem = Ingest.Stage.STOPPED, _in_words(error)
        fail(ingest, ingest.problem, **_columns(ingest))
        raise
    ingest.stage = Ingest.Stage.DONE
    finish(ingest, problem=ingest.problem, **_columns(ingest))


def claim_ingest(ingest: Ingest) -> None:
    """Claim the ingest, or raise NotFree if another worker has it."""
    claim(ingest, stage=Ingest.Stage.CHECKING, stage_at=timezone.now())


def _run(ingest: Ingest, progress: Progress) -> None:
    corpus, work = ingest.corpus, WorkFolder(ingest.corpus)
    options = corpus_options(corpus)
    work.open()
    if corpus.loading:
        _resume(corpus, options, work, progress)
        work.open()
    files = files_to_read(corpus, options, _look_at_all(ingest, progress))
    if files:
        _read(corpus, options, work, progress, files)
        _load(corpus, options, work, progress)
    elif not corpus.ready_at:
        raise IngestRefused("No files to read.")
    else:
        work.remove()
    ingest.problem = _failed_files(files) if files else "Nothing new: all these files have already been loaded."


def _read(
    corpus: Corpus, options: Options, work: WorkFolder, progress: Progress, files: Sequence[tuple[DumpFile, Path]]
) -> None:
    """Turn dumps, or the result of a Spark run, into the grouped comments to load."""
    file, path = files[0]
    if is_spark_result(path):
        progress.begin(Ingest.Stage.GROUPING, 0)
        removed, read = adopt_result(file, path, work.grouped), [file]
    else:
        Reader(work, options, progress).read(files)
        progress.begin(Ingest.Stage.GROUPING, 0)
        removed, read = _gather(corpus, options, work)
    is_all = not corpus.ready_at or options.needs_every_file
    with transaction.atomic():
        corpus.files.filter(pk__in=[file.pk for file in read]).update(state=State.LOADING)
        begin_load(corpus, removed, count_comments(work.grouped), is_all=is_all)


def _resume(corpus: Corpus, options: Options, work: WorkFolder, progress: Progress) -> None:
    """Resume an earlier run that had reached the loading stage. If its files are gone, the dumps are read again."""
    if work.grouped.exists():
        _load(corpus, options, work, progress)
        return
    with transaction.atomic():
        corpus.files.filter(state=State.LOADING).update(state=State.WAITING)
        corpus.loading = {}
        corpus.save(update_fields=["loading"])


def _look_at_all(ingest: Ingest, progress: Progress) -> list[Source]:
    try:
        requested = [path_from_text(path) for path in ingest.paths]
        if len(requested) == 1 and is_spark_result(requested[0]):
            return [identify_result(requested[0])]
        paths = find_files(requested)
        progress.begin(Ingest.Stage.CHECKING, sum(path.stat().st_size for path in paths))
        return [identify_file(path, progress.add) for path in paths]
    except NoSuchFile as error:
        raise IngestRefused(str(error)) from error
    except OSError as error:
        raise IngestRefused(f"{path_in_words(error.filename)} cannot be read: {error.strerror}.") from error


def _gather(corpus: Corpus, options: Options, work: WorkFolder) -> tuple[dict[str, int], list[DumpFile]]:
    read = [file for file in corpus.files.filter(state=State.READ).order_by("pk") if work.shard(file).exists()]
    if not read:
        raise IngestRefused(_why_none(corpus))
    return merge_shards([work.shard(file) for file in read], options, work.grouped), read


def _why_none(corpus: Corpus) -> str:
    problems = [f"{file.name}: {file.problem}" for file in corpus.files.filter(state=State.FAILED).order_by("pk")[:3]]
    return " ".join(["None of the files could be read.", *problems])


def _load(corpus: Corpus, options: Options, work: WorkFolder, progress: Progress) -> None:
    load_comments(corpus, work.grouped, options, progress)
    finish_load(corpus, options, work)


def _failed_files(files: Sequence[tuple[DumpFile, Path]]) -> str:
    failed = [file.name for file, _ in files if file.state == State.FAILED]
    in_part = [file.name for file, _ in files if file.state != State.FAILED and file.problem]
    sentences = (
        f"{len(failed)} of {len(files)} files could not be read: {', '.join(failed)}." if failed else "",
        f"{len(in_part)} of {len(files)} files could not be read to the end: {', '.join(in_part)}." if in_part else "",
    )
    return " ".join(filter(None, sentences))


def _columns(ingest: Ingest) -> dict[str, Any]:
    """The columns that say how far it got."""
    return {name: getattr(ingest, name) for name in Progress.columns}


def _in_words(error: BaseException) -> str:
    if isinstance(error, IngestRefused):
        return str(error)
    if isinstance(error, KeyboardInterrupt):
        return "The import was interrupted. Run it again to continue."
    return f"The import stopped because of an error ({type(error).__name__}). Run it again to continue."
