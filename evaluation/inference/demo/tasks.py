"""Celery tasks: the model run of the demo study."""

from annotator.core.celery_app import app


@app.task(ignore_result=True)
def infer_demo() -> None:
    from evaluation.inference.demo import runs  # noqa: PLC0415 imports numpy, which pages don't need

    runs.request_demo_run()
