"""Sorting: what an address means, and the heads that change it."""

import pytest
from django.http import QueryDict
from django.template import Context, Template

from annotator.core.sort_order import Sorting
from annotator.models import Annotator
from tests.factories import make_annotator

COLUMNS = {"name": "display_name", "seen": "-last_login"}


def read(query: str = "") -> Sorting:
    return Sorting.read(QueryDict(query), COLUMNS, default="name")


@pytest.mark.parametrize(
    ("query", "column", "is_descending"),
    [
        ("", "name", False),
        ("sort=-name", "name", True),
        ("sort=seen", "seen", False),
        ("sort=-seen", "seen", True),
        ("sort=password", "name", False),
        ("sort=--name", "name", False),
        ("sort=name,seen", "name", False),
    ],
)
def test_reads_a_column_and_a_direction_and_nothing_else(query, column, is_descending):
    sorting = read(query)
    assert (sorting.column, sorting.is_descending) == (column, is_descending)


def test_a_default_starts_in_its_own_direction():
    assert Sorting.read(QueryDict(""), COLUMNS, default="seen").is_descending


def test_a_link_keeps_filters_and_starts_at_the_first_page():
    assert read("q=a%26b&page=3").query_for("name") == "?q=a%26b&sort=-name"


def test_the_current_column_turns_around_and_others_start_their_own_way():
    sorting = read("sort=-name")
    assert sorting.query_for("name") == "?sort=name"
    assert sorting.query_for("seen") == "?sort=-seen"


@pytest.mark.django_db
def test_missing_values_come_last_and_ties_are_broken():
    first, second = make_annotator("ada"), make_annotator("ben")
    for query in ("sort=seen", "sort=-seen"):
        assert list(Annotator.objects.order_by(*read(query).order)) == [first, second]
    assert str(Annotator.objects.order_by(*read().order).query).endswith('"annotator_annotator"."id" ASC')


def test_a_head_says_how_it_is_sorted():
    template = Template('{% load tables %}{% sortable "seen" label "num" %}{% sortable "name" "Name" %}')
    html = template.render(Context({"sorting": read("sort=seen"), "label": "Last <seen>"}))
    assert html == (
        '<th scope="col" class="num" aria-sort="ascending"><a href="?sort=-seen">Last &lt;seen&gt;</a></th>'
        '<th scope="col"><a href="?sort=name">Name</a></th>'
    )


def test_a_table_escapes_its_label_and_keeps_its_rows():
    rows = "<tr><td>{{ text }}</td></tr>"
    template = Template(f'{{% load tables %}}{{% table "table-dense" label=label %}}{rows}{{% endtable %}}')
    html = template.render(Context({"label": 'a "b"', "text": "<b>"}))
    assert 'class="table table-dense" aria-label="a &quot;b&quot;"' in html
    assert "<tr><td>&lt;b&gt;</td></tr>" in html


def test_computed_rows_are_sorted_by_their_attribute_with_missing_values_last():
    rows = [Annotator(display_name=name) for name in ("ben", "ada")]
    assert [row.display_name for row in read().sort(rows)] == ["ada", "ben"]
    assert [row.display_name for row in read("sort=-name").sort(rows)] == ["ben", "ada"]
    assert read("sort=seen").sort(rows) == rows
