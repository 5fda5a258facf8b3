"""Drawing, handing over and closing batches from the command line, with the same services as the pages."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotator.batches.claims import claim_next
from annotator.batches.queries.preview import PROFILES_REMOVED
from annotator.labelling.services import skip_assignment
from annotator.models import Batch
from profiles.models import Profile
from tests.annotator.batches.drafts import layout, make_corpus_of, make_guideline, running
from tests.annotator.privacy.forgotten_account import make_account
from tests.factories import make_annotator, make_corpus, make_profile

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus(db):
    make_guideline()
    return make_corpus_of(6)


@pytest.fixture
def bob(db):
    return make_annotator("bob")


def run(*args: object) -> str:
    out = StringIO()
    call_command(*(str(arg) for arg in args), stdout=out)
    return out.getvalue()


def test_draws_a_draft_or_starts_it(corpus, ada, bob):
    output = run("draw_batch", "Round", "--size", 4, "--overlap", 2, "--to", "ada:4", "bob", "--hide-hints")
    assert output == "drew “Round”: 4 profiles, 8 assignments; a draft, not started yet\n"
    batch = Batch.objects.get()
    assert batch.people == [{"annotator": ada.pk, "quota": 4}, {"annotator": bob.pk, "quota": None}]
    assert (batch.started_at, batch.hints_shown) == (None, False)
    assert "started" in run("draw_batch", "Next", "--size", 1, "--start", "--unbatched", "--due", "2030-01-31")
    assert claim_next(batch=Batch.objects.get(name="Next"), annotator=ada) is not None


def test_draws_as_the_page_does(corpus, ada):
    run("draw_batch", "Round", "--size", 3, "--seed", 7, "--at-least", 1, "--subreddit", "r/AskReddit", "--to", "ada")
    batch = running(corpus, ada, name="Page", size=3, seed=7)
    assert layout(Batch.objects.get(name="Round")) == layout(batch)
    assert Batch.objects.get(name="Round").draw["criteria"] == {"at_least": 1, "subreddits": ["askreddit"]}


def test_a_dry_run_only_tells(corpus):
    output = run("draw_batch", "--size", 2, "--dry-run")
    assert output.startswith("6 profiles match\n  quiet-heron-")
    assert "1 comment in 1 subreddit, 2013-05-01 to 2013-05-01" in output
    assert not Batch.objects.exists()
    with pytest.raises(CommandError, match="Only 6 of the 9"):
        run("draw_batch", "--size", 9, "--dry-run")


def test_says_whether_a_draw_can_be_repeated(corpus, ada):
    run("draw_batch", "Round", "--size", 3, "--unbatched")
    assert run("draw_batch", "--repeat", "Round") == "The draw gives the same 3 profiles in the same order.\n"
    for _ in range(60):  # so many that the same three are not drawn again by chance
        make_profile(corpus=corpus)
    with pytest.raises(CommandError, match="The corpus has grown since"):
        run("draw_batch", "--repeat", "Round")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--size", "3"], "Name the batch"),
        (["Round", "--size", "9"], "Only 6 of the 9"),
        (["Round", "--size", "2", "--overlap", "3"], "Each profile needs 3 evaluators"),
        (["Round", "--size", "2", "--to", "nobody"], "Nobody has the user name “nobody”"),
        (["Round", "--size", "2", "--to", "ada:0"], "eva:20 for at most 20 profiles"),
        (["Round", "--size", "0"], "--size must be at least 1"),
        (["Round", "--size", "2", "--since", "2013-06-01", "--until", "2013-05-31"], "is before --since"),
        (["Round", "--corpus", "None such"], "There is no complete corpus called “None such”"),
        (["Round", "--recipe", "None such"], "There is no recipe"),
        (["Round", "--guideline", "9"], "no such version"),
        (["--repeat", "None such"], "There is no batch called “None such”"),
        (["Round", "--size", "2", "--plant", "1", "--start"], "was not started"),
    ],
)
def test_refuses_with_words_and_draws_nothing(corpus, ada, options, words):
    with pytest.raises(CommandError, match=words):
        run("draw_batch", *options)
    assert not Batch.objects.exists()


def test_asks_which_corpus_where_there_are_several(corpus):
    make_corpus()
    with pytest.raises(CommandError, match="Choose a corpus"):
        run("draw_batch", "Round")


def test_hands_over_what_somebody_has_not_finished(corpus, ada, bob):
    batch = running(corpus, ada, size=4)
    assert run("reassign_profiles", batch.name, "--from", "ada", "--to", "bob") == "reassigned 4 profiles\n"
    assert batch.assignments.filter(annotator=bob).count() == 4
    with pytest.raises(CommandError, match="can’t go to the same person"):
        run("reassign_profiles", batch.name, "--from", "bob", "--to", "bob")


def test_hands_out_again_what_was_skipped(corpus, ada, bob):
    batch = running(corpus, ada, size=2)
    skip_assignment(claim_next(batch=batch, annotator=ada), "bot")
    assert "1 not reassigned" in run("reassign_profiles", batch.name, "--skipped", "--to", "ada")
    assert run("reassign_profiles", batch.name, "--skipped", "--to", "ada", "bob") == "reassigned 1 skipped profile\n"


def test_gives_back_what_was_got_ready(corpus, ada):
    batch = running(corpus, size=2)
    batch.assignments.filter(position=0).update(annotator=ada)
    assert run("reassign_profiles", batch.name, "--got-ready") == "returned 1 profile to the pool\n"


def test_closes_and_asks_before_it_takes_something_back(corpus, ada):
    batch = running(corpus, ada, size=2)
    claim_next(batch=batch, annotator=ada)
    with pytest.raises(CommandError, match=r"1 person has 1 profile open.* --withdraw"):
        run("close_batch", batch.name)
    assert run("close_batch", batch.name, "--withdraw") == "closed “Round” with 0 submitted of 2\n"
    with pytest.raises(CommandError, match="is closed"):
        run("close_batch", batch.name)


def test_reopens_what_was_closed(corpus, ada):
    batch = running(corpus, ada, size=2)
    with pytest.raises(CommandError, match="is not closed"):
        run("reopen_batch", batch.name)
    run("close_batch", batch.name)
    assert run("reopen_batch", batch.name) == "reopened “Round” with 2 left of 2\n"
    assert claim_next(batch=Batch.objects.get(), annotator=ada) is not None


@pytest.mark.parametrize("size", [3, 6])
def test_says_that_profiles_were_removed_since_the_draw(corpus, ada, size):
    """With six, too few are left to draw as many again."""
    account = make_account("TinRoof_Rusty", corpus=corpus)
    run("draw_batch", "Round", "--size", size + 1, "--to", "ada")
    make_account("TinRoof_Rusty", corpus=make_corpus())
    run("forget_account", "TinRoof_Rusty", "--yes")
    assert not Profile.objects.filter(pk=account.pk).exists()
    Batch.objects.filter(name="Round").update(draw=Batch.objects.get(name="Round").draw | {"drawn_digest": "other"})
    with pytest.raises(CommandError, match=PROFILES_REMOVED.format(profiles="1 profile")):
        run("draw_batch", "--repeat", "Round")


def test_a_due_date_in_the_past_is_confirmed(ada):
    make_corpus_of(2)
    make_guideline()
    with pytest.raises(CommandError):
        run("draw_batch", "Late", "--size", 1, "--due", "2020-01-31")
    assert not Batch.objects.exists()
    run("draw_batch", "Late", "--size", 1, "--due", "2020-01-31", "--past-due")
    assert Batch.objects.get().due_at.year == 2020
