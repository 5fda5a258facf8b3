"""What people concluded about the same profiles, how long they took, and what they decided to mean the same."""

from itertools import combinations, groupby
from operator import itemgetter

from django.db.models import Count, Sum

from annotator.models import Assignment, Batch, Judgement, SameMeaning
from evaluation.inference.ceiling import HumanPair
from evaluation.inference.costs import HumanTime
from evaluation.inference.grades import Grade
from evaluation.inference.records import Label
from evaluation.inference.sound import decision_key
from profiles.attributes import Attribute
from profiles.models import Corpus


def human_pairs(corpus: Corpus, batch: Batch | None = None) -> list[HumanPair]:
    """What any two annotators concluded, in counted judgements, about an attribute of a profile. 1 query."""
    counted = Assignment.objects.counted_in(corpus, batch)
    columns = "assignment__profile__pseudonym attribute value hardness certainty required_subreddit".split()
    rows = Judgement.objects.filter(assignment__in=counted).order_by("assignment__profile_id", "attribute", "pk")
    return [
        HumanPair(pseudonym, attribute, *pair)
        for (pseudonym, attribute), members in groupby(rows.values_list(*columns), key=itemgetter(0, 1))
        for pair in combinations([Label(*label) for _, _, *label in members], 2)
    ]


def active_seconds(corpus: Corpus, batch: Batch | None = None) -> HumanTime:
    """The active time of counted readings. Imported ones have none, and are left out. 1 query."""
    counted = Assignment.objects.counted_in(corpus, batch).filter(active_seconds__gt=0)
    totals = counted.aggregate(
        seconds=Sum("active_seconds", default=0), readings=Count("pk"), profiles=Count("profile", distinct=True)
    )
    return HumanTime(**totals)


def occupation_decisions() -> dict[tuple[str, str], Grade]:
    """Pairs of occupations that adjudicators decided to mean the same, as the scorer takes them. 1 query.

    A pair that doesn't mean the same is left to the rules: one may still be less precise than the other.
    """
    rows = SameMeaning.objects.filter(attribute=Attribute.OCCUPATION, is_same=True).order_by("pk")
    return {decision_key(first, second): Grade.EXACT for first, second in rows.values_list("one", "other")}
