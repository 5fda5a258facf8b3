"""Which answers count as gold that people only confirmed after a model had claimed them."""

from enum import StrEnum


class Prompted(StrEnum):
    """A model that found what people had missed would be right about it by definition."""

    OTHERS = "others"  # they count for every system but the one that claimed them, whose cases are left out
    NONE = "none"  # only what people found by themselves counts
    ALL = "all"


TITLES = {
    Prompted.OTHERS: "Count, but leave out the cases that the scored system itself prompted",
    Prompted.NONE: "Don’t count: only what people found by themselves",
    Prompted.ALL: "Count for every system",
}
