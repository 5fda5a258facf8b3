from django.urls import path

from annotator.history import views

history_urls = [
    path("audit/", views.audit, name="audit"),
    path("audit/changes/", views.changes, name="changes"),
]
