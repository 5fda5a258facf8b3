"""Numbers, plurals and durations as people read them, in Python and in templates."""

import re

import pytest
from django.template import Context, Template

from annotator.core.formatting import THIN, decimal, format_clock, plural
from tests.test_layout import PROJECT, sources

BY_HAND = re.compile(r"""['"](\w*)['"] if [^'"]+ == 1 else ['"]\1(?:s|es|en)\b""")
TEMPLATE_BY_HAND = re.compile(r"\{\{ ([\w.|]+)\|number \}\} \w*\{\{ \1\|pluralize")


@pytest.mark.parametrize(
    ("count", "forms", "text"),
    [
        (0, "profile", "0 profiles"),
        (1, "profile", "1 profile"),
        (2, "profile", "2 profiles"),
        (1, "person has,people have", "1 person has"),
        (3, "person has,people have", "3 people have"),
        (1204, "comment", f"1{THIN}204 comments"),
    ],
)
def test_a_number_and_its_noun(count, forms, text):
    assert plural(count, *forms.split(",")) == text
    template = Template(f'{{% load numbers %}}{{{{ count|plural:"{forms}" }}}}')
    assert template.render(Context({"count": count})) == text


@pytest.mark.parametrize(("value", "text"), [(0.5, "0.50"), (1, "1.00"), (-0.254, "−0.25"), (-0.001, "0.00")])
def test_a_score_has_two_decimals(value, text):
    assert decimal(value) == text


@pytest.mark.parametrize(("value", "places", "text"), [(-2.083, 1, "−2.1"), (-0.4, 0, "0"), (0.33335, 4, "0.3333")])
def test_a_score_has_as_many_decimals_as_asked_for(value, places, text):
    assert decimal(value, places) == text


@pytest.mark.parametrize(("seconds", "text"), [(0, "0:00"), (59.9, "0:59"), (60, "1:00"), (3725, "62:05")])
def test_a_clock_shows_minutes_and_seconds(seconds, text):
    assert format_clock(seconds) == text


def test_nobody_builds_a_plural_by_hand():
    files = [path for path in sources() if BY_HAND.search(path.read_text())]
    templates = [path for path in (PROJECT / "templates").rglob("*.html") if TEMPLATE_BY_HAND.search(path.read_text())]
    assert [str(path.relative_to(PROJECT)) for path in files + templates] == []
