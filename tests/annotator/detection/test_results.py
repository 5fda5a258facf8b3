"""The page of a run: its results, recipe and failures."""

import pytest
from django.utils import timezone

from annotator.detection.queries import results
from annotator.detection.queries.results import results_page
from annotator.detection.queries.runs import progress_of
from profiles.detection.recipes import Contents, Pattern, WordList, get_or_create_recipe
from profiles.models import Comment, Detection
from tests.annotator.detection.runs import SMALL, detect, detected_run, fail, make_chunk, make_run, repeat_run
from tests.factories import make_profile

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"


def page_of(client, run, query: str = "") -> str:
    response = client.get(f"/corpora/{run.corpus_id}/detection/{run.pk}/{query}")
    assert response.status_code == 200
    return response.content.decode()


def results_of(run, seed: int = 1):
    return results_page(run, progress_of(run).tally, seed)


def test_counts_by_entity_type():
    run = detected_run("Houston and Anna in Houston", "Houston again")
    first = Comment.objects.earliest("pk")
    detect(run, first, "Anna", "PERSON")
    detect(run, first, "Anna", "STREET_CORNER")
    counts = [(row.kind.label, row.kind.hue, row.detections, row.comments) for row in results_of(run).kinds]
    assert counts == [
        ("Location", "location", 2, 2), ("Person", "person", 1, 1), ("Street corner", "own", 1, 1),
    ]  # fmt: skip
    assert [bar.note for bar in results_of(run).chart.bars] == ["50\u202f%", "25\u202f%", "25\u202f%"]


def test_counts_only_its_own_and_what_is_done(as_grace):
    run = detected_run()
    other = repeat_run(run)
    detect(other, Comment.objects.earliest("pk"), "week", "PERSON")
    late = make_profile("Houston too", corpus=run.corpus).comments.get()
    make_chunk(run, late.pk, late.pk, ago=None)
    detect(run, late, "Houston")
    assert [(row.kind.name, row.detections) for row in results_of(run).kinds] == [("LOCATION", 1)]
    assert results_of(run).scope.comments == 2


def test_a_comment_that_was_tried_once_more_is_counted_once():
    run = detected_run()
    comment = Comment.objects.earliest("pk")
    make_chunk(run, comment.pk, comment.pk, comment_count=0)
    page = results_of(run)
    assert page.detections == 1
    assert [(row.detections, row.comments) for row in page.subreddits] == [(1, 2)]
    assert len(page.excerpts) == 1


def test_counts_by_subreddit_most_first_per_hundred_comments():
    run = detected_run("Houston", "humid", "humid", "humid")
    seattle = make_profile("Houston and", "rain", corpus=run.corpus, subreddit="Seattle")
    elsewhere = make_profile("Houston", subreddit="Seattle")  # another corpus, between ids of this one
    last = make_profile("Houston", corpus=run.corpus, subreddit="Seattle")
    make_chunk(run, seattle.comments.earliest("pk").pk, last.comments.get().pk)
    assert elsewhere.corpus_id != run.corpus_id
    for profile in (seattle, last):
        detect(run, profile.comments.earliest("pk"), "Houston")
    rows = [(row.subreddit, row.detections, row.comments, row.per_hundred) for row in results_of(run).subreddits]
    assert rows == [("Seattle", 2, 3, 66.7), ("AskReddit", 1, 4, 25.0)]


def test_the_most_frequent_strings_upper_and_lower_case_together(as_grace):
    run = detected_run("Houston", "HOUSTON and Paris", word="Houston")
    second = Comment.objects.latest("pk")
    detect(run, second, "HOUSTON")
    detect(run, second, "Paris")
    detect(run, second, "Paris", "PERSON")
    by_type = {strings.kind.name: strings.counts for strings in results_of(run).strings}
    assert by_type == {"LOCATION": [("houston", 2), ("paris", 1)], "PERSON": [("paris", 1)]}


