"""Finish a load: publish the corpus with its funnel, and remove the work folder."""

from collections import Counter

from django.db import transaction
from django.utils import timezone

from profiles.ingest.funnel import Rule, build_funnel
from profiles.ingest.options import Options
from profiles.ingest.work_folder import WorkFolder
from profiles.models import Corpus, DumpFile

ACCOUNT_RULES = frozenset({
    Rule.DUPLICATE, Rule.BOT, Rule.TOO_FEW, Rule.TOO_MANY, Rule.NOT_DRAWN, Rule.FORGOTTEN, Rule.LOADED_BEFORE
})  # fmt: skip


def finish_load(corpus: Corpus, options: Options, work: WorkFolder) -> None:
    """Publish what was loaded."""
    with transaction.atomic():
        corpus.files.filter(state=DumpFile.State.LOADING).update(state=DumpFile.State.LOADED)
        corpus.funnel = _funnel(corpus, options)
        corpus.loading = {}
        corpus.ready_at = corpus.ready_at or timezone.now()
        corpus.save(update_fields=["funnel", "loading", "ready_at"])
    work.remove()


def _funnel(corpus: Corpus, options: Options) -> list[dict[str, object]]:
    """The funnel of all files. Includes what account rules removed in earlier loads, unless this load replaces them."""
    removed = Counter(corpus.loading["removed"])
    if not corpus.loading["is_all"]:
        removed.update({step["rule"]: step["removed"] for step in corpus.funnel if step["rule"] in ACCOUNT_RULES})
    lines = 0
    for file in corpus.files.filter(state=DumpFile.State.LOADED):
        removed.update(file.counts)
        lines += file.lines
    return [step.to_json() for step in build_funnel(lines, removed, options)]
