"""Gold of a batch that was closed, built, and then reopened."""

import pytest

from annotator.batches.claims import claim_next
from annotator.batches.lifecycle import close, reopen
from annotator.gold.build import build_gold
from annotator.gold.stamps import stale_corpora
from annotator.labelling.cards import Card
from annotator.labelling.services import save_card
from annotator.labelling.submission import submit_assignment
from profiles.attributes import Attribute
from tests.annotator.batches.drafts import make_corpus_of, running
from tests.annotator.gold.builds import disputes_of, gold_of
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db


def judge(batch, person, age):
    assignment = claim_next(batch=batch, annotator=person)
    save_card(assignment, Attribute.AGE, Card(age, 1, 5), based_on=0)
    submit_assignment(assignment)


def test_gold_stays_until_the_profile_is_judged_again_and_then_follows():
    first, second = make_annotator("first"), make_annotator("second")
    corpus = make_corpus_of(1)
    profile = corpus.profiles.get()
    batch = running(corpus, first, second, size=1, overlap=2)
    judge(batch, first, "27")
    close(batch)
    build_gold(corpus)
    assert gold_of(profile)["age"][3] == "single"
    batch = reopen(batch)
    for everything in (False, True):
        build_gold(corpus, everything=everything)
        assert gold_of(profile)["age"][3] == "single"
    judge(batch, second, "60")
    assert corpus.pk in stale_corpora()
    build_gold(corpus)
    assert "age" not in gold_of(profile)
    assert disputes_of(profile) == {"age": "value"}
    before = gold_of(profile), disputes_of(profile)
    build_gold(corpus, everything=True)
    assert (gold_of(profile), disputes_of(profile)) == before


def test_closing_it_once_more_leaves_the_same_gold():
    person, corpus = make_annotator("first"), make_corpus_of(1)
    batch = running(corpus, person, make_annotator("second"), size=1, overlap=2)
    judge(batch, person, "27")
    close(batch)
    build_gold(corpus)
    before = gold_of(corpus.profiles.get())
    close(reopen(batch))
    build_gold(corpus)
    assert gold_of(corpus.profiles.get()) == before
