"""Which profiles a draw may choose from, and which of them it prefers.

Weights make thin cells of the study fill sooner. For each attribute, the missing labels over its five hardness levels
are divided by its targets: a share from 0 (complete) to 1 (nothing yet). Its weight is four times that share. A profile
weighs

    1 + sum over attributes of weight × (1 if a subreddit hints at it + ½ if a detection points to it)

so every profile can be drawn, and a profile with a hint at an attribute that has no labels yet is five times as likely
to be drawn next as one that promises nothing. Neither hints nor detections show how hard an attribute is to infer, so
weights fill attributes, not single cells.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from annotator.batches.drawing.plan import Criteria
from annotator.models import Assignment, Batch, GoldRecord, Target
from profiles.attributes import Attribute
from profiles.detection.recipes import Contents
from profiles.models import (
    AttributeHint,
    Corpus,
    Detection,
    DetectionRun,
    EntityType,
    Presence,
    Profile,
    Recipe,
    Unanalysed,
)

WEIGHT_FORMULA = 1  # stored with each draw; a new formula gets a new number
MAX_WEIGHT = 4
ENTITY_TYPES_BY_ATTRIBUTE: dict[str, list[str]] = {
    Attribute.LOCATION: [EntityType.LOCATION],
    Attribute.PLACE_OF_BIRTH: [EntityType.LOCATION, EntityType.NRP],
}
NOTHING_IS_THIN = (
    "This corpus has no unmet targets, so there is nothing to prefer. Nothing was drawn. "
    "Set targets first, or draw without preferring any."
)
DETECTION_UNFINISHED = (
    "Presidio has not finished this corpus with this recipe, so detections and languages are not known yet. Wait for "
    "it, choose another recipe, or leave both filters empty."
)


class DrawRefused(Exception):
    """The draw was refused. The message explains why."""


@dataclass(frozen=True, slots=True)
class Population:
    """What a draw samples from: a corpus, one recipe's detections, and the batches that existed at the time."""

    corpus: Corpus
    recipe: Recipe | None = None
    ignored_batch: int | None = None  # a batch whose own assignments do not count
    as_of: datetime | None = None  # None: now


def eligible_profiles(population: Population, criteria: Criteria) -> QuerySet[Profile]:
    """Profiles that may be drawn. 1 query to build, 2 with a criterion on detections, 3 with one on languages.

    Practice profiles are never drawn: every evaluator knows their answers.
    """
    run = _finished_run(population) if criteria.needs_detection else None
    profiles = Profile.objects.filter(corpus=population.corpus).exclude(pk__in=_practice_profiles(population))
    for condition in _conditions(population, criteria, run):
        profiles = profiles.filter(condition)
    return profiles


def draw_weights(corpus: Corpus, *, prefer_thin: bool) -> dict[str, float]:
    """The weights of a draw; empty unless thin attributes are preferred, which takes 2 queries."""
    if not prefer_thin:
        return {}
    weights = thin_weights(corpus)
    if not weights:
        raise DrawRefused(NOTHING_IS_THIN)
    return weights


def thin_weights(corpus: Corpus) -> dict[str, float]:
    """The weight of each attribute that lacks labels, from current targets and gold. 2 queries."""
    targets = {(t.attribute, t.hardness): t.wanted for t in Target.objects.filter(corpus=corpus)}
    gold = GoldRecord.objects.filter(profile__corpus=corpus, hardness__gte=1).order_by()
    cells = gold.values_list("attribute", "hardness").annotate(Count("pk"))
    return attribute_weights(targets, {(attribute, hardness): count for attribute, hardness, count in cells})


def attribute_weights(
    targets: Mapping[tuple[str, int], int], counts: Mapping[tuple[str, int], int]
) -> dict[str, float]:
    """Weights by attribute, leaving out attributes that lack no labels."""
    weights = {}
    for attribute in Attribute.values:
        cells = [cell for cell in targets if cell[0] == attribute]
        missing = sum(max(0, targets[cell] - counts.get(cell, 0)) for cell in cells)
        if missing:
            weights[attribute] = round(MAX_WEIGHT * missing / sum(targets[cell] for cell in cells), 3)
    return weights


def with_promises(
    profiles: QuerySet[Profile], population: Population, weights: Mapping[str, float]
) -> QuerySet[Profile]:
    """Annotate `hint_…` and `detection_…` for each weighted attribute. 1 query to build."""
    run = _detection_run(population)
    promises = {f"hint_{attribute}": _has_hint([attribute]) for attribute in weights}
    entity_types = {a: ENTITY_TYPES_BY_ATTRIBUTE[a] for a in weights if a in ENTITY_TYPES_BY_ATTRIBUTE}
    promises |= {f"detection_{a}": _has_detection(run, entity_type__in=types) for a, types in entity_types.items()}
    return profiles.annotate(**promises)


