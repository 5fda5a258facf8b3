"""Detection runs in various states, for tests of the detection pages."""

import uuid
from datetime import timedelta
from itertools import count

from django.utils import timezone

from profiles.detection.recipes import Contents, Model, get_or_create_recipe
from profiles.models import Comment, Corpus, Detection, DetectionChunk, DetectionRun, Unanalysed
from tests.factories import make_corpus, make_profile

_serial = count(1)
SMALL = Contents(models=(Model("en", "en_core_web_sm", "3.8.0"),), presidio="2.2.360", spacy="3.8.7")


def make_run(
    corpus: Corpus | None = None, *, contents: Contents | None = None, name: str = "", **fields
) -> DetectionRun:
    """A planned run that has not started, with its own recipe unless contents are given."""
    contents = contents or Contents(models=SMALL.models, presidio=SMALL.presidio, spacy=f"3.8.{next(_serial)}")
    planned = {"planned_at": timezone.now(), "planned_to": 1}
    recipe = get_or_create_recipe(contents, name or f"recipe {next(_serial)}")
    return DetectionRun.objects.create(corpus=corpus or make_corpus(), recipe=recipe, **(planned | fields))


def make_chunk(run: DetectionRun, first: int = 1, last: int = 1, *, ago: float | None = 0, **fields) -> DetectionChunk:
    """A chunk done `ago` seconds ago, or not done if that is None."""
    done = {} if ago is None else {"done_at": timezone.now() - timedelta(seconds=ago), "seconds": 1.0}
    sized = {"comment_count": last - first + 1}
    return DetectionChunk.objects.create(run=run, first_comment=first, last_comment=last, **(sized | done | fields))


def lease(chunk: DetectionChunk, seconds: float = 30) -> None:
    until = timezone.now() + timedelta(seconds=seconds)
    DetectionChunk.objects.filter(pk=chunk.pk).update(lease=uuid.uuid4(), leased_until=until)


def detect(run: DetectionRun, comment: Comment, text: str, entity_type: str = "LOCATION", **fields) -> Detection:
    """Mark the first occurrence of the text in the comment."""
    start = comment.body.index(text)
    span = {"start": start, "end": start + len(text), "score": 0.85}
    return Detection.objects.create(run=run, comment=comment, entity_type=entity_type, **(span | fields))


def detected_run(*bodies: str, word: str = "Houston", corpus: Corpus | None = None, **fields) -> DetectionRun:
    """A run over one new profile, with a chunk per comment, that marked one word as a location."""
    profile = make_profile(*(bodies or ("I moved to Houston last week", "so humid here")), corpus=corpus)
    run = make_run(profile.corpus, **fields)
    for comment in profile.comments.order_by("pk"):
        has_word = word in comment.body
        make_chunk(run, comment.pk, comment.pk, found=int(has_word))
        if has_word:
            detect(run, comment, word)
    return run


def repeat_run(run: DetectionRun, **fields) -> DetectionRun:
    """Another run over the same comments, without detections."""
    other = make_run(run.corpus, **fields)
    for chunk in run.chunks.done():
        make_chunk(other, chunk.first_comment, chunk.last_comment)
    return other


def fail(run: DetectionRun, comment: Comment, reason: str = "failed", detail: str = "ValueError") -> Unanalysed:
    return Unanalysed.objects.create(run=run, comment=comment, reason=reason, detail=detail)


def page_text(client, path: str, **kwargs) -> str:
    response = client.get(path, **kwargs)
    assert response.status_code == 200
    return response.content.decode()


def run_url(run: DetectionRun, rest: str = "") -> str:
    return f"/corpora/{run.corpus_id}/detection/{run.pk}/{rest}"


def runs_url(run: DetectionRun) -> str:
    return f"/corpora/{run.corpus_id}/detection/"
