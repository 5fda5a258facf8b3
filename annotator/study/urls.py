from django.urls import path

from annotator.study import views

study_urls = [
    path("overview/", views.overview, name="overview"),
    path("batches/<int:batch_id>/progress/", views.batch_progress, name="batch_progress"),
]
