from django.urls import path

from annotator.gold.views import gold
from annotator.study.views import overview, progress

study_urls = [
    path("overview/", overview.overview, name="overview"),
    path("batches/<int:batch_id>/progress/", progress.batch_progress, name="batch_progress"),
    path("gold/", gold.gold_sets, name="gold"),
    path("gold/<int:corpus_id>/", gold.gold, name="gold"),
    path("gold/<int:corpus_id>/records/", gold.gold_records, name="gold_records"),
    path("gold/<int:corpus_id>/settle/", gold.settle_again, name="settle_again"),
    path("gold/<int:corpus_id>/targets/", gold.targets, name="targets"),
]
