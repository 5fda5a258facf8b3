"""What an evidence run is about: a corpus or a batch, one detection run, and gold or all judgements."""

from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Q, QuerySet

from annotator.core.lookups import UnknownName
from annotator.models import Batch
from evaluation.spans.evidence.report import RESAMPLES, SEED, Settings
from profiles.attributes import Attribute
from profiles.models import Corpus, DetectionRun, Recipe


class Source(StrEnum):
    GOLD = "gold"  # the evidence of gold records
    JUDGEMENTS = "judgements"  # the evidence of every judgement that counts


class NoDetection(Exception):
    """Presidio hasn't finished this corpus, so there is nothing to measure. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Scope:
    corpus: Corpus
    run: DetectionRun
    batch: Batch | None = None
    source: Source = Source.GOLD

    @property
    def name(self) -> str:
        return f"batch-{self.batch.pk}" if self.batch else f"corpus-{self.corpus.pk}"

    def settings(self, *, bootstrap: int = RESAMPLES, seed: int = SEED) -> Settings:
        return Settings(
            scope=self.name, source=self.source.value, recipe=self.run.recipe.digest, detection_run=self.run.pk,
            attributes=tuple(Attribute.values), bootstrap=bootstrap, seed=seed,
        )  # fmt: skip


def finished_runs() -> "QuerySet[DetectionRun]":
    """Detection runs that can be scored, with corpus and recipe."""
    ended = DetectionRun.objects.filter(finished_at__isnull=False, cancelled_at=None)
    return ended.select_related("recipe", "corpus")


def finished_run(corpus: Corpus, recipe: Recipe | None = None) -> DetectionRun:
    """The finished run of the recipe, or the newest finished run. 1 query. Raises NoDetection."""
    runs = finished_runs().filter(corpus=corpus)
    if recipe is not None:
        runs = runs.filter(recipe=recipe)
    run = runs.order_by("pk").last()
    if run is None:
        by = f" with the recipe “{recipe.name}”" if recipe else ""
        raise NoDetection(f"No detection run{by} has finished in “{corpus.name}”. Start one, or wait for it to finish.")
    return run


def recipe_named(name: str) -> Recipe:
    """The recipe with this name, or whose digest begins like this. 1 query. Raises UnknownName."""
    recipes = list(Recipe.objects.filter(Q(name=name) | Q(digest__startswith=name))[:2])
    if len(recipes) != 1:
        raise UnknownName(f"There is no recipe “{name}”." if not recipes else f"Several recipes are called “{name}”.")
    return recipes[0]
