"""Why a score is missing. Pages, CSV and JSON all get their words from here."""

from evaluation.stats.signature import MIN_PROFILES

# The words before the colon are the short form, for table cells.
NO_VARIATION = "No variation: everybody said the same, so agreement beyond chance can't be measured."


def missing_reason(profiles: int, *, is_defined: bool) -> str:
    """Why a score from this many profiles can't be shown. Empty if it can."""
    if profiles < MIN_PROFILES:
        return too_few_profiles(profiles)
    return "" if is_defined else NO_VARIATION


def too_few_profiles(profiles: int) -> str:
    count = "none" if profiles == 0 else f"only {profiles}"
    return f"Too few: {count} of the {MIN_PROFILES} profiles that are needed, judged by two or more people."


def short_reason(reason: str) -> str:
    return reason.partition(":")[0]
