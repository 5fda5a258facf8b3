"""The comparison of two runs."""

import pytest

from annotator.detection.queries import comparison as queries
from annotator.detection.queries.comparison import MatchCounts, compare
from annotator.detection.views.compare import CHOOSE_TWO
from profiles.models import Comment
from tests.annotator.corpora.hint_lists import messages_of
from tests.annotator.detection.runs import detect, detected_run, fail, make_chunk, make_run, repeat_run
from tests.factories import make_profile

pytestmark = pytest.mark.django_db
BODY = "Anna of New York City met Paris in Rome, Texas"


@pytest.fixture
def pair():
    """Two runs over one comment, with an example of each kind of match."""
    a = detected_run(BODY, word="nothing", name="small")
    b, comment = repeat_run(a, name="large"), Comment.objects.get()
    detect(a, comment, "Anna", "PERSON")
    detect(b, comment, "Anna", "PERSON", score=0.4)  # alike, whatever the score
    detect(a, comment, "Paris", "PERSON")
    detect(b, comment, "Paris", "LOCATION")  # another type
    detect(a, comment, "New York", "LOCATION")
    detect(b, comment, "New York City", "LOCATION")  # other boundaries
    detect(b, comment, "Rome", "LOCATION")
    detect(b, comment, "Texas", "LOCATION")
    return a, b


def test_every_detection_is_counted_under_one_match(pair):
    comparison = compare(*pair)
    assert {row.kind.name: (row.a, row.b) for row in comparison.rows} == {
        "PERSON": (MatchCounts(both=1, other_type=1), MatchCounts(both=1)),
        "LOCATION": (MatchCounts(overlap=1), MatchCounts(other_type=1, overlap=1, only=2)),
    }
    assert comparison.total.a == MatchCounts(1, 1, 1, 0)
    assert comparison.total.b == MatchCounts(1, 1, 1, 2)
    assert (comparison.comments, comparison.is_limited) == (1, False)


def test_turned_round_it_says_the_same(pair):
    there, back = compare(*pair), compare(*reversed(pair))
    assert [(row.kind, row.a, row.b) for row in there.rows] == [(row.kind, row.b, row.a) for row in back.rows]


def test_shows_only_what_the_other_run_marked_nothing_of(pair):
    comparison = compare(*pair)
    assert comparison.a.only == []
    assert {excerpt.text for excerpt in comparison.b.only} == {"Rome", "Texas"}
    assert [strings.counts for strings in comparison.b.strings] == [[("rome", 1), ("texas", 1)]]


def test_spans_that_touch_do_not_overlap():
    a = detected_run("Houston", word="nothing")
    b, comment = repeat_run(a), Comment.objects.get()
    detect(a, comment, "Hou")
    detect(b, comment, "ston")
    assert compare(a, b).total.a == MatchCounts(only=1)


def test_the_same_span_as_both_types_is_found_by_both():
    a = detected_run("Houston")
    b, comment = repeat_run(a), Comment.objects.get()
    detect(b, comment, "Houston", "PERSON")
    detect(b, comment, "Houston", "LOCATION")
    assert compare(a, b).total.a == MatchCounts(both=1)
    assert compare(a, b).total.b == MatchCounts(both=1, other_type=1)


def test_looks_only_at_what_both_have_analysed():
    a = detected_run("Houston one", "Houston two", "Houston three")
    first, second, third = Comment.objects.order_by("pk")
    b = make_run(a.corpus)
    make_chunk(b, first.pk, second.pk)
    make_chunk(b, third.pk, third.pk, ago=None)
    fail(b, first)
    comparison = compare(a, b)
    assert comparison.comments == 1
    assert comparison.total.a == MatchCounts(only=1)
    assert [excerpt.comment for excerpt in comparison.a.only] == [second.pk]


def test_leaves_out_other_corpora_between_the_same_ids():
    a = detected_run("Houston")
    make_profile("elsewhere")
    last = make_profile("Houston", corpus=a.corpus).comments.get()
    make_chunk(a, a.chunks.get().first_comment, last.pk, comment_count=0)
    assert compare(a, repeat_run(a)).comments == 2


@pytest.mark.parametrize(("limit", "is_limited"), [(2, True), (3, False)])
def test_stops_at_so_many_comments_and_says_so(as_grace, monkeypatch, limit, is_limited):
    monkeypatch.setattr(queries, "MAX_COMMENTS", limit)
    a = detected_run("Houston one", "Houston two", "Houston three")
    b = repeat_run(a)
    comparison = compare(a, b)
    assert (comparison.comments, comparison.is_limited, comparison.total.a.only) == (limit, is_limited, limit)
    response = as_grace.get(f"/corpora/{a.corpus_id}/detection/compare/?a={a.pk}&b={b.pk}")
    assert response.context["comparison"].is_limited is is_limited


def test_the_page_shows_table_chart_and_examples(as_grace, pair):
    a, b = pair
    page = as_grace.get(f"/corpora/{a.corpus_id}/detection/compare/?a={a.pk}&b={b.pk}").content.decode()
    for shown in ("A found 3", "B found 5", "Only B: 2 detections", ">Rome</mark>", "small"):
        assert shown in page
    assert f'<option value="{b.pk}" selected>large</option>' in page
    assert f"?a={a.pk}&amp;b={b.pk}&amp;sample=2#only-B" in page


def test_nothing_in_common_is_said(as_grace):
    a = detected_run()
    b = make_run(a.corpus)
    page = as_grace.get(f"/corpora/{a.corpus_id}/detection/compare/?a={a.pk}&b={b.pk}").content.decode()
    assert 'class="empty"' in page
    assert "<table" not in page


def test_a_run_is_not_compared_with_itself_or_with_one_of_another_corpus(as_grace):
    a, other = detected_run(), detected_run()
    url = f"/corpora/{a.corpus_id}/detection/compare/"
    assert CHOOSE_TWO in messages_of(as_grace.get(f"{url}?a={a.pk}&b={a.pk}", follow=True))
    for query in ("", f"?a={a.pk}", f"?a={a.pk}&b={other.pk}", f"?a={a.pk}&b=x"):
        assert as_grace.get(url + query).status_code == 404
    assert as_grace.post(url).status_code == 405


@pytest.mark.parametrize("rows", [1, 30])
def test_query_count_does_not_grow_with_detections(as_grace, django_assert_num_queries, rows):
    a = detected_run(*["Houston"] * rows)
    b = repeat_run(a)
    as_grace.get("/corpora/")
    with django_assert_num_queries(8):  # person, corpus, runs, chunks of both, limit, each side
        as_grace.get(f"/corpora/{a.corpus_id}/detection/compare/?a={a.pk}&b={b.pk}")