def test_shows_fifteen_strings_of_each_type(monkeypatch):
    words = [f"city{n:02}" for n in range(20)]
    run = detected_run(" ".join(words), word="nothing")
    for word in words:
        detect(run, Comment.objects.get(), word)
        detect(run, Comment.objects.get(), word, "PERSON")
    assert [(strings.kind.name, len(strings.counts)) for strings in results_of(run).strings] == [
        ("LOCATION", 15),
        ("PERSON", 15),
    ]


def test_positions_are_code_points(as_grace):
    run = detected_run("𝒳😀😀 Zürich 😀", word="Zürich")
    [excerpt] = results_of(run).excerpts
    assert (excerpt.before, excerpt.text, excerpt.after) == ("𝒳😀😀 ", "Zürich", " 😀")
    assert results_of(run).strings[0].counts == [("zürich", 1)]


def test_a_sample_has_words_around_and_no_more(as_grace):
    run = detected_run("a" * 500 + "Houston" + "b" * 500)
    [excerpt] = results_of(run).excerpts
    assert (excerpt.before, excerpt.text, excerpt.after) == ("…" + "a" * 80, "Houston", "b" * 80 + "…")
    assert f"…{'a' * 80}</span><mark" in page_of(as_grace, run)


@pytest.mark.parametrize(
    ("around", "before", "after"),
    [
        ("x" * 80, "x" * 80, "x" * 80),  # all of it: nothing to leave out
        ("one " + "two " * 20, "…" + "two " * 19, " one" + " two" * 18 + "…"),  # only whole words
    ],
    ids=["whole", "cut"],
)
def test_words_around_are_whole_ones(around, before, after):
    run = detected_run(f"{around}Houston{' ' * around.endswith(' ')}{around.strip()}")
    [excerpt] = results_of(run).excerpts
    assert excerpt.before == before
    assert excerpt.after == after


def test_the_same_seed_shows_the_same_sample_another_seed_another(as_grace):
    run = detected_run(*(f"Houston {n}" for n in range(60)))

    def sample(seed: int) -> list[int]:
        return [excerpt.comment for excerpt in results_of(run, seed).excerpts]

    assert len(sample(1)) == 20
    assert sample(1) == sample(1)
    assert set(sample(1)) != set(sample(2))
    assert 'href="?sample=8#sample"' in page_of(as_grace, run, "?sample=7")


@pytest.mark.parametrize("sample", ["", "x", "-1", "9" * 30, "²", "1.5"])
def test_a_sample_that_is_no_number_is_the_first(as_grace, sample):
    assert 'href="?sample=2#sample"' in page_of(as_grace, detected_run(), f"?sample={sample}")


def test_a_large_run_is_counted_in_its_newest_chunks_and_says_so(as_grace, monkeypatch):
    monkeypatch.setattr(results, "MAX_DETECTIONS", 4)
    monkeypatch.setattr(results, "SAMPLE_COMMENTS", 2)
    profile = make_profile(*(f"Houston {n}" for n in range(5)))
    run = make_run(profile.corpus, finished_at=timezone.now())
    for ago, comment in enumerate(profile.comments.order_by("-pk")):
        make_chunk(run, comment.pk, comment.pk, ago=ago, found=1)
        detect(run, comment, "Houston")
    page = results_of(run)
    assert (page.scope.is_sample, page.scope.comments, page.detections) == (True, 2, 2)
    assert {excerpt.after for excerpt in page.excerpts} == {" 3", " 4"}
    assert page_of(as_grace, run)
    monkeypatch.setattr(results, "MAX_DETECTIONS", 5)
    assert (results_of(run).scope.is_sample, results_of(run).scope.comments) == (False, 5)


def test_a_run_of_many_comments_is_large_even_when_little_was_found(monkeypatch):
    monkeypatch.setattr(results, "MAX_COMMENTS", 1)
    monkeypatch.setattr(results, "SAMPLE_COMMENTS", 1)
    run = detected_run()
    assert results_of(run).scope.is_sample


