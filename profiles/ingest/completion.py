"""The end of a load: the corpus with its funnel is there for everybody, and the working files are gone."""

from collections import Counter

from django.db import transaction
from django.utils import timezone

from profiles.ingest.funnel import Rule, make_funnel
from profiles.ingest.options import Options
from profiles.ingest.work_folder import Workplace
from profiles.models import Corpus, DumpFile

ABOUT_ACCOUNTS = frozenset({
    Rule.DUPLICATE, Rule.BOT, Rule.TOO_FEW, Rule.TOO_MANY, Rule.NOT_DRAWN, Rule.FORGOTTEN, Rule.LOADED_BEFORE
})  # fmt: skip


def finish_load(corpus: Corpus, options: Options, work: Workplace) -> None:
    """What was loaded becomes visible in the moment in which the load is over."""
    with transaction.atomic():
        corpus.files.filter(state=DumpFile.State.LOADING).update(state=DumpFile.State.LOADED)
        corpus.funnel = _funnel(corpus, options)
        corpus.loading = {}
        corpus.ready_at = corpus.ready_at or timezone.now()
        corpus.save(update_fields=["funnel", "loading", "ready_at"])
    work.remove()


def _funnel(corpus: Corpus, options: Options) -> list[dict[str, object]]:
    """Over all files. What was removed account by account in earlier loads is added where those loads still count."""
    removed = Counter(corpus.loading["removed"])
    if not corpus.loading["is_all"]:
        removed.update({step["rule"]: step["removed"] for step in corpus.funnel if step["rule"] in ABOUT_ACCOUNTS})
    lines = 0
    for file in corpus.files.filter(state=DumpFile.State.LOADED):
        removed.update(file.counts)
        lines += file.lines
    return [step.to_json() for step in make_funnel(lines, removed, options)]
