"""Runs and detections for tests of the marks on comments."""

import hashlib

from django.utils import timezone

from profiles.models import Comment, Corpus, Detection, DetectionChunk, DetectionRun, Recipe


def make_recipe(name: str = "small model") -> Recipe:
    digest = hashlib.sha256(name.encode()).hexdigest()
    return Recipe.objects.get_or_create(digest=digest, defaults={"name": name, "contents": {}})[0]


def make_run(corpus: Corpus, recipe: str = "small model", *, finished: bool = True, **fields: object) -> DetectionRun:
    finished_at = timezone.now() if finished else None
    return DetectionRun.objects.create(corpus=corpus, recipe=make_recipe(recipe), finished_at=finished_at, **fields)


def make_detection(
    run: DetectionRun, comment: Comment, text: str, entity_type: str = "LOCATION", score: float = 0.85
) -> Detection:
    """Mark the first occurrence of the text in the comment."""
    start = comment.body.index(text)
    return Detection.objects.create(
        run=run, comment=comment, entity_type=entity_type, start=start, end=start + len(text), score=score
    )


def make_chunk(
    run: DetectionRun, first: int, last: int, *, done: bool = True, comment_count: int = 1
) -> DetectionChunk:
    done_at = timezone.now() if done else None
    return DetectionChunk.objects.create(
        run=run, first_comment=first, last_comment=last, comment_count=comment_count, done_at=done_at
    )
