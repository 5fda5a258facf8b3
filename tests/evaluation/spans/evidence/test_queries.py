"""Which evidence and which detections are read, and with how many queries."""

import pytest
from django.utils import timezone

from evaluation.spans.evidence.queries import detection_counts, evidence_records
from evaluation.spans.evidence.records import DetectionCount, Skip
from evaluation.spans.evidence.scopes import NoDetection, Scope, Source, finished_run
from profiles.models import Unanalysed
from tests.evaluation.spans.evidence.spans import mark
from tests.evaluation.spans.evidence.studies import (
    BODY,
    PLACE,
    detect,
    make_gold,
    make_judgement_with_evidence,
    make_labelled_profile,
    make_recipe,
    make_run,
    make_submitted,
)
from tests.factories import make_batch, make_corpus, make_judgement, make_profile

pytestmark = pytest.mark.django_db


@pytest.fixture
def corpus():
    return make_corpus()


def read(corpus, run=None, **fields):
    return list(evidence_records(Scope(corpus, run or make_run(corpus), **fields)))


def test_reads_gold_evidence_with_the_detections_over_it(corpus):
    profile = make_labelled_profile(corpus)
    comment, run = profile.comments.get(), make_run(corpus)
    detect(run, comment)
    detect(run, comment, (0, 3), "PERSON")  # before the evidence
    detect(make_run(corpus, recipe=make_recipe("other")), comment, PLACE, "NRP")
    (record,) = read(corpus, run)
    (span,) = record.evidence
    assert (record.profile, record.attribute, record.hardness) == (profile.pk, "location", 2)
    assert (span.comment, span.start, span.end, span.text) == (comment.pk, *PLACE, "Houston")
    assert (span.detections, span.skip) == ((mark(*PLACE),), None)


def test_offsets_are_code_points(corpus):
    body = "👩‍🔬 moved to Zürich"
    place = (body.index("Zürich"), len(body))
    make_labelled_profile(corpus, body, place)
    ((span,),) = (record.evidence for record in read(corpus))
    assert (span.text, span.skip) == ("Zürich", None)


def test_leaves_out_records_without_a_value_and_keeps_those_without_evidence(corpus):
    profile = make_profile(BODY, corpus=corpus)
    make_gold(profile, attribute="occupation", value="", hardness=0, certainty=0)
    empty = make_gold(profile)
    assert [(record.id, record.evidence) for record in read(corpus)] == [(empty.pk, ())]


def test_leaves_out_other_corpora(corpus):
    make_profile(BODY, corpus=corpus)
    make_labelled_profile(make_corpus())
    assert read(corpus) == []


def test_reads_only_records_of_the_batch(corpus):
    batch, other = make_batch(corpus=corpus), make_batch(corpus=corpus)
    profile = make_profile(BODY, corpus=corpus)
    record = make_gold(profile, batches=[batch])
    make_gold(profile, attribute="occupation", batches=[other])
    assert [row.id for row in read(corpus, batch=batch)] == [record.pk]


def test_reads_the_evidence_of_judgements_that_count(corpus):
    profile = make_profile(BODY, corpus=corpus)
    judgement = make_judgement_with_evidence(make_submitted(profile))
    make_judgement_with_evidence(make_submitted(profile, is_planted=True))
    make_judgement_with_evidence(make_submitted(profile, batch=make_batch(corpus=corpus, is_practice=True)))
    make_judgement(make_submitted(profile), value="")
    (record,) = read(corpus, source=Source.JUDGEMENTS)
    assert (record.id, [span.text for span in record.evidence]) == (judgement.pk, ["Houston"])


def test_says_why_a_span_cannot_be_scored(corpus):
    profiles = [make_labelled_profile(corpus) for _ in range(4)]
    run = make_run(corpus)
    comments = [profile.comments.get() for profile in profiles]
    Unanalysed.objects.create(run=run, comment=comments[0], reason=Unanalysed.Reason.LANGUAGE)
    Unanalysed.objects.create(run=run, comment=comments[1], reason=Unanalysed.Reason.SLOW)
    make_labelled_profile(corpus)  # added after the run was planned
    make_gold(profiles[3], (comments[2], *PLACE), attribute="occupation")  # somebody else's comment
    skips = [span.skip for record in read(corpus, run) for span in record.evidence]
    assert skips == [Skip.LANGUAGE, Skip.FAILED, None, None, Skip.GONE, Skip.NOT_ANALYSED]


def test_a_chunk_that_is_not_done_counts_as_not_analysed(corpus):
    make_labelled_profile(corpus)
    run = make_run(corpus)
    run.chunks.update(done_at=None)
    assert [span.skip for record in read(corpus, run) for span in record.evidence] == [Skip.NOT_ANALYSED]


def test_a_text_that_differs_counts_as_gone(corpus):
    record = make_labelled_profile(corpus).gold.get()
    record.evidence[0]["text"] = "Dallas!"
    record.save(update_fields=["evidence"])
    assert [span.skip for record in read(corpus) for span in record.evidence] == [Skip.GONE]


def test_counts_detections_of_labelled_profiles_even_if_nothing_was_inferred(corpus):
    labelled, nothing, unread = (
        make_labelled_profile(corpus),
        make_profile(BODY, corpus=corpus),
        make_profile(BODY, corpus=corpus),
    )
    make_gold(nothing, value="", hardness=0, certainty=0)
    run = make_run(corpus)
    for profile in (labelled, nothing, unread):
        detect(run, profile.comments.get())
    detect(run, labelled.comments.get(), (0, 1), "PERSON")
    detect(make_run(corpus, recipe=make_recipe("other")), labelled.comments.get(), (2, 3), "NRP")
    assert list(detection_counts(Scope(corpus, run))) == [
        DetectionCount(labelled.pk, "LOCATION", 1),
        DetectionCount(labelled.pk, "PERSON", 1),
        DetectionCount(nothing.pk, "LOCATION", 1),
    ]


@pytest.mark.parametrize("source", Source)
@pytest.mark.parametrize("profiles", [1, 12])
def test_query_count_does_not_grow(corpus, django_assert_num_queries, profiles, source):
    for _ in range(profiles):
        profile = make_labelled_profile(corpus)
        make_judgement_with_evidence(make_submitted(profile))
    scope = Scope(corpus, make_run(corpus), source=source)
    with django_assert_num_queries(1):
        assert len(list(evidence_records(scope))) == profiles
    with django_assert_num_queries(1):
        list(detection_counts(scope))


def test_finds_the_newest_finished_run(corpus):
    make_profile(BODY, corpus=corpus)
    run = make_run(corpus)
    make_run(corpus, recipe=make_recipe("running"), finished=False)
    cancelled = make_run(corpus, recipe=make_recipe("cancelled"))
    cancelled.cancelled_at = timezone.now()
    cancelled.save(update_fields=["cancelled_at"])
    assert finished_run(corpus) == run
    assert finished_run(corpus, run.recipe) == run


def test_refuses_a_recipe_that_has_not_finished(corpus):
    make_profile(BODY, corpus=corpus)
    run = make_run(corpus, finished=False)
    with pytest.raises(NoDetection):
        finished_run(corpus, run.recipe)
