"""Random values of tests: new ones in each run, and the same ones where a failed test is tried again."""

import os
import random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

QUICK = "TELLTALE_TEST_QUICK" in os.environ  # plain `bin/test`
EXAMPLES = 25 if QUICK else 60  # of each property in a run; every run tries new ones


def at_most(number: int) -> settings:
    """Fewer examples, as a decorator: for properties whose examples are expensive."""
    return settings(max_examples=min(number, EXAMPLES))


def load_profile() -> None:
    """One Hypothesis profile for all: try new examples in each run, and first those that failed in the last one.

    A slow machine is not the code's fault. Where CI is set, Hypothesis would by itself try the same examples in every
    run and keep none. The blob that a failure prints reproduces it anywhere.
    """
    kept = DirectoryBasedExampleDatabase(".hypothesis/examples")
    settings.register_profile(
        "telltale",
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        max_examples=EXAMPLES,
        print_blob=True,
        derandomize=False,
        database=kept,
    )
    settings.load_profile("telltale")


def seed_random(item: pytest.Item) -> None:
    """Seed each test by its name, so that it draws the same values whatever runs before it.

    pytest-randomly could do this, but passes spaCy seeds that numpy refuses.
    """
    random.seed(f"{item.config.getoption('randomly_seed')} {item.nodeid}")
