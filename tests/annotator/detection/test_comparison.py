"""Two runs side by side: what one found that the other did not."""

import pytest

from annotator.detection.queries import comparison
from annotator.detection.queries.comparison import Heaps, compare
from profiles.models import Comment
from tests.annotator.detection.runs import again, detect, detected_run, fail, make_chunk, make_run
from tests.factories import make_profile

pytestmark = pytest.mark.django_db
BODY = "Anna of New York City met Paris in Rome, Texas"


@pytest.fixture
def pair():
    """Two runs over one comment, with one case of each heap."""
    a = detected_run(BODY, word="nothing", name="small")
    b, comment = again(a, name="large"), Comment.objects.get()
    detect(a, comment, "Anna", "PERSON")
    detect(b, comment, "Anna", "PERSON", score=0.4)  # alike, whatever the score
    detect(a, comment, "Paris", "PERSON")
    detect(b, comment, "Paris", "LOCATION")  # another type
    detect(a, comment, "New York", "LOCATION")
    detect(b, comment, "New York City", "LOCATION")  # other boundaries
    detect(b, comment, "Rome", "LOCATION")
    detect(b, comment, "Texas", "LOCATION")
    return a, b


def test_every_detection_falls_into_one_heap(pair):
    both = compare(*pair)
    assert {line.kind.name: (line.a, line.b) for line in both.lines} == {
        "PERSON": (Heaps(both=1, other_type=1), Heaps(both=1)),
        "LOCATION": (Heaps(overlap=1), Heaps(other_type=1, overlap=1, only=2)),
    }
    assert both.total.a == Heaps(1, 1, 1, 0)
    assert both.total.b == Heaps(1, 1, 1, 2)
    assert (both.comments, both.is_limited) == (1, False)


def test_turned_round_it_says_the_same(pair):
    there, back = compare(*pair), compare(*reversed(pair))
    assert [(line.kind, line.a, line.b) for line in there.lines] == [(one.kind, one.b, one.a) for one in back.lines]


def test_shows_only_what_the_other_run_marked_nothing_of(pair):
    both = compare(*pair)
    assert both.a.only == []
    assert {one.text for one in both.b.only} == {"Rome", "Texas"}
    assert [one.counts for one in both.b.strings] == [[("rome", 1), ("texas", 1)]]


def test_spans_that_touch_do_not_overlap():
    a = detected_run("Houston", word="nothing")
    b, comment = again(a), Comment.objects.get()
    detect(a, comment, "Hou")
    detect(b, comment, "ston")
    assert compare(a, b).total.a == Heaps(only=1)


def test_same_span_as_both_types_is_found_by_both():
    a = detected_run("Houston")
    b, comment = again(a), Comment.objects.get()
    detect(b, comment, "Houston", "PERSON")
    detect(b, comment, "Houston", "LOCATION")
    assert compare(a, b).total.a == Heaps(both=1)
    assert compare(a, b).total.b == Heaps(both=1, other_type=1)


def test_looks_only_at_what_both_have_analysed():
    a = detected_run("Houston one", "Houston two", "Houston three")
    first, second, third = Comment.objects.order_by("pk")
    b = make_run(a.corpus)
    make_chunk(b, first.pk, second.pk)
    make_chunk(b, third.pk, third.pk, ago=None)
    fail(b, first)
    both = compare(a, b)
    assert both.comments == 1
    assert both.total.a == Heaps(only=1)
    assert [one.comment for one in both.a.only] == [second.pk]


def test_leaves_out_other_corpora_between_the_same_ids():
    a = detected_run("Houston")
    make_profile("elsewhere")
    last = make_profile("Houston", corpus=a.corpus).comments.get()
    make_chunk(a, a.chunks.get().first_comment, last.pk, comment_count=0)
    assert compare(a, again(a)).comments == 2


@pytest.mark.parametrize(("most", "limited"), [(2, True), (3, False)])
def test_stops_at_so_many_comments_and_says_so(as_grace, monkeypatch, most, limited):
    monkeypatch.setattr(comparison, "MOST_COMMENTS", most)
    a = detected_run("Houston one", "Houston two", "Houston three")
    b = again(a)
    both = compare(a, b)
    assert (both.comments, both.is_limited, both.total.a.only) == (most, limited, most)
    page = as_grace.get(f"/corpora/{a.corpus_id}/detection/compare/?a={a.pk}&b={b.pk}").content.decode()
    assert ("Over the first 2 comments" in page) is limited


def test_the_page_shows_table_chart_and_examples(as_grace, pair):
    a, b = pair
    page = as_grace.get(f"/corpora/{a.corpus_id}/detection/compare/?a={a.pk}&b={b.pk}").content.decode()
    for shown in (
        "A found 3",
        "B found 5",
        "Only B: 2 detections",
        ">Rome</mark>",
        "Over 1 comment, all that",
        "small",
    ):
        assert shown in page
    assert "Wherever it marked something, the other run did too." in page
    assert f'<option value="{b.pk}" selected>large</option>' in page
    assert f"?a={a.pk}&amp;b={b.pk}&amp;sample=2#only-B" in page


def test_nothing_in_common_is_said(as_grace):
    a = detected_run()
    b = make_run(a.corpus)
    page = as_grace.get(f"/corpora/{a.corpus_id}/detection/compare/?a={a.pk}&b={b.pk}").content.decode()
    assert "Nothing to compare yet" in page


def test_a_run_is_not_compared_with_itself_or_with_one_of_another_corpus(as_grace):
    a, other = detected_run(), detected_run()
    at = f"/corpora/{a.corpus_id}/detection/compare/"
    assert "Choose two different runs" in as_grace.get(f"{at}?a={a.pk}&b={a.pk}", follow=True).content.decode()
    for query in ("", f"?a={a.pk}", f"?a={a.pk}&b={other.pk}", f"?a={a.pk}&b=x"):
        assert as_grace.get(at + query).status_code == 404
    assert as_grace.post(at).status_code == 405


@pytest.mark.parametrize("rows", [1, 30])
def test_query_count_does_not_grow_with_detections(as_grace, django_assert_num_queries, rows):
    a = detected_run(*["Houston"] * rows)
    b = again(a)
    as_grace.get("/corpora/")
    with django_assert_num_queries(8):  # person, corpus, runs, chunks of both, limit, each side
        as_grace.get(f"/corpora/{a.corpus_id}/detection/compare/?a={a.pk}&b={b.pk}")
