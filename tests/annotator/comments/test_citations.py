"""Evidence of several people in one text: who cited what, and where it starts."""

import re

from annotator.comments.citations import Citation, citations_among
from annotator.templatetags.comments import written
from profiles.attributes import Attribute
from profiles.highlights import Highlight, layered

A_AGE = Citation(1, "A", Attribute.AGE)
B_AGE = Citation(2, "B", Attribute.AGE)
B_SEX = Citation(2, "B", Attribute.SEX)


def shown(text, *spans):
    highlights = [Highlight(start, end, citation.meaning) for start, end, citation in spans]
    return str(written(layered(text, [], highlights)))


def pieces(html):
    """The elements, in their order: class and letter."""
    return re.findall(r'<span class="cited ([^"]+)" data-by="(\w)"', html)


def test_a_citation_survives_its_way_through_a_highlight():
    citations = [A_AGE, Citation(21, "21", Attribute.PLACE_OF_BIRTH)]
    assert citations_among(["hit", *(citation.meaning for citation in citations)]) == citations


def test_the_letter_stands_where_evidence_starts_and_only_there():
    html = shown("I am 27 and a nurse", (0, 7, A_AGE), (5, 11, B_AGE))
    assert pieces(html) == [
        ("person-1 cited-age starts-age", "A"),
        ("person-2 cited-age starts-age", "B"), ("person-1 cited-age", "A"),
        ("person-2 cited-age", "B"),
    ]  # fmt: skip
    assert re.sub(r"<[^>]*>", "", html) == "I am 27 and a nurse"


def test_one_person_s_evidence_for_two_attributes_is_one_element():
    html = shown("my wife", (0, 7, B_AGE), (3, 7, B_SEX))
    assert pieces(html) == [
        ("person-2 cited-age starts-age", "B"), ("person-2 cited-age cited-sex starts-sex", "B"),
    ]  # fmt: skip
    assert "B (Age, Sex)" in html


def test_colours_repeat_after_the_eighth_person():
    assert [Citation(number, "X", Attribute.AGE).colour for number in (1, 8, 9)] == [1, 8, 1]


def test_text_is_escaped():
    assert "<b>" not in shown("<b>27</b>", (3, 5, A_AGE))
