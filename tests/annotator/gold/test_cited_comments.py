"""The comments beside a decision: in blocks, with everybody's evidence, at a constant number of queries."""

import re

import pytest

from annotator.comments.blocks import BLOCK_SIZE
from profiles.models import Corpus
from tests.annotator.comments.marks import make_detection, make_run
from tests.annotator.gold.builds import cited_profile
from tests.annotator.gold.disputes import at, built, text
from tests.factories import make_profile

pytestmark = pytest.mark.django_db


def shown_comments(response):
    return [int(pk) for pk in re.findall(r'data-comment="(\d+)" tabindex', text(response))]


def cited(response):
    """Attributes and letters, in the order of the text."""
    return re.findall(r'<span class="cited person-(\d) ([^"]+)" data-by="(\w)"', text(response))


def test_the_page_opens_at_the_evidence_in_question(as_grace):
    profile, first, last = cited_profile()
    response = as_grace.get(at(profile))
    assert last.pk in shown_comments(response)
    assert first.pk not in shown_comments(response)
    assert 'data-about="age"' in text(response)


def test_evidence_is_marked_by_person_and_names_stay_hidden(as_grace):
    profile, *_ = cited_profile()
    response = as_grace.get(at(profile))
    assert sorted({(number, letter) for number, _, letter in cited(response)}) == [("1", "A"), ("2", "B")]
    assert sum("starts-age" in classes for _, classes, _ in cited(response)) == 2
    assert "Wilhelmina" not in text(response)


def test_a_block_is_found_by_position_and_by_comment(as_grace):
    profile, first, last = cited_profile()
    assert shown_comments(as_grace.get(at(profile, "comments")))[0] == first.pk
    assert len(shown_comments(as_grace.get(at(profile, "comments"), {"first": BLOCK_SIZE}))) == 10
    response = as_grace.get(at(profile, "comments"), {"comment": last.pk})
    assert shown_comments(response)[-1] == last.pk
    assert "<html" not in text(response)


def test_without_scripts_links_lead_through_the_blocks(as_grace):
    profile, first, _ = cited_profile()
    page = text(as_grace.get(at(profile), {"first": 0, "names": "shown"}))
    assert f'href="{at(profile)}?names=shown&amp;first={BLOCK_SIZE}#comments"' in page
    jump = re.search(rf'href="([^"]+comment={first.pk})#comment-{first.pk}"', page)[1].replace("&amp;", "&")
    assert first.pk in shown_comments(as_grace.get(jump))


@pytest.mark.parametrize("name", ["first", "comment", "about"])
@pytest.mark.parametrize("value", ["-1", "x", "9" * 5000, "9999999", "\x00"])
def test_takes_no_nonsense(as_grace, name, value):
    profile = built("27", "60")
    for path in ((), ("comments",)):
        response = as_grace.get(at(profile, *path), {name: value})
        assert response.status_code == 200
        assert len(shown_comments(response)) == 1


def test_comments_of_another_profile_are_not_found(as_grace):
    profile, other = built("27", "60"), make_profile("something else")
    response = as_grace.get(at(profile, "comments"), {"comment": other.comments.get().pk})
    assert "something else" not in text(response)
    assert as_grace.get(at(other, "comments")).status_code == 404


def test_comments_go_with_their_corpus(as_grace):
    profile = built("27", "60")
    Corpus.objects.update(ready_at=None)
    assert as_grace.get(at(profile, "comments")).status_code == 404


def test_detections_are_there_to_be_switched_on(as_grace):
    profile = built("27", "60")
    make_detection(make_run(profile.corpus), profile.comments.get(), "Houston")
    page = text(as_grace.get(at(profile)))
    assert 'id="show-detections"' in page
    assert 'data-type="LOCATION"' in page


@pytest.mark.parametrize("comments", [3, BLOCK_SIZE * 2 + 1])
def test_as_many_queries_for_any_number_of_comments(as_grace, comments, django_assert_num_queries):
    profile, _, last = cited_profile(comments=comments)
    as_grace.get(at(profile))
    with django_assert_num_queries(17):
        as_grace.get(at(profile))
    with django_assert_num_queries(10):
        as_grace.get(at(profile, "comments"), {"comment": last.pk})
