"""Celery tasks: searches for subreddits.

They are acknowledged before they begin: a model may take minutes, and no second worker should get them meanwhile.
"""

from annotator.core.celery_app import app
from annotator.core.waiting_jobs import jobs_to_call
from evaluation.models import SubredditSearch


@app.task(acks_late=False, ignore_result=True)
def search_subreddits(search_id: int) -> None:
    from evaluation.proposals import job  # noqa: PLC0415 imports the HTTP client, which pages don't need

    job.run(search_id)


@app.task(ignore_result=True)
def sweep_searches() -> None:
    """Queue what was requested while the queue was unreachable."""
    for search_id in jobs_to_call(SubredditSearch.objects.all()):
        search_subreddits.delay(search_id)
