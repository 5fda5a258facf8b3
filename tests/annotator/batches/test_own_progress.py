"""“12 of 24” means the same on every page that an evaluator sees."""

import re

import pytest
from django.utils import timezone

from annotator.batches.claims import claim_next
from annotator.batches.lifecycle import close
from annotator.batches.moves import reassign
from annotator.batches.queries.own_progress import own_progress
from tests.annotator.quality.practice_batches import make_known, make_practice_of
from tests.factories import make_annotator, make_assignment, make_batch, make_corpus, make_profile

pytestmark = pytest.mark.django_db


def add(batch, person, count=1, **fields):
    return [make_assignment(batch=batch, annotator=person, **({"claimed_at": None} | fields)) for _ in range(count)]


def submitted(batch, person, count=1):
    return add(batch, person, count, claimed_at=timezone.now(), submitted_at=timezone.now())


def progress(batch, person):
    return own_progress(person, [batch])[batch.pk]


def words_on(client, batch, held) -> set[str]:
    """The progress as the home page, the batch page and the labelling page say it."""
    pages = [client.get(url).content.decode() for url in ("/", f"/batches/{batch.pk}/", f"/assignments/{held.pk}/")]
    pattern = r"\d+ of \d+|\d+ submitted, [\d+]+ left"
    return {words for page in pages for words in re.findall(rf"<span>({pattern})</span>", page)}


def test_all_pages_agree(as_ada, ada):
    batch = make_batch()
    submitted(batch, ada, 2)
    (held,) = add(batch, ada, claimed_at=timezone.now())
    add(batch, ada, 3)
    add(batch, ada, claimed_at=timezone.now(), skipped_at=timezone.now(), skip_reason="bot")
    submitted(batch, make_annotator(), 5)
    assert words_on(as_ada, batch, held) == {"2 of 6"}


def test_all_pages_agree_about_a_shared_pool(as_ada, ada):
    batch = make_batch()
    submitted(batch, ada)
    add(batch, None, 4)
    held = claim_next(batch=batch, annotator=ada)
    make_assignment(batch=batch, profile=held.profile, slot=1)  # hers already: never hers again
    assert words_on(as_ada, batch, held) == {"1 submitted, 4 left"}


def test_a_skip_and_a_hand_over_count_in_neither_number(ada):
    batch, bob = make_batch(corpus=make_corpus()), make_annotator()
    submitted(batch, ada)
    add(batch, ada, claimed_at=timezone.now(), skipped_at=timezone.now(), skip_reason="bot")
    make_assignment(batch=batch, annotator=ada)
    reassign(batch, ada, [bob], based_on=batch.version)
    assert (progress(batch, ada).in_words, progress(batch, ada).skipped) == ("1 of 1", 1)
    assert progress(batch, ada).is_through
    assert progress(batch, bob).in_words == "0 of 1"


def test_what_closing_took_back_was_meant_for_the_person(ada):
    batch = make_batch()
    submitted(batch, ada)
    make_assignment(batch=batch, annotator=ada)
    close(batch, withdraw=True, based_on=batch.version)
    assert progress(batch, ada).in_words == "1 of 2"


def test_everybody_is_meant_to_do_all_of_a_practice_batch(ada):
    profile = make_known()
    batch = make_practice_of(profile, make_known(corpus=profile.corpus))
    assert progress(batch, ada).in_words == "0 of 2"
    add(batch, ada, 2, claimed_at=timezone.now(), skipped_at=timezone.now(), skip_reason="bot")
    assert progress(batch, ada).is_through


def test_leaves_out_what_a_relabelling_batch_would_not_hand_out(ada):
    profile = make_profile()
    make_assignment(annotator=ada, profile=profile, submitted_at=timezone.now())
    batch = make_batch(corpus=profile.corpus, draw={"criteria": {"relabel": True}})
    make_assignment(batch=batch, profile=profile)
    assert progress(batch, ada).pool == 0
