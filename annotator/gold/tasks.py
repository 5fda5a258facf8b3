"""Celery tasks: gold builds."""

from annotator.core.celery_app import app
from annotator.gold import build


@app.task(ignore_result=True)
def build_gold(corpus_id: int) -> None:
    build.run(corpus_id)
