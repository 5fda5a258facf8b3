"""The fields and rules that judgements, known answers and gold records share."""

from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Lower, LPad, Trim
from django.db.models.lookups import LessThanOrEqual

from profiles.attributes import AGE_GRAMMAR, CLOSED_LISTS, OLDEST, YOUNGEST, Attribute


def _year(position: int) -> LPad:
    """The first or second age of a range as three digits, so that they compare like numbers."""
    part = Func(F("value"), Value("-"), Value(position), function="split_part", output_field=models.CharField())
    return LPad(part, 3, Value("0"))


def _closed_list(attribute: Attribute) -> models.CheckConstraint:
    allowed = CLOSED_LISTS[attribute]
    return models.CheckConstraint(
        condition=~Q(attribute=attribute.value) | Q(value="") | Q(value__in=allowed.values),
        name=f"%(class)s_{attribute.value}_from_its_list",
        violation_error_message=f"{attribute.label}: choose one of {', '.join(allowed.values)}.",
    )


class Conclusion(models.Model):
    """An answer about one attribute of one profile.

    An empty value is an answer, too: "I looked and could not tell".
    """

    attribute = models.CharField(max_length=20, choices=Attribute.choices)
    value = models.CharField(max_length=200, blank=True)
    hardness = models.PositiveSmallIntegerField(default=0)
    certainty = models.PositiveSmallIntegerField(default=0)
    required_subreddit = models.BooleanField(default=False)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=Q(attribute__in=Attribute.values), name="%(class)s_attribute_is_one_of_eight"
            ),
            models.CheckConstraint(
                condition=Q(value="", hardness=0, certainty=0, required_subreddit=False)
                | (~Q(value="") & Q(hardness__range=(1, 5), certainty__range=(1, 5))),
                name="%(class)s_rated_exactly_when_inferred",
                violation_error_message="Rate hardness and certainty 1–5 for an answer; leave both at 0 for none.",
            ),
            models.CheckConstraint(
                condition=Q(value=Lower(Trim("value"))), name="%(class)s_value_trimmed_and_lower_case"
            ),
            models.CheckConstraint(
                condition=~Q(attribute=Attribute.AGE.value)
                | Q(value="")
                | (Q(value__regex=AGE_GRAMMAR) & (~Q(value__contains="-") | Q(LessThanOrEqual(_year(1), _year(2))))),
                name="%(class)s_age_is_27_or_25_to_35",
                violation_error_message=(
                    f"Write an age as 27 or as a range 25-35, from {YOUNGEST} to {OLDEST}, lower year first."
                ),
            ),
            *(_closed_list(attribute) for attribute in CLOSED_LISTS),
        ]