def profile_weight(profile: Mapping[str, Any], weights: Mapping[str, float]) -> float:
    """The weight of one row of `with_promises`."""
    promised = (w * (profile[f"hint_{a}"] + profile.get(f"detection_{a}", False) / 2) for a, w in weights.items())
    return float(1 + sum(promised))


def _detection_run(population: Population) -> DetectionRun | None:
    return DetectionRun.objects.filter(corpus=population.corpus, recipe=population.recipe).first()


def _finished_run(population: Population) -> DetectionRun:
    run = _detection_run(population)
    if run is None or run.finished_at is None:
        raise DrawRefused(DETECTION_UNFINISHED)
    return run


def _practice_profiles(population: Population) -> set[int]:
    draws = _batches(population).filter(is_practice=True).values_list("draw", flat=True)
    return {profile for draw in draws for profile in draw.get("profiles", ())}


def _batches(population: Population) -> QuerySet[Batch]:
    batches = Batch.objects.filter(corpus=population.corpus).exclude(pk=population.ignored_batch or 0)
    return batches.filter(created_at__lt=population.as_of) if population.as_of else batches


def _conditions(population: Population, criteria: Criteria, run: DetectionRun | None) -> Iterator[Any]:
    for name, condition in _SIMPLE_CONDITIONS.items():
        if value := getattr(criteria, name):
            yield condition(value)
    if criteria.detections is not None:
        yield _has_detection(run) if criteria.detections else ~_has_detection(run)
    if criteria.languages:
        yield _mostly_in(criteria.languages, run)
    if criteria.unbatched:
        yield ~Exists(Assignment.objects.filter(profile=OuterRef("pk"), batch__in=_batches(population)))
    if criteria.relabel:
        yield Q(pk__in=_labelled_once(population))


def _labelled_once(population: Population) -> QuerySet[Any]:
    """Profiles submitted by exactly one person, not counting practice."""
    submitted = Assignment.objects.submitted().filter(batch__in=_batches(population), batch__is_practice=False)
    if population.as_of:
        submitted = submitted.filter(submitted_at__lt=population.as_of)
    people = submitted.order_by().values("profile").annotate(people=Count("annotator", distinct=True))
    return people.filter(people=1).values("profile")


def _has_hint(attributes: Any) -> Exists:
    """Whether the profile wrote in a subreddit that hints at one of the attributes."""
    hints = AttributeHint.objects.filter(attribute__in=attributes)
    return Exists(Presence.objects.filter(profile=OuterRef("pk"), subreddit__in=hints.values("subreddit")))


def _has_detection(run: DetectionRun | None, **filters: Any) -> Exists:
    return Exists(Detection.objects.filter(run=run, comment__profile=OuterRef("pk"), **filters))


def _mostly_in(languages: tuple[str, ...], run: DetectionRun | None) -> Q:
    """Profiles that are mostly in one of the languages.

    A profile is mostly in a language if the run set aside more than half of its comments as being in that language. It
    is mostly in the recipe's first language unless the run set aside more than half of its comments in all. Nothing is
    detected again, so other languages that the recipe has a model for cannot be told apart from its first one.
    """
    own = Contents.from_json(run.recipe.contents).models[0].language if run else ""
    matches = Q(pk__in=_mostly_set_aside(run, [code for code in languages if code != own]))
    return matches | ~Q(pk__in=_mostly_set_aside(run, None)) if own in languages else matches


def _mostly_set_aside(run: DetectionRun | None, codes: list[str] | None) -> QuerySet[Any]:
    foreign = Unanalysed.objects.filter(run=run, reason=Unanalysed.Reason.LANGUAGE)
    if codes is not None:
        foreign = foreign.filter(detail__in=codes)
    groups = ("comment__profile", "detail") if codes is not None else ("comment__profile",)
    counts: QuerySet[Any] = foreign.order_by().values(*groups).annotate(doubled=Count("pk") * 2)
    return counts.filter(doubled__gt=F("comment__profile__comment_count")).values("comment__profile")


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)


def _wrote_in(subreddits: tuple[str, ...]) -> Exists:
    any_name = Q()
    for name in subreddits:
        any_name |= Q(subreddit__name__iexact=name)
    return Exists(Presence.objects.filter(any_name, profile=OuterRef("pk")))


_SIMPLE_CONDITIONS: dict[str, Callable[[Any], Q | Exists]] = {
    "at_least": lambda count: Q(comment_count__gte=count),
    "at_most": lambda count: Q(comment_count__lte=count),
    "subreddits": _wrote_in,
    "attributes": _has_hint,
    "since": lambda day: Q(last_written_at__gte=_midnight(day)),
    "until": lambda day: Q(first_written_at__lt=_midnight(day + timedelta(days=1))),
}
