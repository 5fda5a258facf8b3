"""Making batches and handing them out."""

import random
from collections.abc import Sequence

from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Q
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
        _tell_postgres_how_many()
        prefer(batch)
    return batch


def _tell_postgres_how_many() -> None:
    """Until it knows, it plans the hand-out of a slot for a small table, and reads the whole batch for each."""
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {connection.ops.quote_name(Assignment._meta.db_table)}")


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


class PracticeFirst(Exception):
    """The batch asks for a practice batch to be finished before."""

    def __init__(self, practice: Batch) -> None:
        super().__init__(f"Finish the practice batch “{practice.name}” first. Then this batch is yours.")
        self.practice = practice


def claim_next(*, batch: Batch, annotator: Annotator) -> Assignment | None:
    """Hand the annotator their open assignment, or the next one for them, or None."""
    held = batch.assignments.held_by(annotator).first()
    if held is not None:
        return held
    if batch.paused_at or batch.closed_at:
        return None
    _refuse_unpractised(batch, annotator)
    try:
        with transaction.atomic():
            return _take(batch, annotator)
    except IntegrityError:
        # A second tab claimed for the same annotator first; the constraint kept it to one.
        return batch.assignments.held_by(annotator).get()


def prepare_next(*, batch: Batch, annotator: Annotator) -> Assignment | None:
    """What comes after the one at hand, from now on meant for the annotator, so that it can be got ready."""
    if batch.paused_at or batch.closed_at:
        return None
    with transaction.atomic():
        assignment = _next(batch, annotator)
        if assignment is not None and assignment.annotator_id is None:
            assignment.annotator = annotator
            assignment.save(update_fields=["annotator"])
    return assignment


def _take(batch: Batch, annotator: Annotator) -> Assignment | None:
    assignment = _next(batch, annotator)
    if assignment is None:
        return None
    assignment.annotator, assignment.claimed_at = annotator, timezone.now()
    assignment.save(update_fields=["annotator", "claimed_at"])
    return assignment


def _next(batch: Batch, annotator: Annotator) -> Assignment | None:
    """What is meant for the annotator comes before what is anybody's. Locked. 1 query, or 2."""
    for slots in (batch.assignments.meant_for(annotator), batch.assignments.free_for(annotator)):
        found = slots.in_order().select_for_update(skip_locked=True, of=("self",)).first()
        if found is not None:
            return found
    return None


def _refuse_unpractised(batch: Batch, annotator: Annotator) -> None:
    practice = batch.after_practice
    if practice is not None and not has_practised(practice, annotator):
        raise PracticeFirst(practice)


def has_practised(practice: Batch, annotator: Annotator) -> bool:
    """Is through with every profile of the practice batch that is still there. 1 query, or 2."""
    given = practice.assignments.filter(annotator=annotator)
    through = Q(submitted_at__isnull=False) | Q(skipped_at__isnull=False)
    done = given.aggregate(all=Count("pk"), done=Count("pk", filter=through))
    if not done["all"]:
        return not Profile.objects.filter(pk__in=practice.draw.get("profiles", [])).exists()
    return bool(done["all"] == done["done"])