def test_nothing_found_is_said(as_grace):
    run = detected_run("nothing here", word="Houston", finished_at=timezone.now())
    assert 'class="empty"' in page_of(as_grace, run)


def test_hostile_text_stays_text(as_grace):
    run = detected_run(f"by {HOSTILE} {HOSTILE}", word=HOSTILE)
    detect(run, Comment.objects.get(), "by", HOSTILE[:40])
    page = page_of(as_grace, run)
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page


# ── The recipe ──────────────────────────────────────────────────────────────


def test_shows_the_recipe_in_full(as_grace):
    contents = Contents(
        models=SMALL.models, presidio="2.2.360", spacy="3.8.7", threshold=0.35, entities=("PERSON",), context=("home",),
        patterns=(Pattern("corner", "STREET_CORNER", r"\d+th and <b>", 0.6, ("near", "at")),),
        word_lists=(WordList("places", "HANGOUT", tuple(f"bar {n}" for n in range(30))),),
    )  # fmt: skip
    run = detected_run(contents=contents, name="corners")
    page = page_of(as_grace, run)
    for shown in (
        "en_core_web_sm 3.8.0 (en)", "2.2.360", "3.8.7", "0.35", "home", "STREET_CORNER, score 0.6",
        "near, at", r"\d+th and &lt;b&gt;", "bar 19", "and 10 more", contents.digest, "longest, then score",
    ):  # fmt: skip
        assert shown in page
    assert f'href="/corpora/{run.corpus_id}/detection/recipe/?from={run.recipe_id}"' in page


# ── Not analysed ────────────────────────────────────────────────────────────


def test_lists_what_was_not_analysed_with_its_reason_and_never_its_text(as_grace):
    run = detected_run("a secret text", "ein geheimer Text", "another secret", word="nothing")
    first, second, third = Comment.objects.order_by("pk")
    fail(run, first, "failed", "ValueError")
    fail(run, second, "language", "de")
    fail(run, third, "language", "de")
    page = page_of(as_grace, run)
    assert page.index("In a language without a model") < page.index("The analysis failed")
    for shown in ("ValueError", f">{first.pk}</th>", f"#comment-{first.pk}", first.profile.pseudonym):
        assert shown in page
    assert "secret" not in page
    assert "geheim" not in page
    only = page_of(as_grace, run, "?reason=language")
    assert f">{first.pk}</th>" not in only
    assert f">{third.pk}</th>" in only
    assert f">{first.pk}</th>" in page_of(as_grace, run, "?reason=shoes")


def test_pages_through_failures_of_one_reason(as_grace):
    run = detected_run(*["nothing"] * 60, word="Houston")
    for comment in Comment.objects.all():
        fail(run, comment)
    page = page_of(as_grace, run, "?reason=failed&page=2")
    assert "51 to 60 of 60" in page
    assert 'href="?reason=failed&amp;page=1"' in page


def test_says_when_all_could_be_analysed(as_grace):
    run = detected_run(finished_at=timezone.now())
    assert '<th scope="col">Reason</th>' not in page_of(as_grace, run)


# ── Query counts ────────────────────────────────────────────────────────────


@pytest.mark.parametrize("rows", [1, 30])
def test_query_count_does_not_grow_with_detections(as_grace, django_assert_num_queries, rows):
    run = detected_run(*["Houston"] * rows)
    for comment in Comment.objects.all():
        fail(run, comment)
    for _ in range(rows):
        repeat_run(run)
    assert Detection.objects.count() == rows
    as_grace.get("/corpora/")
    with django_assert_num_queries(12):  # person, run, sums, reasons, 5 about what was found, 2 failures, others
        page_of(as_grace, run)


def test_a_recipe_of_another_time_does_not_break_the_page(as_grace):
    run = detected_run()
    assert get_or_create_recipe(SMALL).pk != run.recipe_id
    type(run).objects.filter(pk=run.pk).update(
        recipe=type(run.recipe).objects.create(name="bare", digest="0" * 64, contents={})
    )
    assert "bare" in page_of(as_grace, run)
