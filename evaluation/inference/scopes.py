"""Whose gold a run is about: a corpus, or one batch of it."""

from dataclasses import dataclass

from annotator.models import Batch
from evaluation.inference.gold_profiles import GoldProfile, gold_profiles
from evaluation.inference.prompted_answers import Prompted
from evaluation.models import EvaluationRun
from profiles.models import Corpus


@dataclass(frozen=True, slots=True)
class Scope:
    """`limit` takes only the first profiles by pseudonym. `system` is what is scored, by the name of its runs.

    The name belongs to every signature, so it says whether prompted answers count.
    """

    corpus: Corpus
    batch: Batch | None = None
    limit: int | None = None
    prompted: Prompted = Prompted.NONE
    system: str = ""

    @property
    def name(self) -> str:
        place = f"batch-{self.batch.pk}" if self.batch else f"corpus-{self.corpus.pk}"
        place = place if self.limit is None else f"{place}-first-{self.limit}"
        return place if self.prompted is Prompted.NONE else f"{place}-prompted-{self.prompted}"

    def profiles(self) -> list[GoldProfile]:
        """1 query, or 2 with prompted answers."""
        return gold_profiles(self.corpus, self.batch, self.prompted, self.system)[: self.limit]


def stored_scope(run: EvaluationRun) -> Scope | None:
    """What the run is about, or None if it is gone. 2 queries, or 1 without a batch."""
    corpus = Corpus.objects.ready().filter(pk=run.corpus_id or 0).first()
    batch_id = run.settings.get("batch")
    batch = Batch.objects.filter(pk=batch_id).first() if batch_id else None
    if corpus is None or (batch_id and batch is None):
        return None
    prompted = Prompted(run.settings.get("prompted", Prompted.NONE))  # older runs don't say
    return Scope(corpus, batch, run.settings.get("limit"), prompted, run.system)
