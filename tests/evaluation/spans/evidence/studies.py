"""Rows for evidence runs: profiles with gold evidence and detections."""

from collections.abc import Sequence
from datetime import timedelta

from django.utils import timezone

from annotator.models import Assignment, Batch, GoldRecord, Judgement, Reached
from annotator.models.judgements import Evidence
from profiles.models import Comment, Corpus, Detection, DetectionChunk, DetectionRun, Profile, Recipe
from tests.factories import make_annotator, make_assignment, make_batch, make_judgement, make_profile

BODY = "I moved to Houston with my wife"
PLACE = (BODY.index("Houston"), BODY.index("Houston") + len("Houston"))


def make_recipe(name: str = "plain") -> Recipe:
    return Recipe.objects.get_or_create(name=name, defaults={"digest": name.ljust(64, "0"), "contents": {}})[0]


def make_run(corpus: Corpus, *, recipe: Recipe | None = None, finished: bool = True) -> DetectionRun:
    """A run with one chunk over all comments there are."""
    now = timezone.now() if finished else None
    run = DetectionRun.objects.create(corpus=corpus, recipe=recipe or make_recipe(), finished_at=now)
    ids = list(Comment.objects.filter(profile__corpus=corpus).order_by("pk").values_list("pk", flat=True))
    DetectionChunk.objects.create(
        run=run, first_comment=ids[0], last_comment=ids[-1], comment_count=len(ids), done_at=timezone.now()
    )
    return run


def detect(run: DetectionRun, comment: Comment, span: tuple[int, int] = PLACE, entity_type: str = "LOCATION") -> None:
    Detection.objects.create(run=run, comment=comment, start=span[0], end=span[1], entity_type=entity_type, score=0.85)


def make_gold(
    profile: Profile, *spans: tuple[Comment, int, int], attribute: str = "location", batches: Sequence[Batch] = (),
    **fields: object,
) -> GoldRecord:  # fmt: skip
    evidence = [{"comment": c.pk, "start": start, "end": end, "text": c.body[start:end]} for c, start, end in spans]
    defaults = {"value": "houston", "hardness": 2, "certainty": 4, "reached": Reached.SINGLE, "rule": "test"}
    return GoldRecord.objects.create(
        profile=profile, attribute=attribute, evidence=evidence, batch_ids=[batch.pk for batch in batches],
        **(defaults | fields),
    )  # fmt: skip


def make_labelled_profile(corpus: Corpus, body: str = BODY, span: tuple[int, int] = PLACE) -> Profile:
    """A profile with one comment and a gold location that one span of it supports."""
    profile = make_profile(body, corpus=corpus)
    make_gold(profile, (profile.comments.get(), *span))
    return profile


def make_submitted(profile: Profile, batch: Batch | None = None, **fields: object) -> Assignment:
    now = timezone.now() - timedelta(minutes=1)
    return make_assignment(
        annotator=make_annotator(), profile=profile, batch=batch or make_batch(corpus=profile.corpus),
        submitted_at=now, **fields,
    )  # fmt: skip


def make_judgement_with_evidence(assignment: Assignment, span: tuple[int, int] = PLACE) -> Judgement:
    judgement = make_judgement(assignment)
    comment = assignment.profile.comments.first()
    start, end = span
    Evidence.objects.create(judgement=judgement, comment=comment, start=start, end=end, text=comment.body[start:end])
    return judgement
