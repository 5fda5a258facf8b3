"""The page of profiles whose gold waits: which they are, and what for."""

import pytest

from annotator.gold.build import build_gold
from annotator.gold.queries.open_work import CURRENT, NO_GOLD, OLDER
from annotator.labelling.submission import reopen_assignment
from annotator.models import Assignment, Batch
from tests.annotator.gold.builds import disputed, say
from tests.factories import make_annotator, make_assignment, make_batch, make_corpus, make_profile

pytestmark = pytest.mark.django_db


def rows(client, corpus):
    return {row.profile.pk: row for row in client.get(f"/gold/{corpus.pk}/waiting/").context["page"]}


def test_says_which_profiles_wait_and_what_for(as_grace):
    corpus = make_corpus()
    done, new, older, reopened = (disputed("27", profile=make_profile(corpus=corpus)) for _ in range(4))
    make_assignment(profile=new, batch=new.assignments.get().batch, slot=99)
    build_gold(corpus)
    pending = make_batch(corpus=corpus)
    make_assignment(profile=older, batch=pending)
    make_assignment(profile=older, batch=pending, annotator=make_annotator(), slot=98)
    say(older, make_batch(corpus=corpus), age="60")
    reopen_assignment(reopened.assignments.get())
    shown = rows(as_grace, corpus)
    assert {pk: row.gold for pk, row in shown.items()} == {new.pk: NO_GOLD, older.pk: OLDER, reopened.pk: CURRENT}
    assert done.pk not in shown
    work = shown[older.pk].work[0]
    assert (work.batch, work.unclaimed, work.held, work.reopened) == (pending.pk, 1, 1, 0)
    assert shown[older.pk].submitted == 2
    assert shown[reopened.pk].work[0].reopened == 1
    assert as_grace.get(f"/gold/{corpus.pk}/").context["waiting"] == 3


def test_drafts_planted_and_closed_batches_keep_nothing_waiting(as_grace, ada):
    profile = disputed("27")
    draft, closed = make_batch(corpus=profile.corpus), make_batch(corpus=profile.corpus)
    for batch in (draft, closed):
        make_assignment(profile=profile, batch=batch)
    make_assignment(profile=profile, annotator=ada, is_planted=True)
    Batch.objects.filter(pk=draft.pk).update(started_at=None)
    Batch.objects.filter(pk=closed.pk).update(closed_at=closed.started_at)
    assert rows(as_grace, profile.corpus) == {}


def test_evaluators_do_not_see_it(as_ada):
    assert as_ada.get(f"/gold/{make_corpus().pk}/waiting/").status_code == 404


@pytest.mark.parametrize("count", [1, 5])
def test_query_count_does_not_grow(as_grace, django_assert_num_queries, count):
    corpus = make_corpus()
    for _ in range(count):
        profile = disputed("27", "60", profile=make_profile(corpus=corpus))
        make_assignment(profile=profile, batch=Assignment.objects.filter(profile=profile)[0].batch, slot=99)
    with django_assert_num_queries(8):  # person, corpus, count, profiles, work, fingerprints, built, submitted
        as_grace.get(f"/gold/{corpus.pk}/waiting/")
