"""Making batches and handing them out."""

import random
from collections.abc import Sequence

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotator.models import Annotator, Assignment, Batch, GuidelineVersion
from annotator.services.detection import prefer
from profiles.models import Corpus, Profile, Recipe


class TooFewProfiles(Exception):
    """More profiles were asked for than the corpus has."""


def draw_batch(
    *,
    name: str,
    corpus: Corpus,
    guideline: GuidelineVersion,
    size: int,
    seed: int,
    overlap: int = 1,
    recipe: Recipe | None = None,
    annotators: Sequence[Annotator] = (),
    created_by: Annotator | None = None,
) -> Batch:
    """Draw a seeded random sample and lay out its slots. The same corpus, size and seed give the same batch.

    With annotators named, each slot is meant for one of them in turn; without, the slots form a shared pool. What
    Presidio has not analysed yet of these profiles comes first from now on.
    """
    drawn = sample_profiles(corpus, size=size, seed=seed)
    with transaction.atomic():
        batch = Batch.objects.create(
            name=name,
            corpus=corpus,
            guideline=guideline,
            recipe=recipe or newest_recipe(corpus),
            overlap=overlap,
            draw={"seed": seed, "size": size},
            created_by=created_by,
            started_at=timezone.now(),
        )
        Assignment.objects.bulk_create(_slots(batch, drawn, annotators), batch_size=1000)
        prefer(batch)
    return batch


def newest_recipe(corpus: Corpus) -> Recipe | None:
    """What a batch shows unless somebody chose another: that of the corpus's newest run."""
    newest = corpus.runs.select_related("recipe").order_by("pk").last()
    return newest.recipe if newest else None


def sample_profiles(corpus: Corpus, *, size: int, seed: int) -> list[int]:
    """Ids in a random order that the seed alone decides: the list is sorted by what an ingest cannot change."""
    everyone = list(Profile.objects.filter(corpus=corpus).order_by("account_digest").values_list("pk", flat=True))
    if size > len(everyone):
        raise TooFewProfiles(f"The corpus has {len(everyone)} profiles, fewer than the {size} asked for.")
    return random.Random(seed).sample(everyone, size)  # noqa: S311 repeatable on purpose


def _slots(batch: Batch, drawn: Sequence[int], annotators: Sequence[Annotator]) -> list[Assignment]:
    slots = [(position, profile, slot) for position, profile in enumerate(drawn) for slot in range(batch.overlap)]
    return [
        Assignment(
            batch=batch,
            profile_id=profile,
            slot=slot,
            position=position,
            annotator=annotators[(position * batch.overlap + slot) % len(annotators)] if annotators else None,
        )
        for position, profile, slot in slots
    ]


def claim_next(*, batch: Batch, annotator: Annotator) -> Assignment | None:
    """Hand the annotator their open assignment, or the next one for them, or None."""
    held = batch.assignments.held_by(annotator).first()
    if held is not None:
        return held
    try:
        with transaction.atomic():
            return _take(batch, annotator)
    except IntegrityError:
        # A second tab claimed for the same annotator first; the constraint kept it to one.
        return batch.assignments.held_by(annotator).get()


def _take(batch: Batch, annotator: Annotator) -> Assignment | None:
    free = batch.assignments.free_for(annotator).select_for_update(skip_locked=True, of=("self",))
    assignment = free.order_by("position", "slot").first()
    if assignment is None:
        return None
    assignment.annotator, assignment.claimed_at = annotator, timezone.now()
    assignment.save(update_fields=["annotator", "claimed_at"])
    return assignment
