"""Which profiles a draw prefers, so that the cells of the study that are still thin fill sooner.

For each attribute, what is missing is summed over its five hardnesses, and divided by what is wanted of it: a share
from 0 (all there) to 1 (nothing yet). Its weight is four times that share. A profile weighs

    1 + sum over attributes of weight × (1 if a subreddit hints at it + ½ if a detection points to it)

so that every profile can be drawn, and one that promises a label of which nothing is there yet is five times as likely
to be the next one as one that promises nothing. Neither a hint nor a detection tells how hard an attribute will be to
find: the weights fill attributes, not single cells.
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, QuerySet

from annotator.batches.drawing.candidates import Ground, detected, hinting_at, run_of
from annotator.models import GoldRecord, Target
from profiles.attributes import Attribute
from profiles.models import Corpus, EntityType, Profile

FORMULA = 1
STRONGEST = 4
POINTS_TO: dict[str, list[str]] = {
    Attribute.LOCATION: [EntityType.LOCATION],
    Attribute.PLACE_OF_BIRTH: [EntityType.LOCATION, EntityType.NRP],
}


def thin_weights(corpus: Corpus) -> dict[str, float]:
    """The weight of each attribute that is still thin, from targets and gold as they stand. 2 queries."""
    wanted = {(t.attribute, t.hardness): t.wanted for t in Target.objects.filter(corpus=corpus)}
    gold = GoldRecord.objects.filter(profile__corpus=corpus, hardness__gte=1).order_by()
    cells = gold.values_list("attribute", "hardness").annotate(Count("pk"))
    return weights_of(wanted, {(attribute, hardness): count for attribute, hardness, count in cells})


def weights_of(wanted: Mapping[tuple[str, int], int], there: Mapping[tuple[str, int], int]) -> dict[str, float]:
    """In the order of the attributes; one of which nothing is missing has none."""
    found = {}
    for attribute in Attribute.values:
        cells = [cell for cell in wanted if cell[0] == attribute]
        missing = sum(max(0, wanted[cell] - there.get(cell, 0)) for cell in cells)
        if missing:
            found[attribute] = round(STRONGEST * missing / sum(wanted[cell] for cell in cells), 3)
    return found


def with_promises(found: QuerySet[Profile], ground: Ground, weights: Mapping[str, float]) -> QuerySet[Profile]:
    """With `hint_…` and `detection_…` for each attribute that weighs. 1 query to make it."""
    run = run_of(ground)
    promises = {f"hint_{attribute}": hinting_at([attribute]) for attribute in weights}
    pointing = {a: POINTS_TO[a] for a in weights if a in POINTS_TO}
    promises |= {f"detection_{a}": detected(run, entity_type__in=entities) for a, entities in pointing.items()}
    return found.annotate(**promises)


def weight(profile: Mapping[str, Any], weights: Mapping[str, float]) -> float:
    """Of one profile, by what it promises."""
    promised = (w * (profile[f"hint_{a}"] + profile.get(f"detection_{a}", False) / 2) for a, w in weights.items())
    return float(1 + sum(promised))
