from django.urls import path

from annotator.study.views import overview, progress

study_urls = [
    path("overview/", overview.overview, name="overview"),
    path("batches/<int:batch_id>/progress/", progress.batch_progress, name="batch_progress"),
]
