"""Criteria as one queryset of profiles."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotator.batches.drawing.criteria import Criteria
from annotator.models import Assignment, Batch
from profiles.detection.recipes import Contents
from profiles.models import AttributeHint, Corpus, Detection, DetectionRun, Presence, Profile, Recipe, Unanalysed


class DrawRefused(Exception):
    """Nothing was drawn. Says why, to a person."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What a draw stands on: the corpus as one recipe read it, with the batches that there were at the time."""

    corpus: Corpus
    recipe: Recipe | None = None
    apart_from: int | None = None  # a batch whose own slots do not count
    as_of: datetime | None = None  # None: as of now


def eligible(ground: Ground, criteria: Criteria) -> QuerySet[Profile]:
    """The profiles that may be drawn. 1 query to make it, 2 when detections or languages are asked for.

    What was practised is never drawn: its answers are known to every evaluator.
    """
    run = _finished_run(ground) if criteria.needs_detection else None
    found = Profile.objects.filter(corpus=ground.corpus).exclude(pk__in=_practised(ground))
    for condition in _conditions(ground, criteria, run):
        found = found.filter(condition)
    return found


def run_of(ground: Ground) -> DetectionRun | None:
    return DetectionRun.objects.filter(corpus=ground.corpus, recipe=ground.recipe).first()


def hinting_at(attributes: Any) -> Exists:
    """Wrote in a subreddit that hints at one of the attributes."""
    hints = AttributeHint.objects.filter(attribute__in=attributes)
    return Exists(Presence.objects.filter(profile=OuterRef("pk"), subreddit__in=hints.values("subreddit")))


def detected(run: DetectionRun | None, **entities: Any) -> Exists:
    return Exists(Detection.objects.filter(run=run, comment__profile=OuterRef("pk"), **entities))


def _finished_run(ground: Ground) -> DetectionRun:
    run = run_of(ground)
    if run is None or run.finished_at is None:
        raise DrawRefused(
            "Detections and languages are known once Presidio has read the whole corpus by this recipe, and it has "
            "not. Wait for it, choose another recipe, or leave both open."
        )
    return run


def _practised(ground: Ground) -> set[int]:
    draws = _batches(ground).filter(is_practice=True).values_list("draw", flat=True)
    return {profile for draw in draws for profile in draw.get("profiles", ())}


def _batches(ground: Ground) -> QuerySet[Batch]:
    """Those that there were, but for the one that is being drawn."""
    there = Batch.objects.filter(corpus=ground.corpus).exclude(pk=ground.apart_from or 0)
    return there.filter(created_at__lt=ground.as_of) if ground.as_of else there


def _conditions(ground: Ground, criteria: Criteria, run: DetectionRun | None) -> Iterator[Any]:
    for name, condition in _SIMPLE.items():
        if value := getattr(criteria, name):
            yield condition(value)
    if criteria.detections is not None:
        yield detected(run) if criteria.detections else ~detected(run)
    if criteria.languages:
        yield _mostly_in(criteria.languages, run)
    if criteria.unbatched:
        yield ~Exists(Assignment.objects.filter(profile=OuterRef("pk"), batch__in=_batches(ground)))
    if criteria.relabel:
        yield Q(pk__in=_labelled_once(ground))


def _labelled_once(ground: Ground) -> QuerySet[Any]:
    """Read to the end by exactly one person, in batches that count."""
    submitted = Assignment.objects.submitted().filter(batch__in=_batches(ground), batch__is_practice=False)
    if ground.as_of:
        submitted = submitted.filter(submitted_at__lt=ground.as_of)
    people = submitted.order_by().values("profile").annotate(people=Count("annotator", distinct=True))
    return people.filter(people=1).values("profile")


def _mostly_in(languages: tuple[str, ...], run: DetectionRun | None) -> Q:
    """More than half of a profile's comments were set aside as being in the language; otherwise it is the recipe's.

    It is what the run wrote down: nothing is read or guessed again. Languages that the recipe has a model for are not
    told apart from its first one.
    """
    own = Contents.from_json(run.recipe.contents).models[0].language if run else ""
    fits = Q(pk__in=_set_aside(run, [code for code in languages if code != own]))
    return fits | ~Q(pk__in=_set_aside(run, None)) if own in languages else fits


def _set_aside(run: DetectionRun | None, codes: list[str] | None) -> QuerySet[Any]:
    foreign = Unanalysed.objects.filter(run=run, reason=Unanalysed.Reason.LANGUAGE)
    if codes is not None:
        foreign = foreign.filter(detail__in=codes)
    groups = ("comment__profile", "detail") if codes is not None else ("comment__profile",)
    counted: QuerySet[Any] = foreign.order_by().values(*groups).annotate(doubled=Count("pk") * 2)
    return counted.filter(doubled__gt=F("comment__profile__comment_count")).values("comment__profile")


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)


def _in_one_of(subreddits: tuple[str, ...]) -> Exists:
    anywhere = Q()
    for name in subreddits:
        anywhere |= Q(subreddit__name__iexact=name)
    return Exists(Presence.objects.filter(anywhere, profile=OuterRef("pk")))


_SIMPLE: dict[str, Callable[[Any], Q | Exists]] = {
    "at_least": lambda count: Q(comment_count__gte=count),
    "at_most": lambda count: Q(comment_count__lte=count),
    "subreddits": _in_one_of,
    "attributes": hinting_at,
    "since": lambda day: Q(last_written_at__gte=_midnight(day)),
    "until": lambda day: Q(first_written_at__lt=_midnight(day + timedelta(days=1))),
}
