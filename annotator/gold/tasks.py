"""Celery tasks: gold builds."""

from celery import shared_task

from annotator.gold import build


@shared_task(ignore_result=True)
def build_gold(corpus_id: int) -> None:
    build.run(corpus_id)
